/** The archive of messages: whoever reads a conversation sees the same as before, and nothing is lost or comes back. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { DELETED_MESSAGE, DELETED_NAME } from "#app/accounts/account-rules.ts";
import { deleteAccount } from "#app/accounts/delete-account.server.ts";
import { findIssue } from "#app/admin/issues.server.ts";
import { findCase } from "#app/admin/moderation.server.ts";
import { findProblemCase } from "#app/admin/problems.server.ts";
import { type Cursor, readCursor } from "#app/catalogue/catalogue-rules.ts";
import { archiveMessages, type TeamPage } from "#app/messaging/archived-messages.server.ts";
import { findInbox } from "#app/messaging/conversations.server.ts";
import { listMessages, type MessageView, type Scope } from "#app/messaging/messages.server.ts";
import { threadOf } from "#app/messaging/message-rules.ts";
import { sendMessage } from "#app/messaging/send-message.server.ts";
import { findReportable, sendReport } from "#app/moderation/report.server.ts";
import type { Services } from "#app/request/services.ts";
import { findTrackedOrder } from "#app/screens/order/order.server.ts";
import { findSoldItem } from "#app/screens/sold-item/sold-item.server.ts";
import { ORIGIN, sessionCookie } from "#tests/support/accounts.ts";
import { type Deal, makeDeal, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { makeAdmin, visit } from "#tests/support/visit.ts";
import { rewriteArchive } from "#workers/jobs/sweep.ts";

const DAY_MS = 24 * 60 * 60_000;
const OLD = Date.now() - 400 * DAY_MS;

async function run(...statements: string[]): Promise<void> {
  await env.DB.batch(statements.map((statement) => env.DB.prepare(statement)));
}

async function count(query: string): Promise<number> {
  return (await env.DB.prepare(`SELECT COUNT(*) AS n FROM ${query}`).first<number>("n")) ?? 0;
}

/** The same numbers from 0 to below 1 in every run. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

interface MessageOptions {
  from: number;
  count: number;
  /** The longest pause between two messages in ms. With 1, several are sent in the same millisecond. */
  pause?: number;
  itemOf?(n: number): string | null;
  orderId?: string;
  photoOf?(n: number): boolean;
  /** How many of the last are unread. */
  unread?: number;
}

/** What two people wrote to each other, as the last messages of the table. Returns the ids, oldest first. */
async function addMessages(
  [one, other]: readonly [string, string],
  { from, count: length, ...how }: MessageOptions,
): Promise<string[]> {
  const random = randomOf(length + 1);
  let at = from;
  const rows = Array.from({ length }, (_, n) => {
    at += Math.floor(random() * (how.pause ?? 60_000) + 0.5);
    const [sender, recipient] = random() < 0.5 ? [one, other] : [other, one];
    const item = how.itemOf?.(n) ?? null;
    const text = n % 7 === 0 ? `“Habari” 👋\n\\ ${n}` : `Message ${n} of ${one}`;
    const images = how.photoOf?.(n) ? JSON.stringify([{ key: `p/${n}`, widths: [320] }]) : "[]";
    const isRead = n < length - (how.unread ?? 0) ? 1 : 0;
    return [crypto.randomUUID(), sender, recipient, item && (how.orderId ?? null), item, text, images, isRead, at];
  });
  await env.DB.prepare(
    `INSERT INTO messages (id, thread, sender_id, recipient_id, order_id, order_item_id, message, images, read, created_at, sender_name, recipient_name, idempotency_key)
      SELECT value ->> 0, ?, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7, value ->> 8, 'Wanjiku', 'Otieno', 'key-' || (value ->> 0) FROM json_each(?)`,
  )
    .bind(threadOf(one, other), JSON.stringify(rows))
    .run();
  return rows.map(([id]) => String(id));
}

/** All pages, as somebody reads them who goes on to the beginning. */
async function readAll(viewerId: string, scope: Scope, services: Services = servicesAt()) {
  const pages = [];
  for (let before: string | null = null; ;) {
    const page = await listMessages(services, viewerId, scope, before);
    pages.push(page);
    if (page.older === null || pages.length > 100) return pages;
    before = page.older;
  }
}

async function wordsOf(viewerId: string, otherId: string): Promise<string[]> {
  const pages = await readAll(viewerId, { with: otherId });
  return pages.toReversed().flatMap(({ messages }) => messages.map(({ message }) => message));
}

function withBucket(change: Partial<R2Bucket>, offset = 0): Services {
  const bucket = new Proxy(env.DOCUMENTS, {
    get(target, name) {
      if (name in change) return change[name as keyof R2Bucket];
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { ...servicesAt(offset), documents: bucket };
}

/** A bucket that lets `meanwhile` happen before it stores something. */
function withPause(meanwhile: () => Promise<unknown>, offset = 0): Services {
  let isFirst = true;
  const put = (async (key: string, value: ArrayBuffer) => {
    if (isFirst) await meanwhile();
    isFirst = false;
    return env.DOCUMENTS.put(key, value);
  }) as unknown as R2Bucket["put"];
  return withBucket({ put }, offset);
}

async function archivedText(): Promise<string> {
  const { objects } = await env.DOCUMENTS.list({ prefix: "archive/messages/" });
  const texts = await Promise.all(
    objects.map(async ({ key }) => {
      const object = await env.DOCUMENTS.get(key);
      return new Response(object?.body.pipeThrough(new DecompressionStream("gzip"))).text();
    }),
  );
  return texts.join("\n");
}

/** Makes a part of its own of each line of the archive, as if it had been archived alone. */
async function splitParts(): Promise<void> {
  const lines = (await archivedText()).split("\n").map((line) => JSON.parse(line) as Record<string, string | number>);
  await run("DELETE FROM conversation_parts", "DELETE FROM archive_parts");
  for (const line of lines) {
    const key = `archive/messages/${line["id"]}.jsonl.gz`;
    const packed = new Blob([JSON.stringify(line)]).stream().pipeThrough(new CompressionStream("gzip"));
    await env.DOCUMENTS.put(key, await new Response(packed).arrayBuffer());
    const at = line["created_at"];
    await run(
      `INSERT INTO archive_parts (id, kind, key, created_at, written_at) VALUES ('${line["id"]}', 'messages', '${key}', 1, 1)`,
      `INSERT INTO conversation_parts (thread, part_id, first_at, last_at) VALUES ('${line["thread"]}', '${line["id"]}', ${at}, ${at})`,
    );
  }
}

async function makePair(): Promise<[string, string]> {
  return [await makeUser(), await makeUser()];
}

/** A deal that is over, or has another status. */
async function makeOldDeal(status = "completed"): Promise<Deal & { people: [string, string] }> {
  const deal = await makeDeal();
  await run(
    `UPDATE order_items SET status = '${status}', created_at = ${OLD - DAY_MS}, paid_at = 1 WHERE id = '${deal.itemId}'`,
  );
  return { ...deal, people: [deal.buyerId, deal.sellerId] };
}

beforeEach(async () => {
  await run(
    "DELETE FROM conversations",
    "DELETE FROM messages",
    "DELETE FROM conversation_parts",
    "DELETE FROM archive_cursors",
    "DELETE FROM archive_parts",
    "DELETE FROM reports",
    "DELETE FROM moderation_cases",
  );
  const { objects } = await env.DOCUMENTS.list({ prefix: "archive/" });
  await env.DOCUMENTS.delete(objects.map(({ key }) => key));
});

const TEAM = { id: "", email: "" };

type FindPage = (at: { before?: Cursor; after?: Cursor }) => Promise<TeamPage<{ id: string }> | undefined>;

/** The ids of all pages, oldest first, as our team reads them that goes on from the first page to the beginning and to the end. */
async function readBothWays(find: FindPage): Promise<string[]> {
  const first = await find({});
  const pages = [first];
  const idsOf = (page: typeof first) => page?.messages.map(({ id }) => id) ?? [];
  for (let before = readCursor(first?.older ?? null); before && pages.length < 100;) {
    const page = await find({ before });
    pages.unshift(page);
    before = readCursor(page?.older ?? null);
  }
  for (let after = readCursor(first?.newer ?? null); after && pages.length < 100;) {
    const page = await find({ after });
    pages.push(page);
    after = readCursor(page?.newer ?? null);
  }
  return pages.flatMap(idsOf);
}

async function readAsTeam(itemId: string, { issue, case: caseId }: { issue: string; case: string }) {
  const services = servicesAt();
  return {
    wholeProblem: await readBothWays(
      async ({ before }) => (await findProblemCase(services, itemId, before))?.conversation,
    ),
    wholeIssue: await readBothWays(async ({ before }) => (await findIssue(services, issue, before))?.conversation),
    wholeCase: await readBothWays(async (at) => (await findCase(services, TEAM, caseId, at))?.conversation),
  };
}

/** Everything that anybody can read of a deal's conversation. */
async function readEverywhere(deal: Deal, ids: { issue: string; case: string }) {
  const { buyerId, sellerId, itemId, orderId } = deal;
  const services = servicesAt();
  return {
    buyer: await readAll(buyerId, { with: sellerId }),
    seller: await readAll(sellerId, { with: buyerId }),
    item: await readAll(sellerId, { item: itemId }),
    order: await readAll(buyerId, { order: orderId }),
    inbox: await findInbox(services, buyerId, { withId: sellerId, after: null }),
    orderPage: (await findTrackedOrder(services, orderId, buyerId))?.items.map(({ page }) => page),
    soldItem: (await findSoldItem(services, itemId, sellerId))?.page,
    ...(await readAsTeam(itemId, ids)),
    problem: (await findProblemCase(services, itemId))?.conversation,
    issue: (await findIssue(services, ids.issue))?.conversation,
    case: (await findCase(services, TEAM, ids.case))?.conversation,
    stranger: await readAll(await makeUser(), { item: itemId }),
  };
}

/** A case about this message that is over, and a report about the order. */
async function addCases(deal: Deal, messageId: string, senderId: string, subject: "message" | "person" = "message") {
  const ids = { issue: crypto.randomUUID(), case: crypto.randomUUID() };
  await run(
    `INSERT INTO issue_reports (id, user_id, seller_id, order_id, description, status, created_at) VALUES ('${ids.issue}', '${deal.buyerId}', '${deal.sellerId}', '${deal.orderId}', 'x', 'closed', 1)`,
    `INSERT INTO moderation_cases (id, subject, subject_id, reported_id, state, decision, appeal_token, created_at, updated_at)
      VALUES ('${ids.case}', '${subject}', '${subject === "message" ? messageId : senderId}', '${senderId}', 'closed', 'dismissed', '${ids.case}', 1, 1)`,
  );
  return ids;
}

const senderOf = async (id: string) =>
  (await env.DB.prepare("SELECT sender_id FROM messages WHERE id = ?").bind(id).first<string>("sender_id")) ?? "";

test.each([
  { seed: 1, length: 29, pause: 1 },
  { seed: 2, length: 31, pause: 60_000 },
  { seed: 3, length: 32, pause: 2 },
  { seed: 4, length: 61, pause: 1 },
  { seed: 5, length: 140, pause: 3 },
])("everybody reads every page as before: %o", async ({ seed, length, pause }) => {
  const random = randomOf(seed);
  const deal = await makeOldDeal();
  const chances = Array.from({ length }, random);
  const ids = await addMessages(deal.people, {
    from: OLD,
    count: length,
    pause,
    orderId: deal.orderId,
    itemOf: (n) => ((chances[n] ?? 0) < 0.5 ? deal.itemId : null),
    photoOf: (n) => (chances[n] ?? 0) > 0.9,
    unread: Math.floor(random() * 3),
  });
  await addMessages(await makePair(), { from: OLD + length * 60_000, count: 40 });
  const reported = ids[Math.floor(random() * length)] ?? "";
  const cases = await addCases(deal, reported, await senderOf(reported));
  const before = await readEverywhere(deal, cases);
  expect(before.buyer.flatMap(({ messages }) => messages)).toHaveLength(length);
  expect(before.case?.messages.length).toBeGreaterThan(10);

  const archived = await archiveMessages(servicesAt());
  expect(archived).toBeGreaterThan(0.7 * length + 30);
  expect(await count("messages")).toBe(length + 40 - archived);
  expect(await readEverywhere(deal, cases)).toEqual(before);

  // Twice the same.
  expect(await archiveMessages(servicesAt())).toBe(0);
  await run("DELETE FROM archive_cursors");
  expect(await archiveMessages(servicesAt())).toBe(0);
  expect(await readEverywhere(deal, cases)).toEqual(before);
});

test("the last message, unread ones, those with photos and those that were reported stay in the database", async () => {
  const pair = await makePair();
  const ids = await addMessages(pair, { from: OLD, count: 20, photoOf: (n) => n === 3, unread: 2 });
  const reported = ids[5] ?? "";
  await run(
    `INSERT INTO moderation_cases (id, subject, subject_id, reported_id, state, appeal_token, created_at, updated_at) VALUES ('c', 'message', '${reported}', '${await senderOf(reported)}', 'closed', 'c', 1, 1)`,
  );
  expect(await archiveMessages(servicesAt())).toBe(16);
  const { results } = await env.DB.prepare("SELECT id FROM messages ORDER BY created_at, id").all<{ id: string }>();
  expect(results.map(({ id }) => id)).toEqual([3, 5, 18, 19].map((n) => ids[n]));
});

test("a conversation with a young message, an open deal, an open report or somebody under a case stays", async () => {
  const quiet = await makePair();
  await addMessages(quiet, { from: OLD, count: 5 });
  const [lively, accused] = [await makePair(), await makePair()];
  const [deal, problem] = [await makeOldDeal("in_review"), await makeOldDeal()];
  for (const pair of [lively, accused]) await addMessages(pair, { from: OLD, count: 5 });
  for (const { people, itemId, orderId } of [deal, problem])
    await addMessages(people, { from: OLD, count: 5, orderId, itemOf: (n) => (n === 2 ? itemId : null) });
  await run(
    `INSERT INTO issue_reports (id, user_id, seller_id, order_id, description, created_at) VALUES ('open', '${problem.buyerId}', '${problem.sellerId}', '${problem.orderId}', 'x', 1)`,
    `INSERT INTO moderation_cases (id, subject, subject_id, reported_id, state, appeal_token, created_at, updated_at) VALUES ('c', 'person', '${accused[1]}', '${accused[1]}', 'appealed', 'c', 1, 1)`,
  );
  await addMessages(lively, { from: Date.now() - 300 * DAY_MS, count: 1 });
  expect(await archiveMessages(servicesAt())).toBe(4);
  expect(await count("conversation_parts")).toBe(1);
  expect(await count(`conversation_parts WHERE thread = '${threadOf(...quiet)}'`)).toBe(1);
  // A year after its last message, this one is quiet, too.
  expect(await archiveMessages(servicesAt(100 * DAY_MS))).toBe(5);
  await run("UPDATE issue_reports SET status = 'closed'", `UPDATE order_items SET status = 'completed'`);
});

test("a long conversation has several parts, and more when the two write again years later", async () => {
  const pair = await makePair();
  await addMessages(pair, { from: OLD, count: 1_203, pause: 20 });
  const before = await readAll(pair[0], { with: pair[1] });
  expect(await archiveMessages(servicesAt())).toBe(1_202);
  expect(await count("conversation_parts")).toBe(3);
  expect(await readAll(pair[0], { with: pair[1] })).toEqual(before);

  await addMessages(pair, { from: Date.now(), count: 45 });
  const later = await readAll(pair[1], { with: pair[0] });
  expect(later.flatMap(({ messages }) => messages)).toHaveLength(1_248);
  expect(await archiveMessages(servicesAt(367 * DAY_MS))).toBe(45);
  expect(await count("conversation_parts")).toBe(4);
  expect(await readAll(pair[1], { with: pair[0] })).toEqual(later);
});

test("a conversation with more parts than one page reads is read to its beginning", async () => {
  const deal = await makeOldDeal();
  const [reader, writer] = deal.people;
  const ids = await addMessages([reader, writer], {
    from: OLD,
    count: 60,
    orderId: deal.orderId,
    itemOf: (n) => (n < 5 ? deal.itemId : null),
  });
  const scopes: Scope[] = [{ with: writer }, { item: deal.itemId }];
  const readBoth = async () => {
    const both = await Promise.all(scopes.map((scope) => readAll(reader, scope)));
    return both.map((pages) => pages.toReversed().flatMap(({ messages }) => messages));
  };
  const before = await readBoth();
  expect(before.map((messages) => messages.length)).toEqual([60, 5]);
  const oldest = before[0]?.find(({ senderId }) => senderId === writer);
  expect(ids.indexOf(oldest?.id ?? "")).toBeLessThan(20);
  await archiveMessages(servicesAt());
  await splitParts();

  expect(await readBoth()).toEqual(before);
  expect((await listMessages(servicesAt(), reader, { with: writer }, null)).isCutShort).toBe(false);
  const asked = { subject: "message", subjectId: oldest?.id ?? "", viewerId: reader, senderId: writer } as const;
  expect(await findReportable(servicesAt(), asked)).toMatchObject({ quote: oldest?.message });
});

test("our team reads a conversation from its beginning to its end, also with more parts than one page reads", async () => {
  const deal = await makeOldDeal();
  const ids = await addMessages(deal.people, { from: OLD, count: 150 });
  const reported = ids[80] ?? "";
  const sender = await senderOf(reported);
  const cases = await addCases(deal, reported, sender);
  const person = await addCases(deal, reported, sender, "person");
  await run(
    `INSERT INTO reports (id, case_id, reporter_id, reason, text, created_at) SELECT '${crypto.randomUUID()}', '${person.case}', '${deal.people.find((id) => id !== sender)}', 'scam', '', 1`,
  );
  const findCaseMessages = async () => (await findCase(servicesAt(), TEAM, cases.case))?.conversation;
  const expectAll = async () => {
    expect(await readAsTeam(deal.itemId, cases)).toEqual({
      wholeProblem: ids,
      wholeIssue: ids,
      wholeCase: ids,
    });
    expect((await readAsTeam(deal.itemId, person)).wholeCase).toEqual(ids);
    expect((await findCaseMessages())?.messages.map(({ id }) => id)).toEqual(ids.slice(70, 91));
  };
  await expectAll();
  await archiveMessages(servicesAt());
  await expectAll();
  await splitParts();
  await expectAll();

  const { older, newer } = (await findCaseMessages()) ?? {};
  const admin = await makeAdmin();
  const pageOf = async (path: string) => (await visit(path, { as: admin.id })).text();
  for (const path of [
    `/admin/moderation/${cases.case}`,
    `/admin/issues/${cases.issue}`,
    `/admin/problems/${deal.itemId}`,
  ]) {
    expect(await pageOf(path)).toMatch(/href="[^"]*\?before=[^"]+"[^>]*>.*?Older messages/s);
    const second = await pageOf(`${path}?before=${older}`);
    expect(second).toMatch(/(Reported message|Newest messages)<\/?/);
    expect(second).toContain(`Message 69 of`);
    expect(second).not.toContain("Message 71 of");
  }
  const casePage = `/admin/moderation/${cases.case}`;
  expect(await pageOf(casePage)).toMatch(/href="[^"]*\?after=[^"]+"[^>]*>.*?Newer messages/s);
  const later = await pageOf(`${casePage}?after=${newer}`);
  expect(later).toContain("Reported message");
  expect(later).toContain("Message 92 of");
  expect(later).not.toContain("Message 90 of");
  // The case says what was reported, wherever its reader is.
  expect(await pageOf(`${casePage}?before=${older}`)).toContain("Message 80 of");
});

test("the messages around a reported one take no more than the part that has them", async () => {
  const deal = await makeOldDeal();
  const ids = await addMessages(deal.people, { from: OLD, count: 1_203 });
  const reported = ids[750] ?? "";
  const cases = await addCases(deal, reported, await senderOf(reported));
  await archiveMessages(servicesAt());
  expect(await count("conversation_parts")).toBe(3);
  const keys = new Set<string>();
  const get = ((key: string) => {
    keys.add(key);
    return env.DOCUMENTS.get(key);
  }) as unknown as R2Bucket["get"];
  const found = await findCase(withBucket({ get }), TEAM, cases.case);
  expect(found?.conversation.messages.map(({ id }) => id)).toEqual(ids.slice(740, 761));
  expect(keys.size).toBe(1);
});

test("a message that a case has brought back hides no older ones", async () => {
  const [reader, writer] = await makePair();
  // The second page is the rest of the newest part.
  const ids = await addMessages([reader, writer], { from: OLD, count: 1_060 });
  await archiveMessages(servicesAt());
  expect(await count("conversation_parts")).toBe(3);
  const pages = await readAll(reader, { with: writer });
  const subjectId = pages[1]?.messages.find(({ senderId }) => senderId === writer)?.id ?? "";
  expect(ids.indexOf(subjectId)).toBeGreaterThanOrEqual(1_000);
  const report = { subject: "message", subjectId, reporterId: reader, senderId: writer, reason: "scam" } as const;
  expect(await sendReport(servicesAt(), { ...report, text: "" })).toMatchObject({ ok: true });
  expect(await count("messages")).toBe(2);
  expect(await readAll(reader, { with: writer })).toEqual(pages);
});

test("somebody who reads page by page while it is archived misses nothing", async () => {
  const pair = await makePair();
  await addMessages(pair, { from: OLD, count: 70, pause: 1 });
  const before = await readAll(pair[0], { with: pair[1] });
  const first = await listMessages(servicesAt(), pair[0], { with: pair[1] }, null);
  await archiveMessages(servicesAt());
  const second = await listMessages(servicesAt(), pair[0], { with: pair[1] }, first.older);
  expect([first, second]).toEqual(before.slice(0, 2));
});

test("two runs at once archive each message once", async () => {
  const pair = await makePair();
  await addMessages(pair, { from: OLD, count: 60 });
  const before = await readAll(pair[0], { with: pair[1] });
  await Promise.all([archiveMessages(servicesAt()), archiveMessages(servicesAt())]);
  expect(await count("conversation_parts")).toBe(1);
  expect(await readAll(pair[0], { with: pair[1] })).toEqual(before);
  await rewriteArchive(servicesAt(2 * DAY_MS));
  expect((await env.DOCUMENTS.list({ prefix: "archive/" })).objects).toHaveLength(1);
  expect(await readAll(pair[0], { with: pair[1] })).toEqual(before);
});

test("a message that is sent while its conversation is archived keeps it in the database", async () => {
  const pair = await makePair();
  await addMessages(pair, { from: OLD, count: 10 });
  const text = "I'm back";
  const write = () =>
    sendMessage(servicesAt(), { senderId: pair[0], recipientId: pair[1], text, key: crypto.randomUUID() });
  expect(await archiveMessages(withPause(write))).toBe(0);
  expect(await count("messages")).toBe(11);
  expect(await wordsOf(pair[0], pair[1])).toHaveLength(11);
  expect(await count("conversation_parts")).toBe(0);
});

test("a bucket that fails, or loses something, takes nothing out of the database", async () => {
  const pair = await makePair();
  await addMessages(pair, { from: OLD, count: 10 });
  const put = () => Promise.reject(new Error("R2 is down"));
  await expect(archiveMessages(withBucket({ put }))).rejects.toThrow("R2 is down");
  const get = (() => Promise.resolve(null)) as unknown as R2Bucket["get"];
  await expect(archiveMessages(withBucket({ get }))).rejects.toThrow("the archive has no");
  expect(await count("messages")).toBe(10);
  expect(await archiveMessages(servicesAt())).toBe(9);
  expect(await count("messages")).toBe(1);
  expect(await wordsOf(pair[0], pair[1])).toHaveLength(10);
});

test("deleting an account erases its words at once for readers, and within an hour from the archive", async () => {
  const [gone, stays] = await makePair();
  const third = await makeUser();
  await addMessages([gone, stays], { from: OLD, count: 40 });
  await addMessages([stays, third], { from: OLD + 50 * 60_000, count: 40 });
  await archiveMessages(servicesAt());
  const scope = { with: gone };
  const before = await readAll(stays, scope);
  const others = await readAll(stays, { with: third });
  const erased = (message: MessageView) =>
    message.senderId === gone ? { ...message, message: DELETED_MESSAGE, senderName: DELETED_NAME } : message;
  const expected = before.map((page) => ({ ...page, messages: page.messages.map(erased) }));
  const words = before
    .flatMap(({ messages }) => messages)
    .find(({ message, senderId }) => senderId === gone && message.startsWith("Message 1"))?.message;

  expect((await deleteAccount(servicesAt(), gone)).ok).toBe(true);
  expect(await readAll(stays, scope)).toEqual(expected);
  expect(await archivedText()).toContain(words);
  expect(await rewriteArchive(servicesAt())).toBe(1);
  expect(await rewriteArchive(servicesAt())).toBe(0);
  const text = await archivedText();
  expect(text).not.toContain(`"${words}"`);
  expect(text.split("\n").filter((line) => line.includes(gone) && line.includes(DELETED_NAME))).toHaveLength(39);
  expect(await readAll(stays, scope)).toEqual(expected);
  expect(await readAll(stays, { with: third })).toEqual(others);
});

test("an account that is deleted while the archive writes leaves no words behind", async () => {
  const [gone, stays] = await makePair();
  const [late] = await makePair();
  await addMessages([gone, stays], { from: OLD, count: 30 });
  await addMessages([late, stays], { from: OLD + 40 * 60_000, count: 30 });
  // Its words are gone from the database when the batch compares them.
  await archiveMessages(withPause(() => deleteAccount(servicesAt(), gone)));
  await run("DELETE FROM archive_cursors");
  await archiveMessages(servicesAt());
  // The next deletion happens while the part is written anew for an earlier one.
  await run("UPDATE archive_parts SET rewrite_due = 1 WHERE written_at IS NOT NULL");
  await rewriteArchive(withPause(() => deleteAccount(servicesAt(), late)));
  await rewriteArchive(servicesAt(2 * DAY_MS));
  const lines = (await archivedText()).split("\n").map((line) => JSON.parse(line) as Record<string, string>);
  expect(lines.length).toBeGreaterThan(50);
  for (const line of lines)
    if (line["sender_id"] !== stays)
      expect(line).toMatchObject({ message: DELETED_MESSAGE, sender_name: DELETED_NAME });
  expect(await wordsOf(stays, late)).toHaveLength(30);
});

test("while the archive can't be read, pages show the rest and say so, and the same page has the rest later", async () => {
  const deal = await makeOldDeal();
  const ids = await addMessages(deal.people, {
    from: OLD,
    count: 80,
    orderId: deal.orderId,
    itemOf: () => deal.itemId,
  });
  const reported = ids[40] ?? "";
  const cases = await addCases(deal, reported, await senderOf(reported));
  await archiveMessages(servicesAt());
  await addMessages(deal.people, { from: Date.now(), count: 3 });
  const [buyerId, sellerId] = deal.people;
  const all = await wordsOf(buyerId, sellerId);
  const broken = withBucket({ get: () => Promise.reject(new Error("R2 is down")) });

  const inbox = await findInbox(broken, buyerId, { withId: sellerId, after: null });
  expect(inbox?.inbox.open).toMatchObject({ isCutShort: true, older: expect.any(String) });
  expect(inbox?.inbox.open?.messages.map(({ message }) => message)).toEqual(all.slice(-4));
  const rest = await listMessages(servicesAt(), buyerId, { with: sellerId }, inbox?.inbox.open?.older ?? null);
  expect(rest.messages.map(({ message }) => message)).toEqual(all.slice(-34, -4));
  expect((await findTrackedOrder(broken, deal.orderId, buyerId))?.items[0]?.page).toMatchObject({ isCutShort: true });
  const problem = await findProblemCase(broken, deal.itemId);
  expect(problem?.conversation).toMatchObject({ isCutShort: true });
  expect(problem?.conversation.messages).toHaveLength(4);
  expect((await findCase(broken, TEAM, cases.case))?.conversation).toMatchObject({
    messages: [{ id: reported }],
    isCutShort: true,
    older: null,
    newer: null,
  });

  // The next page is only in the archive. Its reader is told to try again.
  const { objects } = await env.DOCUMENTS.list({ prefix: "archive/" });
  await env.DOCUMENTS.delete(objects.map(({ key }) => key));
  const response = await env.APP.fetch(
    `${ORIGIN}/api/messages?with=${sellerId}&before=${inbox?.inbox.open?.older ?? ""}`,
    { headers: { Cookie: await sessionCookie(buyerId) } },
  );
  expect(response.status).toBe(503);
  expect(await response.json()).toEqual({ success: false, error: "Failed to load messages" });
});

test("a message that is archived while it is being reported returns to the database with its case", async () => {
  const [reader, writer] = await makePair();
  const ids = await addMessages([reader, writer], { from: OLD, count: 60 });
  const written = await env.DB.prepare("SELECT id FROM messages WHERE sender_id = ? ORDER BY created_at LIMIT 1")
    .bind(writer)
    .first<string>("id");
  const subjectId = written ?? "";
  expect(ids).toContain(subjectId);
  const isStored = () => env.DB.prepare("SELECT 1 AS is_there FROM messages WHERE id = ?").bind(subjectId).first();
  const services = servicesAt();
  const find = services.db.all.bind(services.db);
  let isArchived = false;
  // The archive comes just after the message was found.
  const all = async (query: Parameters<typeof find>[0]) => {
    const rows = await find(query);
    if (isArchived) return rows;
    isArchived = true;
    await archiveMessages(servicesAt());
    expect(await isStored()).toBeNull();
    return rows;
  };
  const db = new Proxy(services.db, { get: (target, name) => (name === "all" ? all : Reflect.get(target, name)) });
  const report = { subject: "message", subjectId, reporterId: reader, reason: "scam", text: "" } as const;
  expect(await sendReport({ ...services, db }, { ...report, senderId: writer })).toMatchObject({ ok: true });
  expect(await isStored()).not.toBeNull();
  expect(await env.DB.prepare("SELECT reports FROM moderation_cases").first("reports")).toBe(1);
});

test("an archived message can be reported, and our team reads it with what was written around it", async () => {
  const [reader, writer] = await makePair();
  const ids = await addMessages([reader, writer], { from: OLD, count: 60 });
  const pages = await readAll(reader, { with: writer });
  const reported = pages
    .flatMap(({ messages }) => messages)
    .find(({ id, senderId }) => senderId === writer && ids.indexOf(id) < 30);
  const subjectId = reported?.id ?? "";
  await archiveMessages(servicesAt());
  const asked = { subject: "message", subjectId, viewerId: reader, senderId: writer } as const;
  expect(await findReportable(servicesAt(), { ...asked, senderId: null })).toBeNull();
  expect(await findReportable(servicesAt(), { ...asked, viewerId: await makeUser() })).toBeNull();
  expect(await findReportable(servicesAt(), asked)).toMatchObject({ quote: reported?.message, isReported: false });

  const report = {
    subject: "message",
    subjectId,
    reporterId: reader,
    senderId: writer,
    reason: "scam",
    text: "",
  } as const;
  expect(await sendReport(servicesAt(), report)).toMatchObject({ ok: true });
  expect(await findReportable(servicesAt(), asked)).toMatchObject({ isReported: true });
  const caseId = (await env.DB.prepare("SELECT id FROM moderation_cases").first<string>("id")) ?? "";
  const found = await findCase(servicesAt(), TEAM, caseId);
  const at = ids.indexOf(subjectId);
  expect(found?.conversation.messages.map(({ id }) => id)).toEqual(ids.slice(Math.max(0, at - 10), at + 11));
  expect(found?.conversation.messages.filter(({ isSubject }) => isSubject)).toMatchObject([{ id: subjectId }]);
  expect(found?.reported).toMatchObject({ id: subjectId });
  // It is in the database and in the archive now. Readers see it once.
  expect(await readAll(reader, { with: writer })).toEqual(pages);
  await run(`UPDATE messages SET removed_at = 1 WHERE id = '${subjectId}'`);
  const shown = (await readAll(reader, { with: writer })).flatMap(({ messages }) => messages);
  expect(shown.filter(({ removed }) => removed).map(({ id }) => id)).toEqual([subjectId]);
  expect(shown).toHaveLength(60);
});

test("the sender of an archived message can neither hide nor replace it by using its key again", async () => {
  const [reader, writer] = await makePair();
  const friend = await makeUser();
  const ids = await addMessages([reader, writer], { from: OLD, count: 60 });
  await addMessages([friend, writer], { from: OLD, count: 2 });
  const words = await wordsOf(reader, writer);
  const reported = await env.DB.prepare(
    "SELECT id, message, idempotency_key AS key FROM messages WHERE sender_id = ? AND recipient_id = ? ORDER BY created_at LIMIT 2",
  )
    .bind(writer, reader)
    .all<{ id: string; message: string; key: string }>();
  await archiveMessages(servicesAt());
  for (const [n, recipientId] of [friend, reader].entries())
    expect(
      await sendMessage(servicesAt(), {
        senderId: writer,
        recipientId,
        text: "Good morning",
        key: reported.results[n]?.key ?? "",
      }),
    ).toMatchObject({ ok: true });
  expect(await wordsOf(reader, writer)).toEqual([...words, "Good morning"]);
  for (const { id, message } of reported.results) {
    expect(ids).toContain(id);
    const report = { subject: "message", subjectId: id, reporterId: reader, senderId: writer, reason: "scam" } as const;
    expect(await sendReport(servicesAt(), { ...report, text: "" })).toMatchObject({ ok: true });
    const caseId = await env.DB.prepare("SELECT id FROM moderation_cases WHERE subject_id = ?").bind(id).first("id");
    const found = await findCase(servicesAt(), TEAM, String(caseId));
    expect(found?.conversation.messages.filter(({ isSubject }) => isSubject)).toMatchObject([{ id, message }]);
  }
  expect(await wordsOf(reader, writer)).toEqual([...words, "Good morning"]);
});
