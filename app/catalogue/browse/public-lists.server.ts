import { eq, sql } from "drizzle-orm";
import { campusCalled } from "#app/accounts/profile/campus-rules.ts";
import { protectedText } from "#app/accounts/profile/protected-deal-rules.ts";
import { campusLocations } from "#app/accounts/tables.server.ts";
import { listCampusNames } from "#app/accounts/profile/campuses.server.ts";
import { read } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { type Category, categoryNamed, categoryRows, readCategories } from "./browse.server.ts";
import { displayCategory } from "#app/catalogue/labels.ts";
import { productRow } from "#app/catalogue/table-rows.server.ts";
import { type PublicListing, publicListingRows, readPublicListings } from "./public-listings.server.ts";

/** How many products a public page lists: the newest. */
export const PUBLIC_LIST_SIZE = 24;

/** How many campuses the front page shows: those with the newest listings. */
const FRONT_CAMPUSES = 6;

/**
 * How many products of a campus the front page shows, and how many of the newest are read to find some with a photo.
 */
const FRONT_LISTINGS = 4;
const FRONT_LOOKED_AT = 12;

/** How many categories it names. */
const FRONT_CATEGORIES = 10;

/** What the front page shows. */
export interface FrontPage {
  /** Those where something is for sale: their newest, those with a photo first. */
  campuses: { name: string; listings: PublicListing[] }[];
  /** The most used first. */
  categories: Category[];
}

/** The front page. Two round trips; the number of rows read is bounded for each campus. */
export async function openFrontPage(db: Database): Promise<FrontPage> {
  const names = await listCampusNames(db);
  const { counted, newest } = await read(db, {
    counted: categoryRows(FRONT_CATEGORIES),
    newest: names.map((name) => publicListingRows(eq(productRow.location, name), FRONT_LOOKED_AT)),
  });
  const campuses = names.map((name, at) => ({ name, rows: newest[at] ?? [] }));
  return {
    campuses: campuses
      .filter(({ rows }) => rows.length > 0)
      .toSorted((one, other) => (other.rows[0]?.createdAt ?? 0) - (one.rows[0]?.createdAt ?? 0))
      .slice(0, FRONT_CAMPUSES)
      .map(({ name, rows }) => ({
        name,
        listings: readPublicListings(rows)
          .toSorted((one, other) => Number(other.image !== null) - Number(one.image !== null))
          .slice(0, FRONT_LISTINGS),
      })),
    categories: readCategories(counted),
  };
}

/** The public page of a category or a campus. An `unknown` one lists what is new anywhere. */
export interface PublicList {
  state: "shown" | "unknown";
  /** A category's id, or text where it has none; a campus's name; empty when it is unknown. */
  key: string;
  /** For display. */
  name: string;
  listings: PublicListing[];
  /** The other categories, the most used first. */
  categories: Category[];
  /** The names of the other campuses. */
  campuses: string[];
}

/** A category by its id or its name. The number of rows read is bounded. */
export async function openPublicCategory(db: Database, idOrName: string): Promise<PublicList> {
  const found = categoryNamed(idOrName);
  const named = found.as("named");
  const ownId = build.select({ id: named.id }).from(named);
  const [
    campuses,
    {
      category: [category],
      listed,
      counted,
      newest,
    },
  ] = await Promise.all([
    listCampusNames(db),
    read(db, {
      category: found,
      listed: publicListingRows(sql`${productRow.category} = COALESCE(${ownId}, ${idOrName})`, PUBLIC_LIST_SIZE),
      counted: categoryRows(),
      newest: publicListingRows(undefined, PUBLIC_LIST_SIZE),
    }),
  ]);
  const listings = readPublicListings(listed);
  const others = readCategories(counted);
  // A category can be plain text that no row describes.
  if (!category && listings.length === 0) return unknownList(readPublicListings(newest), others, campuses);
  const key = category?.id ?? idOrName;
  const name = displayCategory(key, category?.name ?? null);
  return { state: "shown", key, name, listings, categories: others.filter(({ id }) => id !== key), campuses };
}

/** A campus by its name, in full or in short, or its slug. Two round trips; the number of rows read is bounded. */
export async function openPublicCampus(
  db: Database,
  called: string,
): Promise<PublicList & { protectedDeals: string | null }> {
  const known = await read(
    db,
    build
      .select()
      .from(campusLocations)
      .orderBy(sql`${campusLocations.name} COLLATE NOCASE`),
  );
  const campus = campusCalled(known, called);
  const name = campus?.name;
  const { listed, counted } = await read(db, {
    listed: publicListingRows(name ? eq(productRow.location, name) : undefined, PUBLIC_LIST_SIZE),
    counted: categoryRows(),
  });
  const listings = readPublicListings(listed);
  const categories = readCategories(counted);
  const campuses = known.map((other) => other.name).filter((other) => other !== name);
  if (!campus) return { ...unknownList(listings, categories, campuses), protectedDeals: null };
  const { name: key } = campus;
  return { state: "shown", key, name: key, listings, categories, campuses, protectedDeals: protectedText(campus) };
}

function unknownList(newest: PublicListing[], categories: Category[], campuses: string[]): PublicList {
  return { state: "unknown", key: "", name: "", listings: newest, categories, campuses };
}
