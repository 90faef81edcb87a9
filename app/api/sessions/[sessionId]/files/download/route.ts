import { attachmentResponse } from "@/lib/http/attachment";
import { defineRoute } from "@/lib/http/define-route";
import { openDownload } from "@/lib/sandbox/download";
import { inSession } from "@/lib/session/service";

export const GET = defineRoute("downloadFile", ({ runtime, user, params, query, request }) =>
  inSession(runtime, user.id, params.sessionId ?? "", async (session) => {
    const download = await openDownload(runtime, session.sandboxId, query.path);
    return download.ok ? attachmentResponse(download.value, request.signal) : download;
  }),
);
