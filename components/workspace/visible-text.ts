/** Characters that change how the text around them is read without being seen; tabs and the joiners of emoji are wanted. */
const UNSEEN = /(?!\t|\u200c|\u200d)[\p{Cc}\p{Cf}]/gu;

/** Text of a repository with its unseen characters spelled out, so that what is read is what is there. Pure. */
export function visibleText(text: string): string {
  return text.replaceAll(UNSEEN, (mark) => `⟦U+${mark.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}⟧`);
}
