import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { getTableColumns } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { nameError } from "#app/accounts/trust/name-rules.ts";
import { readPhone } from "#app/accounts/profile/phone.ts";
import { RATED_FROM } from "#app/accounts/trust/rating-rules.ts";
import { RELIABLE_FROM } from "#app/accounts/trust/reliability-rules.ts";
import { ITEM } from "#app/db/states/item.ts";
import { CASE_SUBJECTS } from "#app/db/states/moderation.ts";
import * as schema from "#scripts/tables.ts";
import { guideText, priceGuide } from "#app/screens/price-guide/price-guide-rules.ts";
import { BULK_INSERT, bulkChunks } from "#scripts/seed/bulk.ts";
import { buildCampus } from "#scripts/seed/campus.ts";
import { earlierPayments } from "#scripts/seed/earlier-payments.ts";
import { LOOKS } from "#scripts/seed/looks.ts";
import { SHOPS } from "#scripts/seed/shops.ts";
import { LISTING_PHOTOS, LISTINGS } from "#scripts/seed/stock.ts";
import { objectFile, type Recipe } from "#scripts/seed/studio.ts";

const now = Date.UTC(2026, 10, 21, 9);

function imageOf(of: Recipe | string) {
  return {
    key: `img/${createHash("sha256").update(JSON.stringify(of)).digest("hex").slice(0, 32)}`,
    width: 800,
    height: 1000,
    widths: [320, 800],
    tone: "#e8d9b8",
    thumbhash: "3OcRJYB4d3h/iIeHeEh3eIhw",
  };
}

function build() {
  return buildCampus({
    now,
    passwordHash: "scrypt$1$1$1$c2FsdA$a2V5",
    pictures: { product: imageOf, banner: imageOf, portrait: imageOf },
  });
}

const campus = build();

it("is known to the sandbox: each payment and payout that counts", () => {
  const { payments, payouts } = earlierPayments(campus);
  expect(payments).toHaveLength((campus.paymentAttempts ?? []).filter(({ state }) => state === "succeeded").length);
  expect(payouts).toHaveLength((campus.payouts ?? []).filter(({ state }) => state === "done").length);
  expect(Math.min(payments.length, payouts.length)).toBeGreaterThan(10);
  expect(
    payments.filter(({ receipt, reference }) => !/^[A-Z0-9]{10} (ORD|PLN)[0-9A-F]{8}$/.test(`${receipt} ${reference}`)),
  ).toEqual([]);
});

describe("the demo campus", () => {
  it("is the same every time", () => {
    expect(build()).toEqual(campus);
  });

  it("sells about 240 things or more, in every category, with words of their own", () => {
    expect(campus.products.length).toBeGreaterThanOrEqual(240);
    expect(
      Object.entries(LISTINGS)
        .filter(([, listings]) => listings.length < 12)
        .map(([category]) => category),
    ).toEqual([]);
    const descriptions = campus.products.map((product) => product.description);
    expect(new Set(descriptions).size).toBe(descriptions.length);
    expect(descriptions.filter((description) => description.length < 30 || description.length > 400)).toEqual([]);
    expect(campus.products.filter((product) => product.name.trim() === "" || product.images.length === 0)).toEqual([]);
  });

  it("has only names that its people could type", () => {
    const names = (campus.profiles ?? []).flatMap(({ fullName, campusLocation }) => [fullName, campusLocation]);
    const shops = Object.values(campus.shops ?? []).map(({ shopName }) => shopName);
    const refused = [
      ...names.filter((name) => name && nameError(name, "person")),
      ...shops.filter((name) => name && nameError(name, "shop")),
    ];
    const listings = campus.products.map(({ name }) => name).filter((name) => nameError(name, "listing"));
    expect([refused, listings]).toEqual([[], []]);
  });

  it("shows what a used calculator usually goes for", () => {
    const casios = campus.products.filter(({ name }) => name.startsWith("Casio fx-991ES Plus"));
    const sales = (campus.orderItems ?? []).flatMap((item) => {
      const thing = casios.find(({ id }) => id === item.productId);
      const order = campus.orders?.find(({ id }) => id === item.orderId);
      if (!thing || !order || item.status !== "completed") return [];
      const { sellerId, pricePerUnit: price, paidAt } = item;
      const phones = { payerPhone: order.phoneNumber ?? null, payeePhone: null };
      return { name: thing.name, facts: thing.facts ?? {}, sellerId, buyerId: order.userId, ...phones, price, paidAt };
    });
    const [thing] = casios;
    const guide = priceGuide(
      { name: thing?.name ?? "", facts: thing?.facts ?? {}, isBook: false },
      sales.map((sale) => ({ ...sale, paidAt: sale.paidAt ?? 0 })),
      now,
    );
    expect(guide && guideText(guide, now)).toBe("Usually goes for KES 1,650 to 1,850 · last one last week");
  });

  it("gives everybody a phone that the payment sandbox treats as ordinary", () => {
    const phones = (campus.profiles ?? []).map(({ phone }) => phone ?? "");
    expect(new Set(phones).size).toBe(40);
    for (const phone of phones) expect(readPhone(phone)).toEqual({ ok: true, phone });
    expect(phones.filter((phone) => Number(phone.slice(-2)) < 20)).toEqual([]);
  });

  it("has a case about a thing of each kind but replies, and the reported review is published", () => {
    const cases = campus.moderationCases ?? [];
    expect(cases.map(({ subject }) => subject).toSorted()).toEqual(
      CASE_SUBJECTS.filter((subject) => subject !== "reply").toSorted(),
    );
    const reported = cases.find(({ subject }) => subject === "review")?.subjectId;
    expect(campus.reviews?.find(({ id }) => id === reported)).toMatchObject({ publishedAt: expect.any(Number) });
  });

  it("has the six demo accounts, of which the newcomer has no profile", () => {
    const profileOf = (email: string) => campus.profiles?.find((profile) => profile.email === email);
    const confirmed = (campus.credentials ?? [])
      .filter((account) => (account.emailConfirmedAt ?? now) < now)
      .map((account) => account.email);
    expect(confirmed).toEqual(
      expect.arrayContaining(
        ["buyer", "seller", "pro", "wholesaler", "admin", "newcomer"].map((name) => `${name}@campus.test`),
      ),
    );
    expect(profileOf("newcomer@campus.test")).toBeUndefined();
    expect(profileOf("pro@campus.test")).toMatchObject({ isPro: true, isSeller: true });
    expect(profileOf("admin@campus.test")?.adminRole).toBe("owner");
    expect(profileOf("wholesaler@campus.test")?.accountType).toBe("wholesaler");
    expect(campus.wholesalerCodes?.find(({ code }) => code === "CAMPUS23")?.isUsed ?? false).toBe(false);
    for (const { code } of campus.wholesalerCodes ?? []) expect(code).toMatch(/^[A-Z0-9]{8}$/);
  });

  it("shows an order in every state to its buyer and its seller", () => {
    const of = (email: string) => campus.profiles?.find((profile) => profile.email === email)?.id;
    const bought = campus.orders?.filter((order) => order.userId === of("buyer@campus.test")) ?? [];
    expect(new Set(bought.map((order) => order.paymentStatus ?? "pending"))).toEqual(
      new Set(["pending", "failed", "completed"]),
    );
    const sold = campus.orderItems?.filter((item) => item.sellerId === of("seller@campus.test")) ?? [];
    expect(
      new Set(sold.map((item) => `${item.status} ${Number(item.buyerContacted)}${Number(item.buyerAgreed)}`)),
    ).toEqual(
      new Set([
        "pending_payment 00",
        "processing 00",
        "processing 10",
        "processing 11",
        "shipped 11",
        "delivered 11",
        "completed 11",
      ]),
    );
  });

  const published = (campus.reviews ?? []).filter(({ publishedAt }) => publishedAt != null);

  it("has rated shops, reviews of buyers, replies, and a review that waits for the other side", () => {
    const counts = new Map<string, number>();
    for (const { subjectId } of published.filter(({ subjectRole }) => subjectRole === "seller"))
      counts.set(subjectId, (counts.get(subjectId) ?? 0) + 1);
    expect([...counts.values()].filter((count) => count >= RATED_FROM).length).toBeGreaterThanOrEqual(3);
    expect(published.some(({ subjectRole }) => subjectRole === "buyer")).toBe(true);
    expect(published.some(({ reply }) => reply != null)).toBe(true);
    expect((campus.reviews ?? []).some(({ publishedAt }) => publishedAt == null)).toBe(true);
  });

  it("has a review with a photo, a held listing, a seller on holiday, accepted meetings and one seller's answer time", () => {
    expect(published.some(({ photos }) => photos !== undefined && photos.length > 0)).toBe(true);
    expect(campus.products.some(({ heldFor, suspendedAt }) => heldFor !== null && suspendedAt !== null)).toBe(true);
    expect(campus.shops?.some(({ awayUntil }) => awayUntil != null && awayUntil > now)).toBe(true);
    const tomorrow = campus.meetings?.filter(({ state, startsAt }) => state === "accepted" && startsAt > now) ?? [];
    expect(tomorrow.length).toBeGreaterThan(0);
    for (const { orderItemId } of tomorrow)
      expect(ITEM.isMeetable(campus.orderItems?.find(({ id }) => id === orderItemId)?.status ?? "expired")).toBe(true);
    const starters = new Map<string, string>();
    for (const { thread, senderId } of campus.messages ?? []) if (!starters.has(thread)) starters.set(thread, senderId);
    const brian = campus.profiles?.find(({ email }) => email === "seller@campus.test")?.id ?? "";
    const asked = [...starters].filter(([thread, starter]) => thread.includes(brian) && starter !== brian);
    expect(asked.length).toBeGreaterThanOrEqual(RELIABLE_FROM);
  });

  it("keeps the first eight characters of its ids apart", () => {
    const ids = Object.values(campus).flatMap((rows) =>
      rows.flatMap((row) =>
        "id" in row && typeof row.id === "string" && "createdAt" in row && !("shopName" in row) && !("fullName" in row)
          ? [row.id]
          : [],
      ),
    );
    expect(ids.length).toBeGreaterThan(500);
    expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("leaves no payment open that a job would act on", () => {
    const live = campus.paymentAttempts?.filter(
      (attempt) => attempt.nextQueryAt !== null || !["succeeded", "failed"].includes(attempt.state ?? ""),
    );
    expect(live).toEqual([]);
    expect(campus.payouts?.filter((payout) => payout.nextActionAt !== null || payout.state !== "done")).toEqual([]);
    const receipts = [
      ...(campus.paymentAttempts ?? []).flatMap(({ receipt }) => receipt ?? []),
      ...(campus.payouts ?? []).flatMap(({ receipt }) => receipt ?? []),
    ];
    expect(new Set(receipts).size).toBe(receipts.length);
    for (const receipt of receipts) expect(receipt).toMatch(/^[A-Z]{2}[0-9A-Z]{8}$/);
  });

  it("has a timer that ends each deal that is open, and a history of every deal", () => {
    for (const item of campus.orderItems ?? []) {
      const status = item.status ?? "pending_payment";
      const timers = campus.dealTimers?.filter(({ orderItemId }) => orderItemId === item.id) ?? [];
      expect(timers.some(({ dueAt }) => dueAt > now)).toBe(ITEM.isHeld(status));
      const events = campus.dealEvents?.filter(({ orderItemId }) => orderItemId === item.id) ?? [];
      expect(events.length > 0).toBe(ITEM.isSold(status));
    }
  });
});

describe("its books", () => {
  const entries = campus.ledgerEntries ?? [];
  const balance = (account: string) =>
    entries.filter((entry) => entry.account === account).reduce((sum, entry) => sum + entry.amount, 0);
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);

  it("balance in every transaction", () => {
    const transactions = new Map<string, number>();
    for (const entry of entries)
      transactions.set(entry.transactionId, (transactions.get(entry.transactionId) ?? 0) + entry.amount);
    expect(transactions.size).toBeGreaterThan(20);
    expect([...transactions].filter(([, total]) => total !== 0)).toEqual([]);
  });

  it("agree with orders, payouts and refunds", () => {
    const paidOrders = new Set(
      campus.orders?.filter((order) => order.paymentStatus === "completed").map(({ id }) => id),
    );
    const held = (campus.orderItems ?? []).filter(
      (item) => paidOrders.has(item.orderId) && item.status !== "completed",
    );
    expect(-balance("escrow")).toBe(sum(held.map((item) => item.subtotal)));
    expect(balance("mpesa_collection")).toBe(
      sum((campus.paymentAttempts ?? []).filter(({ state }) => state === "succeeded").map(({ amount }) => amount)),
    );
    expect(-balance("mpesa_payout_float")).toBe(sum((campus.payouts ?? []).map(({ amount }) => amount)));
    expect(balance("seller_payable")).toBe(0);
    expect(-balance("refunds_due")).toBe(sum((campus.refunds ?? []).map(({ amount }) => amount)));
  });

  it("hold the price of each item until its deal is over", () => {
    for (const item of campus.orderItems ?? []) {
      const escrow = entries.filter(({ account, orderItemId }) => account === "escrow" && orderItemId === item.id);
      const held = ITEM.isHeld(item.status ?? "pending_payment") ? item.subtotal : 0;
      expect(sum(escrow.map(({ amount }) => amount)) + held).toBe(0);
    }
  });
});

describe("its pictures", () => {
  const recipes: [string, Recipe][] = [
    ...[...LISTING_PHOTOS].flatMap(([{ name }, photos]) => photos.map((photo): [string, Recipe] => [name, photo])),
    ...SHOPS.map((shop): [string, Recipe] => [shop.name, shop.banner]),
  ];

  it("show objects that exist", () => {
    const missing = recipes.flatMap(([name, recipe]) =>
      recipe.things
        .filter(({ object }) => !object.startsWith("<svg") && !existsSync(objectFile(object)))
        .map(({ object }) => `${name}: ${object}`),
    );
    expect(missing).toEqual([]);
  });

  it("are a listing's own, and are two to four", () => {
    const covers = campus.products.map(({ images }) => images[0]?.key);
    expect(new Set(covers).size).toBe(campus.products.length);
    for (const { name, images } of campus.products) {
      expect([name, new Set(images.map(({ key }) => key)).size]).toEqual([name, images.length]);
      expect([name, images.length >= 2 && images.length <= 4]).toEqual([name, true]);
    }
  });

  it("look as they do because of a listing that is there", () => {
    const names = new Set(campus.products.map(({ name }) => name));
    expect([...LOOKS.keys()].filter((name) => !names.has(name))).toEqual([]);
  });
});

describe("products in bulk", () => {
  const chunks = [...bulkChunks(12_000, now, campus.products)];
  const rows = chunks.flatMap(([list]): [string, number, number, number, string, string, number, number][] =>
    JSON.parse(list),
  );

  it("are the same every time, oldest first, with ids apart in their first eight characters", () => {
    expect([...bulkChunks(12_000, now, campus.products)]).toEqual(chunks);
    expect(rows.length).toBe(12_000);
    expect(new Set(rows.map(([id]) => id.slice(0, 8))).size).toBe(12_000);
    const times = rows.map((row) => row[7]);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(times.at(-1)).toBeLessThan(campus.products[0]?.createdAt ?? 0);
  });

  it("fit the limits of a statement and name real columns", () => {
    for (const values of chunks) for (const value of values) expect(Buffer.byteLength(value)).toBeLessThan(2_000_000);
    const named = /INSERT INTO products \(([^)]+)\)/.exec(BULK_INSERT)?.[1]?.split(/,\s+/) ?? [];
    const known = Object.keys(getTableColumns(schema.products)).map((key) =>
      key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    );
    expect(named.filter((column) => !known.includes(column))).toEqual([]);
  });
});
