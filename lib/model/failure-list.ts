/** Why a model step failed, as one closed list; the turn decides by the class, never by a provider's message. docs/models.md has the table. */
export const MODEL_FAILURE_CLASSES = [
  "overloaded",
  "rate_limit",
  "auth",
  "quota",
  "context_too_long",
  "content_filter",
  "cut",
  "no_finish",
  "garbage",
  "bad_arguments",
  "unknown_tool",
  "length",
  "unknown_model",
  "config",
  "stopped",
  "unknown",
] as const;
export type ModelFailureClass = (typeof MODEL_FAILURE_CLASSES)[number];

export interface FailureEntry {
  /** What happened, for a person. Holds no secret: provider messages, which may quote a key, are not part of it. */
  readonly message: string;
  /** Whether the same call may succeed later without anybody changing anything. */
  readonly retryable: boolean;
  /** What the person can do when it does not help itself; empty when there is nothing to do. */
  readonly advice: string;
}

export const MODEL_FAILURES: Readonly<Record<ModelFailureClass, FailureEntry>> = {
  overloaded: {
    message: "The model provider is overloaded.",
    retryable: true,
    advice: "Send a message to try again later, or choose another model.",
  },
  rate_limit: {
    message: "The model provider limits how often it may be asked.",
    retryable: true,
    advice: "Send a message to try again later, or choose another model.",
  },
  auth: {
    message: "The model provider refused the credentials.",
    retryable: false,
    advice: "Check the API key in Settings, then send a message to go on.",
  },
  quota: {
    message: "The account at the model provider has no credit left.",
    retryable: false,
    advice: "Add credit there or choose another model, then send a message to go on.",
  },
  context_too_long: {
    message: "The conversation is longer than the model can take in, even condensed.",
    retryable: false,
    advice: "Choose a model with a larger context, or start a new chat in this session.",
  },
  content_filter: {
    message: "The model provider's content filter stopped the answer.",
    retryable: false,
    advice: "Say it in other words, or choose another model.",
  },
  cut: {
    message: "The connection to the model provider broke.",
    retryable: true,
    advice: "Send a message to try again.",
  },
  no_finish: {
    message: "The model provider's answer ended without saying that it was complete.",
    retryable: true,
    advice: "Send a message to try again, or choose another model.",
  },
  garbage: {
    message: "The model provider sent an answer that could not be read.",
    retryable: true,
    advice: "Check the provider's address in Settings, or choose another model.",
  },
  bad_arguments: {
    message: "The model called a tool with input that could not be read.",
    retryable: true,
    advice: "",
  },
  unknown_tool: { message: "The model called a tool that does not exist.", retryable: true, advice: "" },
  length: {
    message: "The answer reached the model's output limit and was cut short.",
    retryable: false,
    advice: "Send “go on” to let it continue.",
  },
  unknown_model: {
    message: "The model provider does not know this model.",
    retryable: false,
    advice: "Choose another model, then send a message to go on.",
  },
  config: {
    message: "No configured provider has this model.",
    retryable: false,
    advice: "Add its key in Settings or choose another model, then send a message to go on.",
  },
  stopped: { message: "Stopped.", retryable: false, advice: "" },
  unknown: {
    message: "The model provider failed.",
    retryable: false,
    advice: "Send a message to try again, or choose another model.",
  },
};
