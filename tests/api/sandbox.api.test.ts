import { describe, expect, test } from "vitest";
import { z } from "zod";
import { transitionView } from "@/lib/sandbox/contract";
import type { CreateSessionView } from "@/lib/session/contract";
import { outputOf, toolParts, turnOf } from "./client";
import { poll } from "./poll";
import { api, expectError } from "./subject";

const transitions = z.looseObject({
  transitions: z.array(transitionView),
  nextCursor: z.string().nullable().optional(),
});

async function log(sessionId: string) {
  return (await api.read(`/api/sessions/${sessionId}/sandbox/transitions`, transitions)).transitions;
}

const hibernate = (made: CreateSessionView, body: unknown = {}) =>
  api.post(`/api/sessions/${made.session.id}/sandbox/hibernate`, body);
const resume = (made: CreateSessionView) => api.post(`/api/sessions/${made.session.id}/sandbox/resume`);

describe("hibernate and resume", () => {
  test("keep files, modes, links, git index and stash; processes are gone; both are idempotent", async () => {
    const made = await api.ready({});
    await api.turn(
      made.chat.id,
      [
        "$ mkdir -p a/b && echo deep > a/b/c.txt && chmod 750 a/b/c.txt && ln -s b/c.txt a/link && echo tracked > t.txt",
        "$ git add t.txt && git stash push -q && echo staged > s.txt && git add s.txt && echo more >> s.txt",
        "$ echo home > ~/kept && (setsid sleep 3000 >/dev/null 2>&1 &) && git status --porcelain > /tmp/before",
      ].join("\n"),
    );
    const slept = await api.asleep(made.session.id);
    expect(slept.snapshot).toMatchObject({ id: expect.any(String), sizeBytes: expect.any(Number) });
    expect(slept.hibernateAt).toBeNull();
    const twice = await hibernate(made);
    expect(twice.status).toBe(202);
    expect(twice.body).toMatchObject({ state: "hibernated" });

    const answer = await resume(made);
    expect(answer.status, answer.text).toBe(202);
    await api.sandboxIn(made.session.id, "active");
    expect((await resume(made)).body).toMatchObject({ state: "active" });
    const turn = await api.turn(
      made.chat.id,
      [
        "$ cat a/link; stat -c '%a %F' a/b/c.txt; readlink a/link; git stash list; git diff --cached --name-only; git diff --name-only",
        "$ cat ~/kept; pgrep -x sleep | wc -l",
      ].join("\n"),
    );
    const [files, rest] = toolParts(turn.message).map(outputOf);
    expect(files).toContain("deep");
    expect(files).toContain("750 regular file");
    expect(files).toContain("b/c.txt");
    expect(files).toContain("stash@{0}");
    expect(files).toMatch(/s\.txt\\ns\.txt/);
    expect(rest).toMatch(/home\\n\s*0/);
  });

  test("write every transition to the log, versions without a gap, newest first", async () => {
    const made = await api.ready({});
    await api.asleep(made.session.id);
    await resume(made);
    await api.sandboxIn(made.session.id, "active");
    const rows = await log(made.session.id);
    expect(rows.map(({ to }) => to).reverse()).toEqual([
      "provisioning",
      "active",
      "hibernating",
      "hibernated",
      "restoring",
      "active",
    ]);
    const versions = rows.map(({ version }) => version);
    expect(versions).toEqual([...versions].sort((a, b) => b - a));
    expect((versions[0] ?? 0) - (versions.at(-1) ?? 0)).toBe(versions.length - 1);
    for (const [index, row] of rows.slice(0, -1).entries()) expect(row.from).toBe(rows[index + 1]?.to);
    const page = await api.read(`/api/sessions/${made.session.id}/sandbox/transitions?limit=2`, transitions);
    expect(page.transitions).toEqual(rows.slice(0, 2));
  });
});

describe("reading never wakes", () => {
  test("a sleeping sandbox: every GET and the stream leave it asleep", async () => {
    const made = await api.ready({ prompt: "$ echo x > kept.txt" });
    await api.finished(made.chat.id, made.message?.metadata.turnId ?? "");
    await api.asleep(made.session.id);
    const before = await log(made.session.id);
    const root = `/api/sessions/${made.session.id}`;
    for (const path of [
      root,
      `${root}/start`,
      `${root}/sandbox`,
      `${root}/sandbox/transitions`,
      `${root}/chats`,
      `${root}/files`,
      `${root}/files/content?path=kept.txt`,
      `${root}/diff`,
      `${root}/diff?scope=uncommitted`,
      `/api/chats/${made.chat.id}`,
      `/api/chats/${made.chat.id}/messages`,
      "/api/sessions",
    ]) {
      expect([200, 409], path).toContain((await api.get(path)).status);
    }
    await api.post(`/api/chats/${made.chat.id}/read`);
    await api.post(`${root}/sandbox/activity`);
    await api.history(made.chat.id);
    expect(await log(made.session.id)).toEqual(before);
    expect((await api.sandbox(made.session.id)).state).toBe("hibernated");
  });
});

describe("a message to a sleeping sandbox", () => {
  test("wakes it and is answered", async () => {
    const made = await api.ready({});
    await api.turn(made.chat.id, "write kept.txt: still here");
    await api.asleep(made.session.id);
    const turn = await api.turn(made.chat.id, "$ cat kept.txt");
    expect(turn.state).toBe("completed");
    expect(outputOf(toolParts(turn.message)[0])).toContain("still here");
    expect((await api.sandbox(made.session.id)).state).toBe("active");
  });

  test("sent while it falls asleep is answered too", async () => {
    const made = await api.ready({});
    expect((await hibernate(made)).status).toBe(202);
    const turn = await api.turn(made.chat.id, "say awake again");
    expect(turn.state).toBe("completed");
    expect(turn.text).toContain("awake again");
  });
});

describe("busy", () => {
  test("hibernate is 409 while a turn runs, and with force stops the turn first", async () => {
    const made = await api.ready({});
    const sent = await api.send(made.chat.id, "$ sleep 30");
    await api.collect(made.chat.id, (event) => event.kind === "action" && event.name === "run", { after: 0 });
    expect((await api.sandbox(made.session.id)).busy).toBe(true);
    expect((await api.sandbox(made.session.id)).hibernateAt).toBeNull();
    expectError(await hibernate(made), 409, "busy");
    const forced = await hibernate(made, { force: true });
    expect(forced.status, forced.text).toBe(202);
    expect((await api.finished(made.chat.id, sent.turn.id)).state).toBe("stopped");
    await api.sandboxIn(made.session.id, "hibernated");
  });
});

describe("the idle timeout", () => {
  test("of two seconds puts an idle sandbox to sleep by itself, and says when it would", async () => {
    const made = await api.ready({ idleTimeoutSeconds: 2 });
    const slept = await api.sandboxIn(made.session.id, "hibernated");
    expect(slept.snapshot).not.toBeNull();
    const rows = await log(made.session.id);
    expect(rows.find(({ to }) => to === "hibernating")?.reason ?? "").toMatch(/idle/i);
  });

  test("does not run while a turn runs, however long its command", async () => {
    const made = await api.ready({ idleTimeoutSeconds: 2 });
    const turn = await api.turn(made.chat.id, "$ sleep 6; echo survived");
    expect(turn.state).toBe("completed");
    expect(outputOf(toolParts(turn.message)[0])).toContain("survived");
    expect((await log(made.session.id)).some(({ at, to }) => to === "hibernating" && at < turnEnd(turn.events))).toBe(
      false,
    );
    await api.sandboxIn(made.session.id, "hibernated");
  });

  test("is pushed back by an activity call, not by looking", async () => {
    const made = await api.ready({ idleTimeoutSeconds: 3600 });
    const first = (await api.sandbox(made.session.id)).hibernateAt ?? "";
    expect(Date.parse(first)).toBeGreaterThan(Date.now() + 3_500_000);
    await api.messages(made.chat.id);
    expect((await api.sandbox(made.session.id)).hibernateAt).toBe(first);
    const pushed = await poll(
      async () => {
        expect((await api.post(`/api/sessions/${made.session.id}/sandbox/activity`)).status).toBe(202);
        return (await api.sandbox(made.session.id)).hibernateAt ?? "";
      },
      (at) => at > first,
      { what: "a later hibernateAt" },
    );
    expect(pushed > first).toBe(true);
  });

  function turnEnd(events: { at: string }[]): string {
    return events.find((event) => turnOf(event as never)?.state === "completed")?.at ?? "";
  }
});

describe("the status that pages poll", () => {
  test("is made from rows: quick, and complete in every state", async () => {
    const made = await api.create({});
    expect(["provisioning", "active"]).toContain((await api.sandbox(made.session.id)).state);
    await api.started(made.session.id);
    const active = await api.sandbox(made.session.id);
    expect(active).toMatchObject({ state: "active", wanted: "awake", busy: false, error: null });
    const session = (await api.get(`/api/sessions/${made.session.id}`)).body as { session: { sandboxState: string } };
    expect(session.session.sandboxState).toBe("active");
  });

  test("shows the ports of dev servers, which come back after sleep", async () => {
    const made = await api.ready({});
    await api.turn(
      made.chat.id,
      "$ mkdir -p site && cd site && echo served > index.html && (setsid python3 -m http.server 8123 >/dev/null 2>&1 || setsid node -e \"require('http').createServer((q,r)=>r.end('served')).listen(8123)\" >/dev/null 2>&1) & sleep 1",
    );
    const seen = await poll(
      () => api.sandbox(made.session.id),
      ({ ports }) => ports.some(({ port }) => port === 8123),
      { what: "port 8123" },
    );
    expect(seen.ports.find(({ port }) => port === 8123)?.command).toMatch(/8123|http/);
    await api.asleep(made.session.id);
    await resume(made);
    await api.sandboxIn(made.session.id, "active");
    const turn = await api.turn(
      made.chat.id,
      "$ for i in $(seq 50); do curl -s --noproxy '*' http://127.0.0.1:8123/ && break; sleep 0.2; done",
    );
    expect(outputOf(toolParts(turn.message)[0])).toContain("served");
  });
});
