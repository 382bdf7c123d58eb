/** The demo campus's listings, and some with odd spellings, as rows of a test's database. */
import { env } from "cloudflare:workers";
import { readFacts } from "#app/catalogue/facts/listing-facts.ts";
import { recognizeType } from "#app/catalogue/types/recognize-type.ts";
import { KEPT_TABLE } from "#app/catalogue/types/type-table.ts";
import { ELECTRONICS, GADGETS } from "#scripts/seed/listings/tech.ts";
import { FURNITURE, KITCHEN, OTHER } from "#scripts/seed/listings/living.ts";
import { BEAUTY, FASHION, SERVICES, SPORTS } from "#scripts/seed/listings/people.ts";
import { STATIONERY, STUDY_MATERIALS, TEXTBOOKS } from "#scripts/seed/listings/study.ts";
import { followListings } from "./fixtures.ts";
import { MORE_LISTINGS } from "./searches.ts";

const LISTINGS = {
  textbooks: TEXTBOOKS,
  electronics: ELECTRONICS,
  stationery: STATIONERY,
  "study-materials": STUDY_MATERIALS,
  fashion: FASHION,
  gadgets: GADGETS,
  furniture: FURNITURE,
  kitchen: KITCHEN,
  sports: SPORTS,
  beauty: BEAUTY,
  services: SERVICES,
  other: OTHER,
};

/** Lists all of them for one seller. */
export async function insertDemoListings(sellerId: string): Promise<void> {
  const all = [
    ...Object.entries(LISTINGS).flatMap(([category, list]) => list.map((listing) => ({ ...listing, category }))),
    ...MORE_LISTINGS.map((listing) => ({ about: "", price: 1_000, condition: "good" as const, ...listing })),
  ];
  const insert = env.DB.prepare(
    `INSERT INTO products (id, name, description, category, status, price, condition, type, facts, seller_id,
      created_at, updated_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?11)`,
  );
  await env.DB.batch(
    all.map(({ name, category, about: description, status = "active", price, condition }, at) => {
      const type = recognizeType({ name, category }, KEPT_TABLE)?.type ?? null;
      return insert.bind(
        crypto.randomUUID(),
        name,
        description,
        category,
        status,
        price,
        condition,
        type,
        JSON.stringify(readFacts(name, type, KEPT_TABLE)),
        sellerId,
        at,
      );
    }),
  );
  await followListings();
}
