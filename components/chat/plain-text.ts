// biome-ignore-all lint/suspicious/noControlCharactersInRegex: taking control characters out is what this file is for
/**
 * What a terminal would have done with this output, as far as plain text can show it: colours, titles and links of
 * escape sequences are gone, a line that was written over shows what was written last. The text of a link that an
 * escape sequence made stays; where it would lead does not.
 */
export function terminalText(text: string): string {
  if (!NEEDS_WORK.test(text)) return text;
  return text
    .replace(STRING_SEQUENCE, "")
    .replace(CONTROL_SEQUENCE, "")
    .replace(SHORT_SEQUENCE, "")
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => line.slice(line.replace(/\r+$/, "").lastIndexOf("\r") + 1).replace(/\r+$/, ""))
    .join("\n")
    .replace(OTHER_CONTROLS, "");
}

const NEEDS_WORK = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
/** OSC, DCS, APC and PM: up to BEL or ST; one that is cut off goes to the end of its line. */
const STRING_SEQUENCE =
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?/g;
/** CSI: colours, movement of the cursor. */
const CONTROL_SEQUENCE = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?/g;
const SHORT_SEQUENCE = /\u001b[ -/]*[0-~]?/g;
const OTHER_CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** Names characters that change the direction of what follows, so that a file cannot pretend to be another. */
export function showDirection(text: string): string {
  return text.replace(/[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g, (mark) => {
    return `[U+${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`;
  });
}
