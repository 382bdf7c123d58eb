/**
 * A stand-in for D1's read replicas: one replica, which shows what the primary was `LAG_MS` ago by a clock that only the test
 * moves. It follows D1's documentation: a session begins at the primary or at a bookmark; a replica behind the
 * bookmark passes the query on to the primary; a bookmark that is none is refused.
 */
import { env } from "cloudflare:workers";
import { wrapDatabase } from "#app/db/wrapped-database.ts";

export const LAG_MS = 5_000;

interface Snapshot {
  at: number;
  bookmark: string;
  tables: Map<string, Record<string, unknown>[]>;
}

export interface ReplicaStandIn {
  /** For the binding DB. */
  database: D1Database;
  /** Moves the replica's clock on. */
  advance(ms: number): void;
  /** Whether the replica's network is gone. */
  down: boolean;
  /** Who answered the queries, in order. Forgotten by `forget`. */
  answeredBy: ("primary" | "replica")[];
  forget(): void;
  /** The state of the replica. */
  position(): string;
}

/** How often the primary was written to. Local bookmarks grow with every query, and D1's with every write. */
let writes = 0;

function bookmarkNow(): string {
  return `00000000-${writes.toString(16).padStart(8, "0")}-00000000-${"0".repeat(32)}`;
}

const BOOKMARK = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;
const CHANGES = /\b(?:INSERT|UPDATE|DELETE)\b/i;

/** Begins with a replica that has everything that is in the primary now. */
export async function startReplica(): Promise<ReplicaStandIn> {
  const tables = await prepareReplica();
  let now = 0;
  let applied = await takeSnapshot(tables, now);
  await copy(applied);
  let waiting: Snapshot[] = [];

  async function catchUp(): Promise<void> {
    const due = waiting.filter(({ at }) => at <= now - LAG_MS);
    const last = due.at(-1);
    if (!last) return;
    waiting = waiting.slice(due.length);
    await copy(last);
    applied = last;
  }

  async function query<Answer>(
    session: { start: string },
    queries: string[],
    ask: (target: D1DatabaseSession) => Promise<Answer>,
  ): Promise<Answer> {
    const { start } = session;
    if (start !== "first-primary" && !BOOKMARK.test(start)) throw new Error(`D1_ERROR: invalid bookmark: ${start}`);
    await catchUp();
    const changes = queries.some((text) => CHANGES.test(text));
    if (start !== "first-primary" && start <= applied.bookmark && !changes) {
      if (standIn.down) throw new Error("D1_ERROR: Network connection lost.");
      standIn.answeredBy.push("replica");
      return asReplicas(await ask(env.REPLICA.withSession("first-primary")));
    }
    standIn.answeredBy.push("primary");
    const answer = await ask(env.DB.withSession("first-primary"));
    if (changes) writes += 1;
    session.start = bookmarkNow();
    if (changes) waiting.push(await takeSnapshot(tables, now));
    return answer;
  }

  function openSession(start: string) {
    const session = { start };
    return {
      ...wrapDatabase((queries, work) => query(session, queries, work)),
      getBookmark: () => (session.start === "first-primary" ? null : session.start),
    };
  }

  const standIn: ReplicaStandIn = {
    database: {
      prepare: () => refuse(),
      batch: () => refuse(),
      withSession: (start = "first-unconstrained") => openSession(start),
    } as unknown as D1Database, // what the app may use of it
    advance: (ms) => (now += ms),
    down: false,
    answeredBy: [],
    forget: () => (standIn.answeredBy = []),
    position: () => applied.bookmark,
  };
  return standIn;
}

/** The app reads bookmarks, so it opens a session for every query. */
function refuse(): never {
  throw new Error("A query outside a session");
}

/** An answer with the meta that D1 gives to a replica's. */
function asReplicas<Answer>(answer: Answer): Answer {
  for (const part of (Array.isArray(answer) ? answer : [answer]) as ({ meta?: D1Meta } | null)[])
    if (part?.meta) part.meta.served_by_primary = false;
  return answer;
}

/** Makes the replica's tables, without triggers, because rows arrive as they are. Returns the names of those to copy. */
async function prepareReplica(): Promise<string[]> {
  const { results: existing } = await env.REPLICA.prepare("SELECT name FROM sqlite_master LIMIT 1").all();
  if (existing.length === 0) {
    const statements = env.TEST_SCHEMA.filter((statement) => !/^CREATE TRIGGER/i.test(statement));
    await env.REPLICA.batch(statements.map((statement) => env.REPLICA.prepare(statement)));
  }
  const { results: tables } = await env.DB.prepare(
    // Without the tables of the search, which fill themselves.
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'
      AND name NOT LIKE '%\\_search%' ESCAPE '\\'`,
  ).all<{ name: string }>();
  return tables.map(({ name }) => name);
}

async function takeSnapshot(tables: string[], at: number): Promise<Snapshot> {
  const session = env.DB.withSession("first-primary");
  const answers = await session.batch<Record<string, unknown>>(
    tables.map((name) => session.prepare(`SELECT * FROM ${name}`)),
  );
  const rows = new Map(tables.map((name, index) => [name, answers[index]?.results ?? []]));
  return { at, bookmark: bookmarkNow(), tables: rows };
}

async function copy({ tables }: Snapshot): Promise<void> {
  const statements = [env.REPLICA.prepare("PRAGMA defer_foreign_keys = ON")];
  for (const name of tables.keys()) statements.push(env.REPLICA.prepare(`DELETE FROM ${name}`));
  for (const [name, rows] of tables) {
    for (const row of rows) {
      const columns = Object.keys(row);
      const values = Object.values(row).map((value) => (Array.isArray(value) ? new Uint8Array(value) : value));
      statements.push(
        env.REPLICA.prepare(
          `INSERT INTO ${name} (${columns.map((column) => `"${column}"`).join()}) VALUES (${columns.map(() => "?").join()})`,
        ).bind(...values),
      );
    }
  }
  await env.REPLICA.batch(statements);
}
