import { expect, inject } from "vitest";
import { type Answer, Client } from "./client";

/** The shared server of the suite, as its owner. */
export const api = new Client(inject("main").url, inject("main").token);

/** The same server, as somebody else. */
export const other = new Client(inject("main").url, inject("main").otherToken);

interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  readonly requestId: string;
  readonly details?: Record<string, unknown>;
}

/** Checks status and shape of an error answer (api.md, "Errors") and gives the error. */
export function expectError(answer: Answer, status: number, code?: string): ErrorBody {
  expect(answer.status, answer.text).toBe(status);
  const body = answer.body as { error: ErrorBody };
  expect(Object.keys(body)).toEqual(["error"]);
  const { error } = body;
  expect(typeof error.code).toBe("string");
  expect(error.message.length).toBeGreaterThan(0);
  expect(typeof error.retryable).toBe("boolean");
  expect(error.requestId.length).toBeGreaterThan(0);
  if (code !== undefined) expect(error.code).toBe(code);
  return error;
}
