/**
 * The database, of which D1 keeps copies in other regions. Only a session of D1 (`withSession`) ever reads a copy, so this
 * is the one place that opens sessions.
 */

import { wrapDatabase } from "./wrapped-database.ts";

/** A query that changes nothing. `WITH` may also begin a change, so the rest of such a query is looked at, too. */
export function isRead(query: string): boolean {
  return /^\s*(?:SELECT\b|WITH\b(?![\s\S]*\b(?:INSERT|UPDATE|DELETE|REPLACE\s+INTO)\b))/i.test(query);
}

interface NearestOptions {
  /** The bookmark that a replica must have reached; null if the primary must answer. Awaited before the first query. */
  startAt: Promise<string | null>;
  /** Called once, when a replica failed and the primary takes over. */
  onReplicaFailure(error: unknown): void;
}

/** Every query goes to the primary. */
export function openPrimary(d1: D1Database): ReplicatedDatabase {
  return new ReplicatedDatabase(d1, null);
}

/**
 * Reads may go to the nearest replica, until the first write or failure or a call of `usePrimary`. Writes always go to the
 * primary.
 */
export function openNearest(d1: D1Database, options: NearestOptions): ReplicatedDatabase {
  return new ReplicatedDatabase(d1, options);
}

/** What one request or job sees of the database. */
export class ReplicatedDatabase {
  readonly #d1: D1Database;
  #nearest: NearestOptions | null;
  #session: Promise<D1DatabaseSession | null> | null = null;
  #replicaAnswered = false;
  #bookmark: string | null = null;
  #wrote = false;

  constructor(d1: D1Database, nearest: NearestOptions | null) {
    this.#d1 = d1;
    this.#nearest = nearest;
  }

  /** The same as a D1 database. */
  get d1(): D1Database {
    return wrapDatabase((queries, work) => this.#ask(queries, work));
  }

  /** From now on the primary answers. Returns whether a replica may have answered until now. */
  usePrimary(): boolean {
    this.#nearest = null;
    const replicaAnswered = this.#replicaAnswered;
    this.#replicaAnswered = false;
    return replicaAnswered;
  }

  /** The newest state of the primary that was seen; null before its first answer. */
  get bookmark(): string | null {
    return this.#bookmark;
  }

  /** The primary's state after the last write; null if nothing was written. */
  get writtenBookmark(): string | null {
    return this.#wrote ? this.#bookmark : null;
  }

  async #ask<Answer>(queries: string[], ask: (session: D1DatabaseSession) => Promise<Answer>): Promise<Answer> {
    const reads = queries.every(isRead);
    const session = reads ? await this.#openSession() : null;
    if (session) {
      try {
        const answer = await ask(session);
        if (!isFromPrimary(answer)) this.#replicaAnswered = true;
        return answer;
      } catch (error) {
        // Whatever the reason is: the primary answers, or fails for the same reason.
        this.#nearest?.onReplicaFailure(error);
        this.#nearest = null;
      }
    }
    // A session that goes on after its first query may read replicas. So each query has one of its own.
    const primary = this.#d1.withSession("first-primary");
    if (!reads) this.#nearest = null;
    const answer = await ask(primary);
    this.#note(primary.getBookmark());
    if (!reads) this.#wrote = true;
    return answer;
  }

  async #openSession(): Promise<D1DatabaseSession | null> {
    if (!this.#nearest) return null;
    this.#session ??= this.#nearest.startAt.then((bookmark) =>
      bookmark === null ? null : this.#d1.withSession(bookmark),
    );
    const session = await this.#session;
    if (session === null) this.#nearest = null;
    // Meanwhile another query may have turned to the primary.
    return this.#nearest && session;
  }

  #note(bookmark: string | null): void {
    this.#bookmark = newestBookmark(this.#bookmark, bookmark);
  }
}

/** The newer of two bookmarks. D1's bookmarks sort as texts, from the oldest to the newest. */
export function newestBookmark(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? other : one;
}

/** Whether D1 says that the primary gave the answer. An answer without D1's meta may come from anywhere. */
function isFromPrimary(answer: unknown): boolean {
  const [first] = (Array.isArray(answer) ? answer : [answer]) as { meta?: D1Meta }[];
  return first?.meta?.served_by_primary === true;
}
