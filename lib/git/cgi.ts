import type { Readable } from "node:stream";

const MAX_HEAD_BYTES = 16_384;

/** The header block of a CGI answer (RFC 3875, section 6). */
export interface CgiHead {
  readonly status: number;
  /** Names in lower case, `Status` left out. */
  readonly headers: Readonly<Record<string, string>>;
  /** What came of the body together with the head. */
  readonly rest: Buffer;
}

/** Reads the header block of a CGI answer and leaves the stream paused at the body. Rejects when there is none. */
export async function readCgiHead(stdout: Readable): Promise<CgiHead> {
  let head = Buffer.alloc(0);
  while (true) {
    const bytes: Buffer | null = stdout.read();
    if (bytes !== null) {
      head = Buffer.concat([head, bytes]);
      const end = /\r?\n\r?\n/.exec(head.toString("latin1"));
      if (end !== null) return parse(head.toString("latin1", 0, end.index), head.subarray(end.index + end[0].length));
      if (head.length > MAX_HEAD_BYTES) throw new Error("no end of the CGI header");
      continue;
    }
    if (stdout.readableEnded || stdout.destroyed) throw new Error("no CGI answer");
    await new Promise<void>((resolve) => {
      const go = () => {
        stdout.off("readable", go).off("end", go).off("close", go);
        resolve();
      };
      stdout.on("readable", go).on("end", go).on("close", go);
    });
  }
}

function parse(text: string, rest: Buffer): CgiHead {
  const headers: Record<string, string> = {};
  let status = 200;
  for (const line of text.split(/\r?\n/)) {
    const [, name, value] = /^([A-Za-z-]+):\s*(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    if (name.toLowerCase() === "status") status = Number.parseInt(value, 10);
    else headers[name.toLowerCase()] = value;
  }
  return { status, headers, rest };
}
