import { feesAt, sellerFeesText } from "#app/catalogue/fees/fee-rules.ts";
import { confirmedFees } from "#app/catalogue/fees/fees.server.ts";
import { and, count, eq, isNull, sql } from "drizzle-orm";
import { read } from "#app/db/batch.ts";
import { asBoolean, build } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { hasPendingDocument } from "#app/accounts/member.server.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import { FACTS } from "#app/catalogue/facts/fact-table.ts";
import { mostUsedCategories } from "#app/catalogue/browse/browse.server.ts";

export interface ImportPage {
  /** The service fee that sellers pay, in words; null for none. */
  feeText: string | null;
  /** Whether the seller may import: a verified wholesaler may. missing: our team has no document to look at. */
  access: "verified" | "pending" | "missing" | "rejected" | "student";
  /** The number of the seller's listings. */
  listings: number;
  /** How many of them our team looks at before they are published. */
  held: number;
  /** The names of categories to choose from, the most used first. */
  categories: string[];
  /** The columns of facts. */
  facts: string[];
}

const CATEGORIES_SHOWN = 100;

/** What the page of imports shows. One round trip. */
export async function openImportPage({ db, now }: Store, sellerId: string): Promise<ImportPage> {
  const {
    person: [person],
    own: [own],
    offered,
    fees,
  } = await read(db, {
    fees: confirmedFees(),
    person: build
      .select({
        accountType: profiles.accountType,
        verification: profiles.verificationStatus,
        hasPending: asBoolean(hasPendingDocument(sellerId)),
      })
      .from(profiles)
      .where(eq(profiles.id, sellerId)),
    own: build
      .select({ count: count(), held: sql<number>`COUNT(${products.heldFor})` })
      .from(products)
      .where(and(eq(products.sellerId, sellerId), isNull(products.deletedAt))),
    offered: mostUsedCategories(CATEGORIES_SHOWN),
  });
  return {
    access: accessOf(person),
    feeText: sellerFeesText(feesAt(fees, now())),
    listings: own?.count ?? 0,
    held: own?.held ?? 0,
    categories: offered.map(({ name }) => name),
    facts: FACTS.map(({ label }) => label),
  };
}

function accessOf(
  person: { accountType: string; verification: "pending" | "approved" | "rejected"; hasPending: boolean } | undefined,
): ImportPage["access"] {
  if (person?.accountType !== "wholesaler") return "student";
  if (person.verification === "approved") return "verified";
  return person.verification === "pending" && !person.hasPending ? "missing" : person.verification;
}
