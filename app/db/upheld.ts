import { inArray, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { moderationCases } from "./schema.ts";
import type { CaseDecision } from "./states/moderation.ts";

const CASES = { u: alias(moderationCases, "u"), k: alias(moderationCases, "k") };

/** SQL: a case of this alias counts against the person (`isUpheld`). */
export function upheld(name: "u" | "k"): SQL {
  const { decision, appealGranted } = CASES[name];
  const done = ["removed", "warned", "suspended"] satisfies CaseDecision[];
  return sql`${inArray(decision, done).inlineParams()} AND ${appealGranted} IS NOT 1`;
}
