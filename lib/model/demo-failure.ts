import { APICallError } from "@ai-sdk/provider";
import type { DemoFailure } from "./demo-script";

/** What a real provider's package throws for each class (`fail <class>` in api.md, "The demo model"). */
export function demoFailure(failure: DemoFailure): APICallError {
  const common = { url: "demo://demo", requestBodyValues: {} };
  switch (failure) {
    case "overloaded":
      return new APICallError({ ...common, message: "Overloaded", statusCode: 529, isRetryable: true });
    case "rate-limit":
      return new APICallError({
        ...common,
        message: "Too many requests",
        statusCode: 429,
        responseHeaders: { "retry-after": "1" },
        isRetryable: true,
      });
    case "auth":
      return new APICallError({ ...common, message: "Invalid API key", statusCode: 401, isRetryable: false });
    case "cut":
      return new APICallError({
        ...common,
        message: "Failed to process successful response",
        statusCode: 200,
        cause: new Error("The socket was closed by the other side"),
        isRetryable: true,
      });
  }
}
