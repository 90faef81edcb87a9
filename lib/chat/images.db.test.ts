import { describe, expect, test } from "vitest";
import { patchChat } from "@/lib/chat/service";
import { stopTurn } from "@/lib/chat/stop";
import { must } from "@/lib/testing/scene";
import {
  asked,
  CLAUDE,
  DONE,
  enterProviders,
  LOCAL,
  PNG,
  scene,
  server,
  turnRow,
  until,
} from "@/tests/fixtures/provider-scene";

enterProviders();

describe("images", () => {
  test("one for a model that cannot see is refused before anything is stored or paid", async () => {
    const session = await scene.ready({ title: "T", model: LOCAL });
    const refused = await scene.send(session, "Look.", "m1", ["shot.png"]);
    expect(refused).toMatchObject({ ok: false, error: { code: "unprocessable", details: { field: "files" } } });
    expect(refused.ok ? "" : refused.error.message).toContain("local-model");
    expect(server.requests).toHaveLength(0);
    expect(await scene.deps.query("SELECT 1 FROM messages WHERE chat_id = $1", [session.chatId])).toEqual([]);
    // The same message may be sent once more with another model.
    must(await patchChat(scene.deps, scene.deps.userId, session.chatId, { model: CLAUDE }));
    server.respond(DONE);
    must(await scene.send(session, "Look.", "m1", ["shot.png"]));
    await until(session, "completed");
  });

  test("one for a model that sees is shown to it", async () => {
    server.respond(DONE);
    const session = await scene.ready({ title: "T", model: CLAUDE });
    await scene.deps.provider.writeFile(session.providerId, "/workspace/shot.png", Buffer.from(PNG, "base64"));
    must(await scene.send(session, "Look.", "m2", ["shot.png"]));
    await until(session, "completed");
    expect(asked().at(-1)?.text).toContain(PNG);
  });

  test("what a provider would refuse is left out with a word, and an image goes by what it is and not by its name", async () => {
    server.respond(DONE);
    const session = await scene.ready({ title: "T", model: CLAUDE });
    const png = Buffer.from(PNG, "base64");
    const tall = Buffer.from(png);
    tall.writeUInt32BE(9_000, 20);
    const files = {
      "notes.png": Buffer.from("just words"),
      "huge.png": Buffer.concat([png, Buffer.alloc(3_700_000)]),
      "tall.png": tall,
      "named.jpg": png,
      "gone.png": null,
    };
    for (const [name, bytes] of Object.entries(files))
      if (bytes) await scene.deps.provider.writeFile(session.providerId, `/workspace/${name}`, bytes);
    must(await scene.send(session, "Look.", "m3", Object.keys(files)));
    await until(session, "completed");
    const text = asked().at(-1)?.text ?? "";
    expect(text.match(/"media_type":"[^"]*"/g)).toEqual(['"media_type":"image/png"']);
    expect(text).toContain("[The image notes.png is not shown: its content is not a whole PNG");
    expect(text).toContain("[The image huge.png is not shown: it is larger than 3.7 MB.]");
    expect(text).toContain("[The image tall.png is not shown: its 1 × 9000 pixels");
    expect(text).toContain("[The image gone.png is not shown: it could not be read.]");
  });

  test("when there is no room for all of them, the newest are shown", async () => {
    server.respond(DONE);
    const session = await scene.ready({ title: "T", model: CLAUDE });
    const names = ["one.png", "two.png", "three.png", "four.png"];
    const large = Buffer.concat([Buffer.from(PNG, "base64"), Buffer.alloc(3_500_000)]);
    for (const name of names) await scene.deps.provider.writeFile(session.providerId, `/workspace/${name}`, large);
    must(await scene.send(session, "Look.", "m4", names));
    await until(session, "completed");
    const text = asked().at(-1)?.text ?? "";
    expect(text.match(/"media_type":"[^"]*"/g)).toHaveLength(3);
    expect(text).toContain("[The image one.png is not shown: newer images");
  });

  test("one that cannot be read for a while does not keep Stop waiting", async () => {
    server.respond(DONE);
    const session = await scene.ready({ title: "T", model: CLAUDE });
    const back = Promise.withResolvers<void>();
    scene.deps.provider.faults.push({ op: "readFile", id: session.providerId, until: back.promise, times: 1000 });
    must(await scene.send(session, "Look.", "m5", ["shot.png"]));
    await scene.driver.settle(async () => (await turnRow(session)).state === "running");
    must(await stopTurn(scene.deps, scene.deps.userId, session.chatId));
    await until(session, "stopped");
    expect(asked()).toHaveLength(0);
    back.resolve();
  });
});
