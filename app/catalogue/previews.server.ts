import { type SQL, sql } from "drizzle-orm";
import { expectOneChange, PreconditionFailed, runBatch } from "#app/db/batch.ts";
import type { PreviewFailure, ProductImage } from "#app/db/schema.ts";
import type { Condition } from "./catalogue-rules.ts";
import { shownCampus } from "./labels.ts";
import { type PhotoServices, storePreview } from "./photos.server.ts";
import { previewPhoto } from "./preview-rules.ts";
import { publicProductName } from "./public-listings.server.ts";

export interface PreviewServices extends PhotoServices {
  log(event: { event: string } & Record<string, unknown>): void;
}

const MINUTE_MS = 60_000;

/**
 * When a preview is tried again, ms after each try. A try that was cut off counts, too: nobody else makes the preview
 * during the first pause. After the last pause it is given up until the listing changes.
 */
const RETRY_MS = [5 * MINUTE_MS, 30 * MINUTE_MS, 3 * 60 * MINUTE_MS];

/** A preview that this worker makes: what it shows, as of `version`. */
interface Claim {
  productId: string;
  version: number;
  /** The picture that it replaces. */
  key: string | null;
  sellerId: string;
  name: string;
  price: number;
  originalPrice: number | null;
  condition: Condition;
  location: string;
  /** JSON. */
  images: string;
}

/** Makes the product's preview if it is due. Returns whether it was made. */
export async function makePreview(services: PreviewServices, productId: string): Promise<boolean> {
  const [claim] = await claimPreviews(services, sql`product_id = ${productId}`);
  return claim !== undefined && (await finishPreview(services, claim)) === "made";
}

/**
 * Makes up to `most` previews that are due, one after another, until `untilMs`. It stops when the pictures worker doesn't
 * work. Returns how many were made.
 */
export async function makeDuePreviews(
  services: PreviewServices,
  { most, untilMs }: { most: number; untilMs: number },
): Promise<number> {
  let made = 0;
  for (let tries = 0; tries < most && services.now() < untilMs; tries += 1) {
    const next = sql`product_id = (SELECT product_id FROM product_previews WHERE due_at <= ${services.now()} ORDER BY due_at LIMIT 1)`;
    const [claim] = await claimPreviews(services, next);
    if (!claim) break;
    const result = await finishPreview(services, claim);
    if (result === "unreachable") break;
    if (result === "made") made += 1;
  }
  return made;
}

/** Claims the previews of this condition that are due, and reads what they show. Nobody else gets them for a while. */
async function claimPreviews({ db, now }: PreviewServices, condition: SQL): Promise<Claim[]> {
  const at = now();
  const pauses = RETRY_MS.map((pause, tries) => sql`WHEN ${tries} THEN ${at + pause}`);
  const rows = await db.all<{ claim: string }>(sql`UPDATE product_previews
    SET attempts = attempts + 1, failure = ${"interrupted" satisfies PreviewFailure}, due_at = CASE attempts ${sql.join(pauses, sql` `)} END
    WHERE ${condition} AND due_at <= ${at}
    RETURNING (SELECT json_object('productId', p.id, 'version', product_previews.version, 'key', product_previews.key, 'sellerId', p.seller_id,
      'name', p.name, 'price', p.price, 'originalPrice', p.original_price, 'condition', p.condition, 'location', p.location, 'images', p.images)
      FROM products p WHERE p.id = product_previews.product_id) AS claim`);
  return rows.map(({ claim }) => JSON.parse(claim) as Claim);
}

/** `unreachable`: the pictures worker doesn't work, and the claim doesn't count as a try. */
async function finishPreview(services: PreviewServices, claim: Claim): Promise<"made" | "not_made" | "unreachable"> {
  const { name, price, originalPrice, condition } = claim;
  const [cover] = JSON.parse(claim.images) as ProductImage[];
  let bytes: Uint8Array<ArrayBuffer> | null;
  try {
    bytes = await services.pictures.drawPreview({
      name: publicProductName(name),
      price,
      originalPrice,
      condition,
      location: shownCampus(claim.location),
      photo: cover ? previewPhoto(cover) : null,
    });
  } catch (error) {
    await recordFailure(services, claim, { step: "drawing", error, countsAsTry: false });
    return "unreachable";
  }
  if (!bytes) {
    await recordFailure(services, claim, { step: "drawing", error: "can't be drawn", countsAsTry: true });
    return "not_made";
  }
  try {
    await publishPreview(services, claim, await storePreview(services, claim.sellerId, bytes));
    return "made";
  } catch (error) {
    // The listing has changed in the meantime, so another try is due already. The sweep removes the picture.
    if (error instanceof PreconditionFailed && !(await isCurrent(services, claim))) return "not_made";
    await recordFailure(services, claim, { step: "storage", error, countsAsTry: true });
    return "not_made";
  }
}

async function isCurrent({ db }: PreviewServices, { productId, version }: Claim): Promise<boolean> {
  const rows = await db.all(
    sql`SELECT 1 FROM product_previews WHERE product_id = ${productId} AND version = ${version}`,
  );
  return rows.length > 0;
}

/** A failure that doesn't count is tried again after the first pause, so that other listings come first. */
async function recordFailure(
  { db, log, now }: PreviewServices,
  { productId, version }: Claim,
  { step, error, countsAsTry }: { step: PreviewFailure; error: unknown; countsAsTry: boolean },
): Promise<void> {
  log({ event: "preview_failed", level: "error", productId, step, countsAsTry, error: String(error).slice(0, 200) });
  const again = countsAsTry ? sql`` : sql`, attempts = attempts - 1, due_at = ${now() + (RETRY_MS[0] ?? 0)}`;
  await db.run(
    sql`UPDATE product_previews SET failure = ${step}${again} WHERE product_id = ${productId} AND version = ${version}`,
  );
}

/** Shows the picture `key` in place of the earlier one, unless the listing has changed since it was read. */
async function publishPreview({ db, now }: PreviewServices, claim: Claim, key: string): Promise<void> {
  await runBatch(db, [
    sql`UPDATE product_previews SET key = ${key}, due_at = NULL, attempts = 0, failure = NULL
      WHERE product_id = ${claim.productId} AND version = ${claim.version}`,
    expectOneChange(),
    sql`UPDATE uploads SET attached_at = ${now()} WHERE key = ${key} AND removing_at IS NULL`,
    expectOneChange(),
    // Pages that name it may be cached for a minute, and chats may ask for it later. The sweep removes it after a day.
    sql`UPDATE uploads SET attached_at = NULL, created_at = ${now()} WHERE key = ${claim.key} AND key <> ${key}`,
  ]);
}
