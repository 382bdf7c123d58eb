import { vi } from "vitest";

/** Waits until `check` passes. What goes on after an answer may take long on a busy machine. */
export function eventually<Result>(check: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(check, { timeout: 30_000 });
}
