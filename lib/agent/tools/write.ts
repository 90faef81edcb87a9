import { z } from "zod";
import type { AgentTool } from "../tool";
import { defineTool } from "./define-tool";
import { failed, orFailure } from "./failures";
import { followLink } from "./follow-link";
import { displayPath, refuseWriteOutside, resolvePath } from "./paths";

const MAX_CONTENT_CHARS = 2_000_000;

const inputSchema = z.strictObject({
  path: z.string().min(1).describe("The file; relative to /workspace or absolute."),
  content: z.string().max(MAX_CONTENT_CHARS).describe("The whole new content of the file."),
});

/** Writes a whole file. Doing it twice is the same as doing it once. */
export const writeTool: AgentTool = defineTool<z.infer<typeof inputSchema>>({
  name: "write",
  description:
    "Writes a whole text file, making missing folders and replacing what was there. To change a part of a file use edit.",
  inputSchema,
  readOnly: false,
  eventName: "write",
  summarize: ({ path }) => `Wrote ${displayPath(path)}`,
  execute: ({ path, content }, context) =>
    orFailure(context, async () => {
      const target = await followLink(context, resolvePath(path));
      const refusal = refuseWriteOutside(target);
      if (refusal !== null) return refusal;
      const before = await context.provider.stat(context.sandboxId, target);
      if (before?.type === "directory")
        return failed("is_a_directory", `${target} is a folder. Name a file inside it.`);
      await context.provider.writeFile(context.sandboxId, target, content);
      return { ok: true, output: { path: target, sizeBytes: Buffer.byteLength(content), created: before === null } };
    }),
});
