import { EntityConflictError, RunExpiredError, TooEarlyError, WorkflowWorldError } from "@workflow/errors";
import {
  type AnyEventRequest,
  type Event,
  type EventResult,
  isTerminalStepStatus,
  SPEC_VERSION_CURRENT,
  type Step,
  type Storage,
  type Wait,
  type WorkflowRun,
} from "@workflow/world";

/** Ids of ended runs that are remembered, so that a late delivery does not begin one of them again. */
const REMEMBERED_ENDS = 10_000;

interface Entry {
  run: WorkflowRun;
  readonly events: Event[];
  readonly steps: Map<string, Step>;
  readonly waits: Map<string, Wait>;
}

export interface RunLog extends Storage {
  /** Runs that have not ended. */
  size(): number;
}

/**
 * What the SDK remembers of the runs of this process: an append-only list of events a run, with the run, its steps and its waits
 * as they follow from it. It lives as long as the process, like the queue that drives it, and a run is dropped when it ends: rows
 * are the truth, and the next process drives them anew (ADRs "Rows over runs", "A World of our own"). The rules of the
 * transitions are those that the SDK's `World` states for `events.create`; hooks are not used.
 */
export function createRunLog(): RunLog {
  const entries = new Map<string, Entry>();
  const ended = new Set<string>();
  let count = 0;

  function append(entry: Entry, data: AnyEventRequest): Event {
    count += 1;
    const { eventData, ...rest } = { eventData: undefined, ...data };
    const event = {
      ...rest,
      // The input of a run is kept with its first event only.
      ...(eventData === undefined || data.eventType === "run_started" ? {} : { eventData }),
      runId: entry.run.runId,
      eventId: `wevt_${String(count).padStart(16, "0")}`,
      createdAt: new Date(),
    } as Event;
    entry.events.push(event);
    return event;
  }

  function begin(runId: string, data: BeginData, specVersion: number | undefined): Entry {
    if (entries.has(runId) || ended.has(runId)) throw new EntityConflictError(`Workflow run "${runId}" already exists`);
    const now = new Date();
    const entry: Entry = {
      run: { ...data, runId, specVersion, status: "pending", createdAt: now, updatedAt: now },
      events: [],
      steps: new Map(),
      waits: new Map(),
    };
    entries.set(runId, entry);
    return entry;
  }

  function end(entry: Entry, change: Partial<WorkflowRun>): void {
    const now = new Date();
    entry.run = { ...entry.run, ...change, completedAt: now, updatedAt: now } as WorkflowRun;
    entries.delete(entry.run.runId);
    ended.add(entry.run.runId);
    if (ended.size > REMEMBERED_ENDS) ended.delete(ended.values().next().value ?? "");
  }

  function find(runId: string): Entry {
    const entry = entries.get(runId);
    if (!entry) throw new RunExpiredError(`Workflow run "${runId}" has ended, or belonged to another process`);
    return entry;
  }

  function create(runId: string, data: AnyEventRequest): EventResult {
    const specVersion = data.specVersion ?? SPEC_VERSION_CURRENT;
    switch (data.eventType) {
      case "run_created": {
        const entry = begin(runId, pick(data.eventData), specVersion);
        return { event: append(entry, data), run: entry.run };
      }
      case "run_started": {
        // The first delivery may overtake run_created and brings what is needed to begin.
        if (!entries.has(runId) && !ended.has(runId) && isComplete(data.eventData)) {
          const eventData = pick(data.eventData);
          append(begin(runId, eventData, specVersion), { eventType: "run_created", specVersion, eventData });
        }
        const entry = find(runId);
        if (entry.run.status === "running") return { run: entry.run };
        const now = new Date();
        entry.run = { ...entry.run, status: "running", startedAt: now, updatedAt: now } as WorkflowRun;
        return { event: append(entry, data), run: entry.run };
      }
      case "run_completed":
      case "run_failed":
      case "run_cancelled": {
        const entry = find(runId);
        const event = append(entry, data);
        if (data.eventType === "run_completed") end(entry, { status: "completed", output: data.eventData?.output });
        else if (data.eventType === "run_failed")
          end(entry, { status: "failed", error: { ...failure(data.eventData), code: data.eventData.errorCode } });
        else end(entry, { status: "cancelled" });
        return { event, run: entry.run };
      }
      case "step_created": {
        const entry = find(runId);
        if (entry.steps.has(data.correlationId)) throw new EntityConflictError(`Step "${data.correlationId}" exists`);
        const { stepName, input } = data.eventData;
        const now = new Date();
        const step: Step = {
          runId,
          stepId: data.correlationId,
          stepName,
          input,
          status: "pending",
          attempt: 0,
          createdAt: now,
          updatedAt: now,
          specVersion,
        };
        entry.steps.set(step.stepId, step);
        return { event: append(entry, data), step };
      }
      case "step_started": {
        find(runId);
        const { entry, step } = openStep(runId, data.correlationId);
        const waitMs = step.retryAfter ? step.retryAfter.getTime() - Date.now() : 0;
        if (waitMs > 0)
          throw new TooEarlyError(`Step "${step.stepId}" is tried again later`, {
            retryAfter: Math.ceil(waitMs / 1000),
          });
        const started = {
          status: "running",
          attempt: step.attempt + 1,
          startedAt: step.startedAt ?? new Date(),
        } as const;
        return { step: change(entry, step, { ...started, retryAfter: undefined }), event: append(entry, data) };
      }
      case "step_completed": {
        const { entry, step } = openStep(runId, data.correlationId);
        const completed = { status: "completed", output: data.eventData.result, completedAt: new Date() } as const;
        return { step: change(entry, step, completed), event: append(entry, data) };
      }
      case "step_failed": {
        const { entry, step } = openStep(runId, data.correlationId);
        const failed = { status: "failed", error: failure(data.eventData), completedAt: new Date() } as const;
        return { step: change(entry, step, failed), event: append(entry, data) };
      }
      case "step_retrying": {
        const { entry, step } = openStep(runId, data.correlationId);
        const { retryAfter } = data.eventData;
        const retrying = { status: "pending", error: failure(data.eventData), retryAfter } as const;
        return { step: change(entry, step, retrying), event: append(entry, data) };
      }
      case "wait_created": {
        const entry = find(runId);
        if (entry.waits.has(data.correlationId)) throw new EntityConflictError(`Wait "${data.correlationId}" exists`);
        const now = new Date();
        const wait: Wait = {
          waitId: `${runId}-${data.correlationId}`,
          runId,
          status: "waiting",
          resumeAt: data.eventData.resumeAt,
          createdAt: now,
          updatedAt: now,
          specVersion,
        };
        entry.waits.set(data.correlationId, wait);
        return { event: append(entry, data), wait };
      }
      case "wait_completed": {
        const entry = find(runId);
        const wait = entry.waits.get(data.correlationId);
        if (!wait) throw new WorkflowWorldError(`Wait "${data.correlationId}" not found`);
        if (wait.status === "completed") throw new EntityConflictError(`Wait "${data.correlationId}" is over`);
        const now = new Date();
        const over: Wait = { ...wait, status: "completed", completedAt: now, updatedAt: now };
        entry.waits.set(data.correlationId, over);
        return { event: append(entry, data), wait: over };
      }
      default:
        throw new WorkflowWorldError(`${data.eventType}: workflow hooks are not used here`);
    }
  }

  function openStep(runId: string, stepId: string): { entry: Entry; step: Step } {
    const entry = entries.get(runId);
    // A step outlives its run when that was given up; the SDK lets go of what it reports on a conflict.
    if (!entry) throw new EntityConflictError(`Workflow run "${runId}" has ended`);
    const step = entry.steps.get(stepId);
    if (!step) throw new WorkflowWorldError(`Step "${stepId}" not found`);
    if (isTerminalStepStatus(step.status)) throw new EntityConflictError(`Step "${stepId}" is ${step.status}`);
    return { entry, step };
  }

  const noHooks = () => Promise.reject(new WorkflowWorldError("workflow hooks are not used here"));
  const page = <T>(data: T[]) => ({ data, cursor: null, hasMore: false });

  return {
    size: () => entries.size,
    runs: {
      get: async (runId: string) => find(runId).run,
      list: async () => page([...entries.values()].map((entry) => entry.run)),
    } as Storage["runs"],
    steps: {
      get: async (runId: string, stepId: string) => openStep(runId, stepId).step,
      list: async ({ runId }: { runId: string }) => page([...find(runId).steps.values()]),
    } as Storage["steps"],
    events: {
      async create(runId: string | null, data: AnyEventRequest) {
        if (!runId) throw new WorkflowWorldError("A run brings its own id.");
        return create(runId, data);
      },
      async get(runId, eventId) {
        const event = find(runId).events.find((each) => each.eventId === eventId);
        if (!event) throw new WorkflowWorldError(`Event not found: ${eventId}`);
        return event;
      },
      async list({ runId, pagination }) {
        const after = pagination?.cursor ?? "";
        const data = find(runId).events.filter((event) => event.eventId > after);
        return { data, cursor: data.at(-1)?.eventId ?? (after || null), hasMore: false };
      },
      listByCorrelationId: async ({ correlationId }) =>
        page(
          [...entries.values()]
            .flatMap((entry) => entry.events)
            .filter((event) => event.correlationId === correlationId),
        ),
    },
    hooks: { get: noHooks, getByToken: noHooks, list: async () => page([]) },
  };
}

type BeginData = Extract<AnyEventRequest, { eventType: "run_created" }>["eventData"];
type StartData = Extract<AnyEventRequest, { eventType: "run_started" }>["eventData"];

function pick({ deploymentId, workflowName, input, executionContext }: BeginData): BeginData {
  return { deploymentId, workflowName, input, executionContext };
}

function isComplete(data: StartData): data is BeginData {
  return Boolean(data?.deploymentId && data.workflowName && data.input !== undefined);
}

function change(entry: Entry, step: Step, values: Partial<Step>): Step {
  const changed = { ...step, ...values, updatedAt: new Date() };
  entry.steps.set(step.stepId, changed);
  return changed;
}

function failure(data: { error?: unknown; stack?: string | undefined }): { message: string; stack?: string } {
  const thrown = (typeof data.error === "string" ? { message: data.error } : (data.error ?? {})) as Partial<Error>;
  const stack = data.stack ?? thrown.stack;
  return { message: thrown.message ?? "Unknown error", ...(stack === undefined ? {} : { stack }) };
}
