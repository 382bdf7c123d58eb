/** A small campus with one of everything that a user can own, for tests of permissions. */
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { storeDocument } from "#app/accounts/trust/documents.server.ts";
import { storePhoto } from "#app/catalogue/photos/photos.server.ts";
import { discrepancies } from "#app/payments/tables.server.ts";
import { issueReports, orderItems } from "#app/orders/tables.server.ts";
import { moderationCases } from "#app/moderation/tables.server.ts";
import { problems } from "#app/deals/tables.server.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { applyAttemptEvent } from "#app/payments/collect/settlement.server.ts";
import { cheapHash } from "./accounts.ts";
import { db, makeProduct, makeUser, orderedOne, quietServices, readAttempts, servicesAt } from "./fixtures.ts";

export const ROLES = [
  "visitor",
  "incomplete",
  "buyer",
  "otherBuyer",
  "seller",
  "otherSeller",
  "wholesaler",
  "admin",
  "support",
  "finance",
  "suspended",
] as const;
export type Role = (typeof ROLES)[number];
export type People = Record<Role, string | null>;

export async function makePeople(): Promise<People> {
  const [incomplete, buyer, otherBuyer, seller, otherSeller, wholesaler, admin, support, finance, suspended] =
    await Promise.all([
      makeUser({ name: "", phone: null }),
      makeUser(),
      makeUser(),
      makeUser({ phone: "254722000050" }),
      makeUser({ phone: "254722000051" }),
      makeUser(),
      makeUser(),
      makeUser(),
      makeUser(),
      makeUser(),
    ]);
  await env.DB.batch([
    // A session alone may not set a first password.
    env.DB.prepare("UPDATE credentials SET password_hash = ?").bind(cheapHash()),
    env.DB.prepare("UPDATE profiles SET campus_location = NULL WHERE id = ?").bind(incomplete),
    env.DB.prepare("UPDATE profiles SET is_seller = 1 WHERE id IN (?, ?, ?)").bind(seller, otherSeller, wholesaler),
    env.DB.prepare("UPDATE profiles SET account_type = 'wholesaler' WHERE id = ?").bind(wholesaler),
    env.DB.prepare("UPDATE profiles SET admin_role = 'owner' WHERE id = ?").bind(admin),
    env.DB.prepare("UPDATE profiles SET admin_role = 'support' WHERE id = ?").bind(support),
    env.DB.prepare("UPDATE profiles SET admin_role = 'finance' WHERE id = ?").bind(finance),
    env.DB.prepare("UPDATE credentials SET suspended_at = 1 WHERE id = ?").bind(suspended),
    env.DB.prepare("INSERT INTO shops (id, shop_name, created_at, updated_at) VALUES (?1, 'Otieno Books', 1, 1)").bind(
      seller,
    ),
  ]);
  return {
    visitor: null,
    incomplete,
    buyer,
    otherBuyer,
    seller,
    otherSeller,
    wholesaler,
    admin,
    support,
    finance,
    suspended,
  };
}

/** What belongs to the buyer, the seller and the wholesaler of `people`. */
export interface Things {
  productId: string;
  /** Of the seller. */
  photoKey: string;
  /** Of the problem that the buyer reported. */
  privatePhotoKey: string;
  orderId: string;
  unpaidOrderId: string;
  itemId: string;
  checkoutRequestId: string;
  documentId: string;
  issueId: string;
  /** An open case about the seller. */
  caseId: string;
  /** Of a decision about the seller. */
  appealToken: string;
  discrepancyId: string;
}

async function placed(buyer: string, productId: string): Promise<string> {
  // One buyer orders for every row of the tables, which is more than a person may in a day.
  await env.DB.batch([
    env.DB.prepare("DELETE FROM rate_counters WHERE key LIKE '%' || ?").bind(buyer),
    env.DB.prepare("UPDATE orders SET created_at = created_at - 86400000 WHERE user_id = ?").bind(buyer),
  ]);
  return orderedOne(buyer, productId);
}

export async function makeThings(people: People): Promise<Things> {
  const { buyer, seller, wholesaler } = people;
  if (!buyer || !seller || !wholesaler) throw new Error("people are missing");
  const productId = await makeProduct(seller);
  const photo = await storePhoto(servicesAt(), seller, {
    variants: [{ picture: { kind: "webp", width: 1280, height: 400 }, bytes: new TextEncoder().encode(productId) }],
    tone: "#aaaaaa",
    thumbhash: "",
  });
  if (!photo.ok) throw new Error("no photo");
  const orderId = await placed(buyer, productId);
  const phone = `2547${Math.floor(10_000_000 + Math.random() * 89_000_000)}`;
  await requestOrderPayment(quietServices(), { orderId, userId: buyer, phone: `${phone.slice(0, 10)}77` });
  const [attempt] = await readAttempts(orderId);
  if (!attempt?.checkoutRequestId) throw new Error("no payment request");
  await applyAttemptEvent(servicesAt(), attempt.id, {
    event: "paid",
    receipt: crypto.randomUUID().replaceAll("-", "").slice(0, 10).toUpperCase(),
    paidAt: null,
    checkoutRequestId: attempt.checkoutRequestId,
  });
  const unpaidOrderId = await placed(buyer, productId);
  const [item] = await db.select({ id: orderItems.id }).from(orderItems).where(eq(orderItems.orderId, orderId));
  if (!item) throw new Error("no item");
  const { documentId } = await storeDocument(servicesAt(), wholesaler, {
    documentType: "business_license",
    fileName: "a.pdf",
    kind: "pdf",
    bytes: new TextEncoder().encode("%PDF-1.7"),
  });
  const problemPhoto = await storePhoto(
    servicesAt(),
    buyer,
    {
      variants: [{ picture: { kind: "webp", width: 640, height: 480 }, bytes: new TextEncoder().encode(item.id) }],
      tone: "#aaaaaa",
      thumbhash: "",
    },
    "documents",
  );
  if (!problemPhoto.ok) throw new Error("no photo of the problem");
  await db.insert(problems).values({
    orderItemId: item.id,
    kind: "damaged",
    description: "The lid is broken",
    photos: [problemPhoto.image.key],
    openedAt: Date.now(),
  });
  const [issueId, discrepancyId] = [crypto.randomUUID(), crypto.randomUUID()];
  await db.insert(issueReports).values({
    id: issueId,
    userId: buyer,
    sellerId: seller,
    productId,
    orderId,
    description: "It never came",
    createdAt: Date.now(),
  });
  await db
    .insert(discrepancies)
    .values({ id: discrepancyId, kind: "test", subject: discrepancyId, detail: "x", createdAt: Date.now() });
  const [caseId, decidedId, appealToken] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  const [now, about] = [Date.now(), { subject: "person", reportedId: seller } as const];
  const times = { createdAt: now, updatedAt: now };
  await db.insert(moderationCases).values([
    { id: caseId, ...about, subjectId: caseId, appealToken: caseId, ...times },
    {
      id: decidedId,
      ...about,
      subjectId: decidedId,
      state: "decided",
      decision: "warned",
      statement: "You sent advertising.",
      decidedAt: now,
      appealToken,
      ...times,
    },
  ]);
  return {
    productId,
    photoKey: photo.image.key,
    privatePhotoKey: problemPhoto.image.key,
    orderId,
    unpaidOrderId,
    itemId: item.id,
    checkoutRequestId: attempt.checkoutRequestId,
    documentId,
    issueId,
    discrepancyId,
    caseId,
    appealToken,
  };
}
