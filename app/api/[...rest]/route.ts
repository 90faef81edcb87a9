import { defineRoute } from "@/lib/http/define-route";
import { notFound } from "@/lib/kernel/errors";
import { err } from "@/lib/kernel/result";

const nothing = defineRoute("unknown", async () => err(notFound("This address")));

export { nothing as DELETE, nothing as GET, nothing as PATCH, nothing as POST, nothing as PUT };
