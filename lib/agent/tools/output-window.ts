import { storableText } from "./text";

/**
 * Keeps the beginning and the end of a long output, in bounded memory. What matters stands at the two ends: what was
 * started, and how it ended.
 */
export class OutputWindow {
  readonly #decoder = new TextDecoder();
  readonly #headChars: number;
  readonly #tailChars: number;
  #head = "";
  #tail = "";
  #length = 0;

  constructor(maxChars: number) {
    this.#headChars = Math.floor(maxChars / 2);
    this.#tailChars = maxChars - this.#headChars;
  }

  /** Characters seen so far, kept or not. */
  get length(): number {
    return this.#length;
  }

  /** Takes bytes that may end within a character; returns what they decoded to. */
  append(bytes: Uint8Array): string {
    const text = this.#decoder.decode(bytes, { stream: true });
    this.#take(text);
    return text;
  }

  /** The output within `maxChars`, with a marker in the middle that says how much was left out. Ends the decoding. */
  render(maxChars: number): string {
    this.#take(this.#decoder.decode());
    // The tail holds all that follows the head as long as nothing had to be cut from it.
    const whole = this.#head.length + this.#tail.length === this.#length;
    if (whole && this.#length <= maxChars) return storableText(this.#head + this.#tail);
    const headChars = Math.min(this.#head.length, Math.floor(maxChars / 2));
    const tailChars = Math.min(this.#tail.length, maxChars - headChars);
    const omitted = this.#length - headChars - tailChars;
    const tail = tailChars === 0 ? "" : this.#tail.slice(-tailChars);
    return storableText(`${this.#head.slice(0, headChars)}\n[… ${omitted} characters left out …]\n${tail}`);
  }

  #take(text: string): void {
    this.#length += text.length;
    const room = this.#headChars - this.#head.length;
    this.#head += text.slice(0, Math.max(0, room));
    const rest = text.slice(Math.max(0, room));
    if (rest === "") return;
    this.#tail += rest;
    // Cut only when twice as long, so that many small pieces cost linear time.
    if (this.#tail.length > 2 * this.#tailChars) this.#tail = this.#tail.slice(-this.#tailChars);
  }
}
