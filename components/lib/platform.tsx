"use client";

import { createContext, type ReactNode, useContext } from "react";

const IsMac = createContext(false);

/** Tells the page which keyboard it is read with. The server knows from the request, so nothing changes when the page comes to life. */
export function PlatformProvider({ mac, children }: { mac: boolean; children: ReactNode }) {
  return <IsMac value={mac}>{children}</IsMac>;
}

/** Whether the person has a keyboard of Apple's, where Command stands for Control. */
export function useIsMac(): boolean {
  return useContext(IsMac);
}
