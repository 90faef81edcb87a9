import { Markdown } from "@/components/markdown/markdown";

/** Text of the agent. */
export function TextPart({ text, live }: { text: string; live: boolean }) {
  return <Markdown text={text} live={live} />;
}
