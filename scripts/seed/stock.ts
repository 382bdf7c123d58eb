import type { ProductImage } from "#app/db/product-image.ts";
import { factColumns } from "#app/catalogue/facts/listing-facts.ts";
import { recognizeType } from "#app/catalogue/types/recognize-type.ts";
import { KEPT_TABLE } from "#app/catalogue/types/type-table.ts";
import { dayOf, dayStart } from "#app/platform/east-africa-time.ts";
import { chanceOf, idOf } from "./chance.ts";
import { CONVERSATIONS } from "./conversations.ts";
import { DEALS } from "./deals.ts";
import type { CategoryId, Listing } from "./listings/listing.ts";
import { FURNITURE, KITCHEN, OTHER } from "./listings/living.ts";
import { BEAUTY, FASHION, SERVICES, SPORTS } from "./listings/people.ts";
import { STATIONERY, STUDY_MATERIALS, TEXTBOOKS } from "./listings/study.ts";
import { ELECTRONICS, GADGETS } from "./listings/tech.ts";
import { offerSettings } from "./offers.ts";
import { CAMPUSES, PEOPLE, type PersonName } from "./people.ts";
import { photosOf } from "./listing-photos.ts";
import { idOfPerson, NAMES } from "./residents.ts";
import { DAY, HOUR, MINUTE, type Row, type Rows } from "./rows.ts";
import { SHOPS } from "./shops.ts";
import type { Recipe } from "./studio.ts";
import { wholesaleColumns } from "./wholesale.ts";

export const LISTINGS: Record<CategoryId, Listing[]> = {
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

/** The recipes of each listing's photos, the cover first. */
export const LISTING_PHOTOS = new Map<Listing, Recipe[]>(
  Object.entries(LISTINGS).flatMap(([category, listings]) =>
    listings.map((listing): [Listing, Recipe[]] => [listing, photosOf(listing, category as CategoryId)]),
  ),
);

/** How far back the hand-written listings go, in ms. */
const SHOWCASE_AGE = 55 * DAY;

/** The newest listings, newest first: the first screen of the feed. */
const FRONT = [
  "Two-seater sofa, blue",
  "Adidas runners, size 41, mitumba",
  "MacBook Air 2017, 8 GB, 128 GB",
  "Potted money plant",
  "Electric guitar, beginner",
  "6 kg gas cooker (meko), full",
  "Mitumba denim jacket, grade A",
  "Casio digital-analogue watch",
  "Old high school revision books, free",
  "Sony WH-CH510 wireless headphones",
  "Black Mamba turned town bicycle",
  "Polarised sunglasses with case",
  "Chapati pan, cast iron",
  "White lab coat, size M",
];

/** A product row without optional fields, for later steps. */
export type Product = Required<Pick<Row<"products">, "id" | "name" | "price" | "sellerId" | "images">> &
  Row<"products">;

export interface Pictures {
  product(recipe: Recipe): ProductImage;
  banner(owner: PersonName): ProductImage;
  portrait(name: PersonName): ProductImage;
}

/** The hand-written listings, oldest first, because newer products must have higher rowids. */
export function stockProducts(now: number, pictures: Pictures): Product[] {
  const listed = interleave();
  const products = listed.map(({ listing, category }, at) =>
    stock(listing, category, now - ageOf(listing, at / listed.length), now, pictures),
  );
  return products.toSorted((one, other) => one.createdAt - other.createdAt);
}

/** The first listing of each category, then the second ones and so on, so that neighbours differ. */
function interleave(): { listing: Listing; category: CategoryId }[] {
  const placed = CATEGORIES.flatMap((category) => {
    const chance = chanceOf(`order of ${category}`);
    const list = chance.shuffle(LISTINGS[category]);
    return list.map((listing, at) => {
      const front = FRONT.indexOf(listing.name);
      const place = (at + chance.fraction()) / list.length;
      return { listing, category, place: front === -1 ? place : front - FRONT.length };
    });
  });
  return placed.toSorted((one, other) => one.place - other.place);
}

const CATEGORIES = Object.keys(LISTINGS).filter((category): category is CategoryId => category in LISTINGS);

/** The newest are minutes old. Listings with messages, orders or sales are older than this, in ms. */
function ageOf({ name, status, heldFor }: Listing, place: number): number {
  if (heldFor !== undefined) return 5 * HOUR;
  const natural = 11 * MINUTE + SHOWCASE_AGE * place ** 1.7;
  const mentions = [
    ...DEALS.filter((deal) => deal.lines.some(([line]) => line === name)).map((deal) => deal.hoursAgo),
    ...CONVERSATIONS.filter((conversation) => conversation.about === name).map(
      (conversation) => conversation.hoursAgo + 12,
    ),
    ...(status ? [200] : []),
  ];
  const known = Math.max(0, ...mentions) * HOUR;
  return known === 0 ? natural : Math.max(natural, known + 30 * HOUR + 5 * DAY * place);
}

function stock(listing: Listing, category: CategoryId, createdAt: number, now: number, pictures: Pictures): Product {
  const seller = sellerOf(listing, category);
  const images = (LISTING_PHOTOS.get(listing) ?? []).map((recipe) => pictures.product(recipe));
  const soldAt = soldHoursAgo(listing);
  const type = recognizeType({ name: listing.name, category }, KEPT_TABLE)?.type ?? null;
  const status = soldAt === null ? (listing.status ?? "active") : "sold";
  const born = Math.round(createdAt / MINUTE) * MINUTE;
  return {
    id: idOf(`product ${category} ${listing.name}`),
    name: listing.name,
    description: listing.about,
    price: listing.price,
    originalPrice: listing.was ?? null,
    imageUrl: images[0] ? `/files/${images[0].key}/${images[0].widths.at(-1)}.webp` : null,
    images,
    condition: listing.condition,
    stock: status === "active" ? piecesOf(listing) : 0,
    ...offerSettings(listing.name),
    ...wholesaleColumns(listing.name),
    location: CAMPUSES[PEOPLE[seller].campus],
    category: placeOf(category, type),
    type,
    ...factColumns({ name: listing.name, type }, {}, KEPT_TABLE),
    sellerId: idOfPerson(seller),
    status,
    soldAt: status === "sold" ? Math.max(born + HOUR, now - (soldAt ?? 20) * HOUR) : null,
    suspendedAt: listing.heldFor === undefined ? null : born,
    heldFor: listing.heldFor ?? null,
    deletedAt: null,
    createdAt: born,
    updatedAt: born,
  };
}

/** The lists are wider than the categories: what is in the list of electronics may be a phone. */
function placeOf(list: CategoryId, type: string | null): string {
  const category = KEPT_TABLE.types.get(type ?? "")?.category ?? list;
  return OWN_LISTS.has(category) ? list : category;
}

/** The categories that have a list of their own. */
const OWN_LISTS = new Set<string>(Object.keys(LISTINGS));

function piecesOf({ condition, pieces = condition === "new" ? null : 1 }: Listing): number | null {
  return pieces;
}

/** How many hours ago a used item was sold; null when it is still for sale. */
function soldHoursAgo(listing: Listing): number | null {
  if (listing.condition === "new") return null;
  const paid = DEALS.filter(
    (deal) =>
      (deal.payment === undefined || deal.payment === "paid_twice") &&
      deal.lines.some(([name]) => name === listing.name),
  );
  return paid.length === 1 && paid[0] ? paid[0].hoursAgo : null;
}

function sellerOf(listing: Listing, category: CategoryId): PersonName {
  if (listing.by) return listing.by;
  const chance = chanceOf(`seller of ${listing.name}`);
  const shops = SHOPS.filter((shop) => shop.sells.includes(category)).map((shop) => shop.owner);
  if (listing.condition === "new" && shops.length > 0) return chance.pick(shops);
  return chance.pick(NAMES.filter((name) => sellsPrivately(name)));
}

function sellsPrivately(name: PersonName): boolean {
  const { sells } = { sells: false, ...PEOPLE[name] };
  return sells && !SHOPS.some((shop) => shop.owner === name);
}

/** Shops, their followers, and the plans that feature some of them. */
export function openShops(now: number, pictures: Pictures): Rows {
  const shops = SHOPS.map((shop, at): Row<"shops"> => {
    const banner = pictures.banner(shop.owner);
    const createdAt = now - (92 - 4 * at) * DAY;
    return {
      id: idOfPerson(shop.owner),
      shopName: shop.name,
      description: shop.description,
      bannerUrl: `/files/${banner.key}/${banner.widths.at(-1)}.webp`,
      offersDelivery: shop.delivers,
      businessHours: shop.hours,
      policies: shop.policies,
      preferredContact: shop.contact,
      featuredUntil: featuredUntil(shop.owner, now),
      createdAt,
      updatedAt: createdAt + DAY,
      awayUntil: shop.owner === OWNER_ON_HOLIDAY ? dayStart(dayOf(now) + 6) : null,
    };
  });
  const shopFollows = NAMES.flatMap((name) => {
    const chance = chanceOf(`follows of ${name}`);
    const followed = chance.shuffle(SHOPS.filter((shop) => shop.owner !== name)).slice(0, 1 + chance.below(5));
    return followed.map((shop) => ({
      userId: idOfPerson(name),
      shopId: idOfPerson(shop.owner),
      createdAt: now - (1 + chance.below(28)) * DAY,
    }));
  });
  return { shops, shopFollows };
}

/** The seller who is on holiday. */
const OWNER_ON_HOLIDAY: PersonName = "joyce";

/** How many days a shop's plan still runs. */
export const FEATURED: Partial<Record<PersonName, number>> = { pro: 22, halima: 9, samson: 4 };

function featuredUntil(owner: PersonName, now: number): number | null {
  const days = FEATURED[owner];
  return days === undefined ? null : now + days * DAY;
}
