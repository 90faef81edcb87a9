"use client";

import { CHAT_FIXTURES } from "@/components/chat/chat-fixtures";
import { Piece } from "@/components/gallery/piece";

export function Chat() {
  return CHAT_FIXTURES.map(({ name, element }) => (
    <Piece key={name} name={name}>
      {element}
    </Piece>
  ));
}
