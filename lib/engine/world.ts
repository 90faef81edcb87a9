import { SPEC_VERSION_CURRENT, type World } from "@workflow/world";
import type { EngineQueue } from "./queue";
import { createRunLog } from "./run-log";

/** Steps that may run at a time in one process; a running command holds one (design.md, section 8). */
export const CONCURRENCY = 256;

/**
 * A World of our own: runs and their queue live in this process and end with it; rows are what lasts. Left out is what the SDK's
 * own Worlds bring besides: job queues that keep the jobs of dead workers, streams (we have our own table), hooks.
 */
export function createWorld(queue: EngineQueue): World {
  const unused = () => Promise.reject(new Error("workflow streams are not used; see lib/chat/stream-store.ts"));
  return {
    specVersion: SPEC_VERSION_CURRENT,
    ...createRunLog(),
    queue: queue.queue,
    createQueueHandler: queue.createQueueHandler,
    getDeploymentId: queue.getDeploymentId,
    writeToStream: unused,
    closeStream: async () => {},
    readFromStream: unused,
    listStreamsByRunId: async () => [],
    getStreamChunks: unused,
    getStreamInfo: unused,
    async start() {},
  };
}
