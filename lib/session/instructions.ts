import { buildInstructions } from "@/lib/agent/prompt";
import { loadAgentsMd } from "@/lib/agent/skills";
import { findChat, listTurnMessages } from "@/lib/chat/store";
import type { TurnRow } from "@/lib/chat/turn-store";
import type { Deps } from "@/lib/deps";
import { findSandbox, providerId } from "@/lib/sandbox/store";
import { SETUP_ENV } from "@/lib/sandbox/workspace";
import { findNewestStart } from "./start-store";
import { findSession } from "./store";

/** What the model of a turn is told about where it is and how to work; made anew from rows and files for each step. */
export async function makeInstructions(deps: Deps, turn: TurnRow): Promise<string> {
  const [session, sandbox, chat, start, asked] = await Promise.all([
    findSession(deps.db, turn.sessionId),
    findSandbox(deps.db, turn.sandboxId),
    findChat(deps.db, turn.chatId),
    findNewestStart(deps.db, turn.sessionId),
    listTurnMessages(deps.db, turn.id, "delivered"),
  ]);
  const found = session && chat ? await deps.models.find(session.userId, chat.model) : null;
  const id = sandbox ? providerId(sandbox) : "";
  const [agentsMd, setupEnv] = await Promise.all([
    loadAgentsMd(deps.provider, id).catch(() => null),
    deps.provider.stat(id, SETUP_ENV).catch(() => null),
  ]);
  return buildInstructions({
    repository: session?.repoUrl ?? undefined,
    branch: sandbox?.branch ?? undefined,
    baseBranch: session?.baseBranch ?? undefined,
    agentsMd,
    skills: (start?.skills ?? []).map((skill) => ({
      ...skill,
      description: skill.description ?? "",
      source: skill.source === "user" ? "user" : "repository",
    })),
    extraInstructions: session?.instructions ?? undefined,
    hasSetupEnv: setupEnv !== null,
    modelLabel: found?.info.label ?? chat?.model ?? "",
    notice: attachedFiles(asked.flatMap((message) => message.metadata.files ?? [])),
    today: new Date().toISOString().slice(0, 10),
  });
}

function attachedFiles(files: readonly string[]): string | undefined {
  return files.length === 0
    ? undefined
    : `The person attached these files to the message; they lie in the workspace:\n${files.map((file) => `- ${file}`).join("\n")}`;
}
