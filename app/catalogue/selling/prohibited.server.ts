import { build } from "#app/db/build.ts";
import { prohibitedTerms } from "#app/catalogue/tables.server.ts";

/** The query for what may not be sold. Read its rows with `readList`. */
export const PROHIBITED_TERMS = build
  .select({ kind: prohibitedTerms.kind, term: prohibitedTerms.term })
  .from(prohibitedTerms)
  .orderBy(prohibitedTerms.term);
