import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const TICK_MS = 100;

/**
 * A server that speaks OpenAI's chat completions and says what time it is, ten times a second: whoever reads a word knows
 * how old it is, in milliseconds of this machine's clock.
 */
export async function startClockModel(words: number): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.url?.endsWith("/models")) {
      response.setHeader("content-type", "application/json").end(JSON.stringify({ data: [{ id: "clock" }] }));
      return;
    }
    response.setHeader("content-type", "text/event-stream");
    const send = (delta: object, finish: string | null) =>
      response.write(
        `data: ${JSON.stringify({
          ...{ id: "c", object: "chat.completion.chunk", created: 0, model: "clock" },
          choices: [{ index: 0, delta, finish_reason: finish }],
        })}\n\n`,
      );
    let said = 0;
    const timer = setInterval(() => {
      said += 1;
      if (said <= words) return void send({ role: "assistant", content: `${Date.now()} ` }, null);
      clearInterval(timer);
      send({}, "stop");
      response.end("data: [DONE]\n\n");
    }, TICK_MS);
    response.once("close", () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
