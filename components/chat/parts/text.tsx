import { SafeMarkdown } from "@/components/markdown/safe-markdown";

/** Text of the agent. */
export function TextPart({ text, live }: { text: string; live: boolean }) {
  return text.trim() === "" ? null : <SafeMarkdown text={text} live={live} />;
}
