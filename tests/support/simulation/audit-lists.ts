/** M-Pesa's own lists at the end of a simulation: each payment is matched once, or on a list that people read. */
import { openDatabase } from "#app/db/client.ts";
import { compareWithRecords, keepComparison } from "#app/payments/books/mpesa-lists.server.ts";
import { readStatement, type Statement } from "#app/payments/books/statement-file.ts";
import { statementOf } from "#workers/sandbox/lists.ts";
import type { Campus } from "./invocation.ts";
import { hasMoved } from "./staged-m-pesa.ts";

/** Everything that is wrong, in words. Sends the statements of both accounts, as an admin would. */
export async function auditLists(campus: Campus): Promise<string[]> {
  const { d1, mPesa, isPulled, stage } = campus;
  const wrong: string[] = [];
  const rows = async <Row>(query: string) => (await d1.prepare(query).all<Row>()).results;

  // Where lists are pulled, nothing that a buyer paid is unknown by now.
  const open = await rows<{ subject: string }>("SELECT subject FROM discrepancies WHERE resolved_at IS NULL");
  const told = new Set(open.map(({ subject }) => subject));
  const attempts = await rows<{ id: string; token: string; state: string; receipt: string | null }>(
    "SELECT id, callback_token AS token, state, receipt FROM payment_attempts",
  );
  const waiting = async () =>
    new Set((await rows<{ id: string }>("SELECT id FROM unmatched_lines WHERE closed_at IS NULL")).map(({ id }) => id));
  const before = await waiting();
  for (const prompt of isPulled ? mPesa.records().prompts.filter(hasMoved) : []) {
    const own = attempts.find(({ token }) => prompt.callback_url.endsWith(token));
    const isMatched = attempts.some(({ state, receipt }) => state === "succeeded" && receipt === prompt.receipt);
    const isListed = before.has(`missing_here:${prompt.receipt}`) || before.has(`different:${prompt.receipt}`);
    if (!isMatched && !isListed && !told.has(own?.id ?? ""))
      wrong.push(`payment ${prompt.receipt} was pulled, and is neither matched nor on a list`);
  }

  const store = { db: openDatabase(d1), now: () => stage.now };
  for (const account of ["collection", "payouts"] as const) {
    const statement = readOwn(campus, account);
    if (statement === null) continue;
    const period = { source: "statement", account, ...statement } as const;
    const comparison = await compareWithRecords(store, period);
    const list = { ...period, id: `the ${account}`, learned: 0, sentBy: null };
    await keepComparison(store, list, comparison);
    const after = await waiting();
    const { equal, unmatched } = comparison;
    if (equal.length + unmatched.filter(({ line }) => line !== null).length !== statement.lines.length)
      wrong.push(`the statement of ${account} has ${statement.lines.length} lines, and not each is matched or listed`);
    if (new Set(equal.map(({ record }) => record.id)).size !== equal.length)
      wrong.push(`the statement of ${account} matches a record twice`);
    for (const { id } of unmatched) if (!after.has(id)) wrong.push(`${id} of ${account} is on no list`);
    // We never count what M-Pesa didn't do, unless somebody is told.
    for (const { id, record } of unmatched)
      if (id.startsWith("missing_there") && record?.receipt && !told.has(record.id))
        wrong.push(`${record.kind} ${record.id} counts with receipt ${record.receipt}, which M-Pesa doesn't list`);
  }
  return wrong;
}

/** M-Pesa's statement of all time, read as an admin's file is. Null if nothing happened on that account. */
function readOwn({ mPesa, stage }: Campus, account: "collection" | "payouts"): Statement | null {
  const csv = statementOf(mPesa.object, { account, from: 0, until: stage.now });
  const reading = readStatement(new TextEncoder().encode(csv));
  return reading.ok ? reading.statement : null;
}
