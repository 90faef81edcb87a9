import { EntityConflictError, RunExpiredError, TooEarlyError } from "@workflow/errors";
import { describe, expect, it } from "vitest";
import { createRunLog, type RunLog } from "./run-log";

const RUN = "wrun_1";
const STEP = "step_1";
const begin = { deploymentId: "dormouse", workflowName: "turn", input: new Uint8Array([1]) };
const specVersion = 2;

/** A log with one run that is under way. */
async function running(): Promise<RunLog> {
  const log = createRunLog();
  await log.events.create(RUN, { eventType: "run_created", specVersion, eventData: begin });
  await log.events.create(RUN, { eventType: "run_started", specVersion });
  return log;
}

const createStep = (log: RunLog) =>
  log.events.create(RUN, {
    eventType: "step_created",
    specVersion,
    correlationId: STEP,
    eventData: { stepName: "model", input: new Uint8Array([2]) },
  });
const step = (log: RunLog, eventType: "step_started" | "step_completed" | "step_failed", eventData = {}) =>
  log.events.create(RUN, {
    eventType,
    specVersion,
    correlationId: STEP,
    eventData: { stepName: "model", ...eventData },
  } as Parameters<RunLog["events"]["create"]>[1]);
const complete = (log: RunLog) =>
  log.events.create(RUN, { eventType: "run_completed", specVersion, eventData: { output: new Uint8Array([3]) } });
const types = async (log: RunLog) => (await log.events.list({ runId: RUN })).data.map((event) => event.eventType);

describe("the run log", () => {
  it("keeps the events of a run in order, and pages on from a cursor", async () => {
    const log = await running();
    const { cursor } = await log.events.list({ runId: RUN });
    await createStep(log);
    await step(log, "step_started");
    await step(log, "step_completed", { result: new Uint8Array([4]) });
    expect(await types(log)).toEqual(["run_created", "run_started", "step_created", "step_started", "step_completed"]);
    const rest = await log.events.list({ runId: RUN, pagination: { cursor: cursor ?? "" } });
    expect(rest.data.map((event) => event.eventType)).toEqual(["step_created", "step_started", "step_completed"]);
    const end = await log.events.list({ runId: RUN, pagination: { cursor: rest.cursor ?? "" } });
    expect(end).toEqual({ data: [], cursor: rest.cursor, hasMore: false });
  });

  it("begins a run from its first delivery when that overtakes run_created, and then only once", async () => {
    const log = createRunLog();
    const first = await log.events.create(RUN, { eventType: "run_started", specVersion, eventData: begin });
    expect(first.run).toMatchObject({ runId: RUN, status: "running", workflowName: "turn" });
    expect(first.event && "eventData" in first.event).toBe(false);
    await expect(log.events.create(RUN, { eventType: "run_created", specVersion, eventData: begin })).rejects.toThrow(
      EntityConflictError,
    );
    await log.events.create(RUN, { eventType: "run_started", specVersion, eventData: begin });
    expect(await types(log)).toEqual(["run_created", "run_started"]);
  });

  it("forgets a run that ended, and a late delivery does not begin it again", async () => {
    const log = await running();
    await createStep(log);
    expect(log.size()).toBe(1);
    expect((await complete(log)).run?.status).toBe("completed");
    expect(log.size()).toBe(0);
    for (const late of [
      () => log.events.create(RUN, { eventType: "run_started", specVersion, eventData: begin }),
      () => step(log, "step_started"),
      () => complete(log),
      () => log.runs.get(RUN),
    ])
      await expect(late()).rejects.toThrow(RunExpiredError);
    // The SDK lets go of a result only on a conflict; anything else it would deliver again.
    await expect(step(log, "step_completed", { result: new Uint8Array() })).rejects.toThrow(EntityConflictError);
  });

  it("does not know the runs of another process", async () => {
    const log = createRunLog();
    await expect(log.events.create(RUN, { eventType: "run_started", specVersion })).rejects.toThrow(RunExpiredError);
  });

  it("counts the attempts of a step, and ends it once", async () => {
    const log = await running();
    await createStep(log);
    await expect(createStep(log)).rejects.toThrow(EntityConflictError);
    expect((await step(log, "step_started")).step).toMatchObject({ status: "running", attempt: 1 });
    const started = (await step(log, "step_started")).step;
    expect(started).toMatchObject({ status: "running", attempt: 2 });
    expect((await step(log, "step_failed", { error: "no", stack: "at" })).step).toMatchObject({
      status: "failed",
      error: { message: "no", stack: "at" },
    });
    for (const type of ["step_started", "step_completed", "step_failed"] as const)
      await expect(step(log, type, { result: new Uint8Array() })).rejects.toThrow(EntityConflictError);
  });

  it("does not start a step before its time", async () => {
    const log = await running();
    await createStep(log);
    const retryAt = (ms: number) =>
      log.events.create(RUN, {
        eventType: "step_retrying",
        specVersion,
        correlationId: STEP,
        eventData: { stepName: "model", error: new Error("busy"), retryAfter: new Date(Date.now() + ms) },
      });
    expect((await retryAt(60_000)).step).toMatchObject({ status: "pending", error: { message: "busy" } });
    await expect(step(log, "step_started")).rejects.toThrow(TooEarlyError);
    await retryAt(-1);
    expect((await step(log, "step_started")).step).toMatchObject({ status: "running", retryAfter: undefined });
  });

  it("ends a wait once", async () => {
    const log = await running();
    const resumeAt = new Date();
    const wait = { specVersion, correlationId: "wait_1", eventData: { resumeAt } };
    await log.events.create(RUN, { eventType: "wait_created", ...wait });
    await expect(log.events.create(RUN, { eventType: "wait_created", ...wait })).rejects.toThrow(EntityConflictError);
    const over = await log.events.create(RUN, { eventType: "wait_completed", ...wait });
    expect(over.wait).toMatchObject({ status: "completed", resumeAt });
    await expect(log.events.create(RUN, { eventType: "wait_completed", ...wait })).rejects.toThrow(EntityConflictError);
  });
});
