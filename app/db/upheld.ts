import { type SQL, sql } from "drizzle-orm";
import type { CaseDecision } from "./states/moderation.ts";

/** SQL: a case of alias `alias` counts against the person (`isUpheld`). */
export function upheld(alias: "u" | "k"): SQL {
  const done = ["removed", "warned", "suspended"] satisfies CaseDecision[];
  return sql.raw(
    `${alias}.decision IN (${done.map((decision) => `'${decision}'`).join(", ")}) AND ${alias}.appeal_granted IS NOT 1`,
  );
}
