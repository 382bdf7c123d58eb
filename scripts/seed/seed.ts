/**
 * Fills the local database with the demo campus: `node scripts/seed/seed.ts [--products N] [--state DIR] [--fresh]`.
 * `--fresh` deletes all local data first. Writes to local D1 and R2 only; no server may be running.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs, parseEnv } from "node:util";
import sharp from "sharp";
import { hashPassword } from "#app/accounts/login/passwords.server.ts";
import { alone } from "#scripts/alone.mjs";
import { runMain, CommandError } from "#scripts/command.ts";
import { migrateLocalDatabase, removeLocalData, whollyOrAnew } from "#scripts/database.ts";
import { root, stateFolder } from "#scripts/folders.ts";
import { BULK_INSERT, bulkChunks } from "./bulk.ts";
import { buildCampus } from "./campus.ts";
import { keepEarlierPayments } from "./earlier-payments.ts";
import { faceSvg } from "./faces.ts";
import type { PersonName } from "./people.ts";
import { AWAITING, cardKey, handInCards, NAMES } from "./residents.ts";
import type { Rows } from "./rows.ts";
import { SHOPS } from "./shops.ts";
import { LISTING_PHOTOS } from "./stock.ts";
import { type Local, openLocal, uploadPhotos, writeRows } from "./store.ts";
import { drawStudentCard } from "./student-card.ts";
import { type Photo, type Recipe, takePhoto, takePortrait } from "./studio.ts";

const PASSWORD = "campus-demo";
const PHOTOGRAPHERS = 4;
const TEN_MINUTES = 600_000;

/**
 * Fills an empty, migrated local database with the demo campus, and the public bucket with its pictures. `products` is
 * their total number: by default the hand-written ones, and never fewer.
 * @throws CommandError if there are users already, or a secret is missing
 */
export async function seedCampus({ products = 0 } = {}): Promise<void> {
  const passwordHash = await hashPassword(PASSWORD, readPepper());
  const local = await openLocal(stateFolder());
  try {
    await assertNoUsers(local);
    await whollyOrAnew(() => fill(local, passwordHash, products));
  } finally {
    await local.close();
  }
}

async function fill(local: Local, passwordHash: string, products: number): Promise<void> {
  const started = performance.now();
  const studio = await takePhotos();
  assertOwnCovers(studio);
  const portraits = await takePortraits();
  await uploadPhotos(local, [...studio.values(), ...portraits.values()]);
  const now = Math.floor(Date.now() / TEN_MINUTES) * TEN_MINUTES;
  const imageOf = (recipe: Recipe) => photoOf(studio, recipe).image;
  const campus = buildCampus({
    now,
    passwordHash,
    pictures: {
      product: imageOf,
      banner: (owner) => imageOf(bannerOf(owner)),
      portrait: (name) => photoOf(portraits, name).image,
    },
  });
  const { products: showcase, credentials, profiles, universityDomains, campusLocations, uploads, ...rest } = campus;
  await writeRows(local, { credentials, profiles, universityDomains, campusLocations });
  const extra = Math.max(0, products - showcase.length);
  for (const values of bulkChunks(extra, now, showcase))
    await local.database
      .prepare(BULK_INSERT)
      .bind(...values)
      .run();
  const cards = await handInStudentCards(local, now);
  await writeRows(local, {
    products: showcase,
    ...rest,
    ...cards,
    uploads: [...(uploads ?? []), ...(cards.uploads ?? [])],
  });
  keepEarlierPayments(stateFolder(), campus);
  console.log(
    `${(showcase.length + extra).toLocaleString("en")} listings by ${profiles?.length} people, in ${((performance.now() - started) / 1000).toFixed(1)} s.`,
  );
}

/** Puts the pending student IDs into the private bucket and returns their rows. */
async function handInStudentCards({ documents }: Local, now: number): Promise<Rows> {
  const sizes = new Map<PersonName, number>();
  for (const name of AWAITING) {
    const card = await drawStudentCard(name);
    sizes.set(name, card.length);
    await documents.put(cardKey(name, now), card, { httpMetadata: { contentType: "image/png" } });
  }
  return handInCards(now, sizes);
}

function readPepper(): string {
  const file = join(root, ".dev.vars");
  const pepper = existsSync(file) ? parseEnv(readFileSync(file, "utf8")).PASSWORD_PEPPER : undefined;
  if (!pepper) throw new CommandError("PASSWORD_PEPPER is missing: run npm start once, which makes .dev.vars.");
  return pepper;
}

async function assertNoUsers({ database }: Local): Promise<void> {
  const found = await database
    .prepare("SELECT 1 AS found FROM profiles LIMIT 1")
    .first()
    .catch((error: unknown) => {
      throw new CommandError(`The local database is not migrated. ${error instanceof Error ? error.message : ""}`);
    });
  if (found)
    throw new CommandError(
      "People live in this database already. Add --fresh to empty it first, with no server running.",
    );
}

function bannerOf(owner: string): Recipe {
  const shop = SHOPS.find((candidate) => candidate.owner === owner);
  if (!shop) throw new Error(`${owner} has no shop`);
  return shop.banner;
}

/** Every picture of the campus, by recipe. */
async function takePhotos(): Promise<Map<Recipe, Photo>> {
  const recipes: Recipe[] = [...[...LISTING_PHOTOS.values()].flat(), ...SHOPS.map((shop) => shop.banner)];
  const photos = new Map<Recipe, Photo>();
  const waiting = recipes.toReversed();
  const threads = sharp.concurrency();
  sharp.concurrency(1);
  async function work(): Promise<void> {
    for (let recipe = waiting.pop(); recipe; recipe = waiting.pop()) photos.set(recipe, await takePhoto(recipe));
  }
  await Promise.all(Array.from({ length: PHOTOGRAPHERS }, work));
  sharp.concurrency(threads);
  return photos;
}

/** Two recipes may look the same: a gray thing stays gray in any hue. */
function assertOwnCovers(photos: Map<Recipe, Photo>): void {
  const owners = new Map<string, string>();
  for (const [{ name }, [cover]] of LISTING_PHOTOS) {
    const key = cover ? photoOf(photos, cover).image.key : "";
    const owner = owners.get(key);
    if (owner !== undefined) throw new Error(`${name} and ${owner} have the same picture`);
    owners.set(key, name);
  }
}

async function takePortraits(): Promise<Map<PersonName, Photo>> {
  return new Map(
    await Promise.all(NAMES.map(async (name) => [name, await takePortrait(faceSvg(name))] as [PersonName, Photo])),
  );
}

function photoOf<Name>(photos: Map<Name, Photo>, name: Name): Photo {
  const photo = photos.get(name);
  if (!photo) throw new Error("a picture was not taken");
  return photo;
}

if (import.meta.main) {
  await runMain(async () => {
    const { values } = parseArgs({
      options: { products: { type: "string" }, state: { type: "string" }, fresh: { type: "boolean", default: false } },
    });
    if (values.state !== undefined) process.env.CHUONI_STATE = values.state;
    const products = Number(values.products ?? 0);
    if (!Number.isInteger(products) || products < 0) throw new CommandError("--products takes a whole number.");
    await alone(async () => {
      if (values.fresh) removeLocalData();
      await migrateLocalDatabase();
      await seedCampus({ products });
    });
  });
}
