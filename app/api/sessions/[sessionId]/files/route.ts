import { defineRoute } from "@/lib/http/define-route";
import { readUploads } from "@/lib/http/uploads";
import { listFolder, uploadFiles } from "@/lib/sandbox/files";
import { inRunningSession, inSession } from "@/lib/session/service";

export const GET = defineRoute("listFiles", ({ runtime, user, params, query }) =>
  inSession(runtime, user.id, params.sessionId ?? "", (session) => listFolder(runtime, session.sandboxId, query.path)),
);

export const POST = defineRoute("uploadFiles", ({ runtime, user, params, query, request }) =>
  inRunningSession(runtime, user.id, params.sessionId ?? "", async (session) => {
    const form = await readUploads(request, runtime.env.uploadMaxBytes);
    return form.ok ? uploadFiles(runtime, session.sandboxId, form.value.folder ?? query.path, form.value.files) : form;
  }),
);
