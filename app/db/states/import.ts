import { predicates } from "./predicates.ts";

/** `listing_imports.state`. */
export const IMPORT_STATES = [
  /** Checked. Nothing is changed until the seller starts it. */
  "ready",
  "running",
  "done",
  "cancelled",
] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

export const IMPORT = predicates(IMPORT_STATES, {
  isReady: ["ready"],
  isRunning: ["running"],
  isOver: ["done", "cancelled"],
});

/** `listing_import_rows.state`. */
export const IMPORT_ROW_STATES = [
  "ready",
  /** It has errors, and is never imported. */
  "bad",
  /** Its listing says the same already. */
  "unchanged",
  "created",
  "updated",
  /** It was good when it was checked, and refused when it was imported. */
  "failed",
] as const;

export const IMPORT_ROW = predicates(IMPORT_ROW_STATES, {
  isReady: ["ready"],
  hasErrors: ["bad", "failed"],
});
