/** Our team reads a conversation from its beginning to its end, page by page. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { findIssue } from "#app/admin/problems/issues.server.ts";
import { findCasePage } from "#app/moderation/cases/find-case.server.ts";
import { findProblemDetails } from "#app/admin/problems/problems.server.ts";
import { type Cursor, readCursor } from "#app/catalogue/catalogue-rules.ts";
import { threadOf } from "#app/messaging/message-rules.ts";
import type { TeamPage } from "#app/messaging/conversations/team-messages.server.ts";
import { makeDeal, servicesAt } from "#tests/support/fixtures.ts";
import { beginConversations } from "#tests/support/messages.ts";

const LENGTH = 250;
const TEAM = { id: "", email: "" };

/** Messages in turn, some of them at the same time. Returns their ids, oldest first. */
async function talk(one: string, other: string): Promise<string[]> {
  const ids = Array.from({ length: LENGTH }, () => crypto.randomUUID());
  const timeOf = (n: number) => 1_000 + Math.floor(n / 3);
  // Those of one time stand in the order of their ids.
  for (let n = 0; n < LENGTH; n += 3) ids.splice(n, 3, ...ids.slice(n, n + 3).toSorted());
  const rows = ids.map((id, n) => [id, ...(n % 2 === 0 ? [one, other] : [other, one]), timeOf(n)]);
  await env.DB.prepare(
    `INSERT INTO messages (id, thread, sender_id, recipient_id, message, created_at, sender_name, recipient_name)
      SELECT value ->> 0, ?, value ->> 1, value ->> 2, 'Hi', value ->> 3, 'Wanjiku', 'Otieno' FROM json_each(?)`,
  )
    .bind(threadOf(one, other), JSON.stringify(rows))
    .run();
  await beginConversations();
  return ids;
}

type FindPage = (at: { before?: Cursor; after?: Cursor }) => Promise<TeamPage<{ id: string }> | undefined>;

/** The ids of all pages, oldest first, from the first page to the beginning and to the end. */
async function readBothWays(find: FindPage): Promise<string[]> {
  const first = await find({});
  const pages = [first];
  for (let before = readCursor(first?.older ?? null); before && pages.length < LENGTH;) {
    const page = await find({ before });
    pages.unshift(page);
    before = readCursor(page?.older ?? null);
  }
  for (let after = readCursor(first?.newer ?? null); after && pages.length < LENGTH;) {
    const page = await find({ after });
    pages.push(page);
    after = readCursor(page?.newer ?? null);
  }
  return pages.flatMap((page) => page?.messages.map(({ id }) => id) ?? []);
}

test("cases, problems and reports lead to all messages of a conversation", async () => {
  const { db } = servicesAt();
  const { buyerId, sellerId, itemId, orderId } = await makeDeal();
  const ids = await talk(buyerId, sellerId);
  const addCase = (id: string, subject: "message" | "person", subjectId: string) =>
    env.DB.prepare(
      `INSERT INTO moderation_cases (id, subject, subject_id, reported_id, state, decision, appeal_token, created_at,
        updated_at)
        VALUES (?1, ?2, ?3, ?4, 'closed', 'dismissed', ?1, 1, 1)`,
    ).bind(id, subject, subjectId, buyerId);
  await env.DB.batch([
    env.DB.prepare("UPDATE order_items SET paid_at = 1 WHERE id = ?").bind(itemId),
    env.DB.prepare(
      `INSERT INTO issue_reports (id, user_id, seller_id, order_id, description, status, created_at)
        VALUES ('issue', ?, ?, ?, 'x', 'closed', 1)`,
    ).bind(buyerId, sellerId, orderId),
    addCase("of-message", "message", ids[100] ?? ""),
    addCase("of-person", "person", buyerId),
    env.DB.prepare(
      `INSERT INTO reports (id, case_id, reporter_id, reason, text, created_at)
        VALUES ('report', 'of-person', ?, 'other', 'x', 1)`,
    ).bind(sellerId),
  ]);

  expect(await readBothWays(async ({ before }) => (await findIssue(db, "issue", before))?.conversation)).toEqual(ids);
  expect(
    await readBothWays(async ({ before }) => (await findProblemDetails(db, itemId, before))?.conversation),
  ).toEqual(ids);
  for (const id of ["of-message", "of-person"])
    expect(await readBothWays(async (at) => (await findCasePage(db, TEAM, id, at))?.conversation)).toEqual(ids);

  const around = (await findCasePage(db, TEAM, "of-message"))?.conversation.messages;
  expect(around?.map(({ id }) => id)).toEqual(ids.slice(90, 111));
  expect(around?.filter(({ isSubject }) => isSubject).map(({ id }) => id)).toEqual([ids[100]]);
});
