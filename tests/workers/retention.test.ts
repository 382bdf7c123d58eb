/** The sweep deletes each row of the table of retention periods when its time has come, and not before. */
import { eq, getTableColumns } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { write } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { emailTokens, endedSessions, uploads, verificationDocuments } from "#app/accounts/tables.server.ts";
import { findDocument, storeDocument } from "#app/accounts/trust/documents.server.ts";
import { moderationCases } from "#app/moderation/tables.server.ts";
import { sendReport } from "#app/moderation/reports/report.server.ts";
import { foundListings, missedSearches, stolenSerials } from "#app/catalogue/tables.server.ts";
import { listingDays } from "#app/upkeep/tables.server.ts";
import { mpesaLists, paymentCallbacks, probes } from "#app/payments/tables.server.ts";
import { notifications, pushSubscriptions } from "#app/notifications/tables.server.ts";
import { outbox, rateCounters, writeMarks } from "#app/db/tables.server.ts";
import { adminClaims } from "#app/team/tables.server.ts";
import { dayOf } from "#app/platform/east-africa-time.ts";
import { RETENTION, type SweptName } from "#app/platform/retention-rules.ts";
import { db, makeProduct, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { runSweep, SWEEPERS } from "#workers/jobs/sweep.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const NOW = Date.now();

interface Row {
  table: SQLiteTable;
  values: Record<string, unknown>;
}

/**
 * A row that came to its end at `at`, ms. Evidence needs a case, and is tested in evidence.test.ts. Of a document only
 * the file goes.
 */
type Make = (at: number, id: string, people: { userId: string; otherId: string; productId: string }) => Row;

const ROWS: Record<Exclude<SweptName, "checked_documents" | "evidence">, Make> = {
  emails: (at, id) => ({
    table: outbox,
    values: { id, topic: "mail", dedupeKey: id, payload: "{}", availableAt: at, doneAt: at, createdAt: at },
  }),
  found_listings: (at, id, { userId, otherId, productId }) => ({
    table: foundListings,
    values: {
      userId: id === "old" ? userId : otherId,
      productId,
      reason: "shop",
      price: 1,
      told: 1,
      waitsSince: null,
      createdAt: at,
    },
  }),
  notifications: (at, id, { userId }) => ({
    table: notifications,
    values: { userId, kind: "plan_ended", data: { plan: "x", planId: "x" }, thing: null, key: id, createdAt: at },
  }),
  listing_days: (at, _id, { userId, productId }) => ({
    table: listingDays,
    // A day counts as a whole.
    values: { day: dayOf(at), sellerId: userId, productId, views: 1, messages: 0 },
  }),
  pulled_lists: (at, id) => ({
    table: mpesaLists,
    values: {
      id,
      source: "pull",
      account: "collection",
      fromAt: at,
      untilAt: at,
      equal: 0,
      learned: 0,
      missingHere: 0,
      missingThere: 0,
      different: 0,
      ignored: 0,
      sentBy: null,
      createdAt: at,
    },
  }),
  ended_sessions: (at, id) => ({ table: endedSessions, values: { id, endedAt: at } }),
  links: (at, id, { userId }) => ({
    table: emailTokens,
    values: { id, tokenHash: id, userId, purpose: "confirmation", expiresAt: at, createdAt: at },
  }),
  stolen_reports: (at, id, { userId }) => ({
    table: stolenSerials,
    values: { id, reporterId: userId, hash: id, ending: "7518", text: "x", photos: [], createdAt: at, endedAt: at },
  }),
  unknown_callbacks: (at, id) => ({
    table: paymentCallbacks,
    values: { id, kind: "push", token: "x", body: "", receivedAt: at, appliedAt: at, outcome: "unknown_token" },
  }),
  missed_searches: (at, id) => ({ table: missedSearches, values: { words: id, count: 2, lastAt: at } }),
  missed_once: (at, id) => ({ table: missedSearches, values: { words: id, count: 1, lastAt: at } }),
  counters: (at, id) => ({ table: rateCounters, values: { key: id, windowStart: at, count: 1 } }),
  documents: (at, id, { userId }) => ({
    table: uploads,
    values: { key: `d/${id}`, ownerId: userId, bucket: "documents", createdAt: at },
  }),
  photos: (at, id, { userId }) => ({
    table: uploads,
    values: {
      key: `p/${id}`,
      ownerId: userId,
      bucket: "media",
      image: { key: `p/${id}`, widths: [320] },
      createdAt: at,
    },
  }),
  // Its session's epoch is over.
  devices: (at, id, { userId }) => ({
    table: pushSubscriptions,
    values: {
      id,
      userId,
      endpoint: `https://push.example/${id}`,
      p256dh: "x",
      auth: "x",
      deviceName: "x",
      sessionId: id,
      sessionEpoch: 0,
      endsAt: at,
      usedAt: at,
      createdAt: at,
    },
  }),
  probes: (at, id) => ({ table: probes, values: { token: id, kind: "callback", startedAt: at } }),
  admin_claims: (at, id, { userId }) => ({
    table: adminClaims,
    values: { subject: `case:${id}`, adminId: userId, until: at },
  }),
  write_marks: (at) => ({ table: writeMarks, values: { id: at, at } }),
};

/** Whether the row is still there. */
async function isThere({ table, values }: Row): Promise<boolean> {
  const rows = await db.select().from(table);
  const known = Object.entries(values).filter(([key]) => key in getTableColumns(table));
  return rows.some((row) => known.every(([key, value]) => JSON.stringify(row[key]) === JSON.stringify(value)));
}

test.each(Object.keys(ROWS) as (keyof typeof ROWS)[])("%s", async (name) => {
  const userId = await makeUser();
  const people = { userId, otherId: await makeUser(), productId: await makeProduct(userId) };
  const { keptMs } = RETENTION[name];
  const slack = name === "listing_days" ? DAY_MS : MINUTE_MS;
  const old = ROWS[name](NOW - keptMs - slack, "old", people);
  const young = ROWS[name](NOW - keptMs + slack, "young", people);
  await write(db, [build.delete(old.table)]);
  for (const { table, values } of [old, young]) await write(db, [build.insert(table).values(values)]);
  const services = { ...servicesAt(), now: () => NOW };
  expect([await isThere(old), await isThere(young)]).toEqual([true, true]);
  expect(await SWEEPERS[name](services)).toBe(1);
  expect([await isThere(old), await isThere(young)]).toEqual([false, true]);
  expect(await SWEEPERS[name](services)).toBe(0);
});

test("checked_documents: the file of a decided document goes, unless a case about its owner is open", async () => {
  const services = servicesAt();
  const { keptMs } = RETENTION.checked_documents;
  await write(db, [build.delete(verificationDocuments)]);
  const hand = async (status: "approved" | "rejected" | "pending", decidedAgoMs: number) => {
    const userId = await makeUser();
    const card = { documentType: "student_id", fileName: "id.pdf", kind: "pdf", bytes: new Uint8Array(4) } as const;
    const { documentId, key } = await storeDocument(servicesAt(-keptMs - DAY_MS), userId, card);
    const decided = { verificationStatus: status, reviewedAt: NOW - decidedAgoMs };
    await db.update(verificationDocuments).set(decided).where(eq(verificationDocuments.id, documentId));
    return { userId, documentId, key };
  };
  const [old, refused, inCase] = [
    await hand("approved", keptMs + 1),
    await hand("rejected", keptMs + 1),
    await hand("approved", keptMs + 1),
  ];
  const [young, again] = [await hand("approved", keptMs - MINUTE_MS), await hand("pending", keptMs + 1)];
  const report = {
    subject: "person",
    subjectId: inCase.userId,
    reporterId: await makeUser(),
    reason: "fake",
    text: "",
  } as const;
  await makeProduct(inCase.userId);
  expect(await sendReport(services, report)).toMatchObject({ ok: true });
  const now = () => NOW;
  const open = async () => {
    const found = [];
    for (const { documentId, key } of [old, refused, inCase, young, again])
      found.push([(await findDocument(db, documentId)) !== null, (await services.documents.head(key)) !== null]);
    return found;
  };
  const kept = [true, true];
  expect(await open()).toEqual([kept, kept, kept, kept, kept]);

  expect(await SWEEPERS.checked_documents({ ...services, now })).toBe(2);
  // Nobody opens them from now on, also where the bucket is away.
  expect(await open()).toEqual([[false, true], [false, true], kept, kept, kept]);
  expect(await SWEEPERS.documents({ ...services, now })).toBe(2);
  expect(await open()).toEqual([[false, false], [false, false], kept, kept, kept]);
  expect(await SWEEPERS.checked_documents({ ...services, now })).toBe(0);

  await db
    .update(moderationCases)
    .set({ state: "closed", decision: "dismissed" })
    .where(eq(moderationCases.reportedId, inCase.userId));
  expect(await SWEEPERS.checked_documents({ ...services, now })).toBe(1);
});

test("a step that fails keeps no other from running", async () => {
  const day = NOW + 3 * DAY_MS;
  const counter = ROWS.counters(NOW, "failing", { userId: "", otherId: "", productId: "" });
  await write(db, [build.insert(counter.table).values(counter.values)]);
  const userId = await makeUser();
  const file = ROWS.documents(NOW, "failing", { userId, otherId: "", productId: "" });
  await write(db, [build.insert(file.table).values(file.values)]);
  const services = servicesAt();
  const documents = Object.assign(Object.create(services.documents) as R2Bucket, {
    delete: () => Promise.reject(new Error("R2 is away")),
  });
  await expect(runSweep({ ...services, documents, now: () => day })).rejects.toThrow("Steps of the sweep failed");
  expect([await isThere(file), await isThere(counter)]).toEqual([true, false]);
});
