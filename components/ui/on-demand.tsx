"use client";

import { type ComponentType, useEffect, useState } from "react";
import { patiently } from "@/components/lib/patiently";

/** Code that is fetched when it is wanted, once per page. */
export interface OnDemand<Parts> {
  readonly load: () => Promise<Parts>;
  /** What has been fetched; null until then. */
  readonly current: () => Parts | null;
}

export function onDemand<Parts>(fetchParts: () => Promise<Parts>): OnDemand<Parts> {
  const fetchPatiently = patiently(fetchParts);
  let parts: Parts | null = null;
  return {
    current: () => parts,
    load: async () => {
      parts ??= await fetchPatiently();
      return parts;
    },
  };
}

/**
 * A component of such code: nothing until it is there, then at once. Not `lazy`: React shows what was suspended only
 * 300 ms later, even when the code has long been fetched.
 */
export function partOf<Parts, Props extends object>(
  source: OnDemand<Parts>,
  pick: (parts: Parts) => ComponentType<Props>,
): ComponentType<Props> {
  // biome-ignore lint/correctness/noComponentHookFactories: called once per part, when its file is loaded
  return function Part(props: Props) {
    const [parts, setParts] = useState(source.current);
    useEffect(() => {
      if (parts === null) void source.load().then((loaded) => setParts(() => loaded));
    }, [parts]);
    if (parts === null) return null;
    const Component = pick(parts);
    return <Component {...props} />;
  };
}
