/**
 * One access token for all isolates. A new token invalidates the one before (docs/m-pesa.md, "Facts that shape the
 * design"), so isolates with their own tokens would invalidate each other's. The token is in one row of D1. The holder
 * of the row's lease fetches a new one; the others wait.
 */

export interface HeldToken {
  kind: "token";
  accessToken: string;
  /** Increases with each token. Tells which token failed. */
  generation: number;
}

/**
 * No token. `isOurs`: the provider refused our keys, and will refuse them again. Otherwise the provider or our database
 * couldn't be reached.
 */
export interface TokenFailure {
  kind: "none";
  code: string;
  message: string;
  isOurs: boolean;
}

/** Fetches a new token from the provider. Never throws. `lifeMs`: how long it is valid. */
export type MintToken = () => Promise<{ kind: "minted"; accessToken: string; lifeMs: number } | TokenFailure>;

export interface TokenHolder {
  /** The current token, or a new one if there is none or it ends soon. */
  current(mint: MintToken): Promise<HeldToken | TokenFailure>;
  /** A token newer than `failedGeneration`, which the provider refused. Fetched only if nobody else has done so. */
  renew(failedGeneration: number, mint: MintToken): Promise<HeldToken | TokenFailure>;
}

export interface TokenHolderOptions {
  /** The provider's application that the token belongs to: one row each. */
  app?: string;
  /** Milliseconds since 1970. */
  now?(): number;
  /** Waits for that many milliseconds. */
  wait?(ms: number): Promise<void>;
  /** How long one isolate may take to fetch before another tries, in ms. Longer than a fetch can take. */
  leaseMs?: number;
  pollMs?: number;
  /**
   * How long to wait for another isolate's fetch before giving up, in ms. Longer than the lease, in case that isolate
   * died.
   */
  maxWaitMs?: number;
}

interface TokenRow {
  access_token: string | null;
  expires_at: number | null;
  generation: number;
}

/** A token is renewed this long before its end (docs/m-pesa.md, "Access tokens"). */
const RENEW_EARLY_MS = 120_000;

/**
 * A token holder on D1. It keeps nothing in memory, so every isolate sees a renewal at once. After a change of keys,
 * the old token is refused once and then replaced. Errors of the database are thrown.
 */
export function createTokenHolder(db: D1Database, options: TokenHolderOptions = {}): TokenHolder {
  const { app = "daraja", now = Date.now, leaseMs = 12_000, pollMs = 150, maxWaitMs = 15_000 } = options;
  const wait = options.wait ?? ((ms) => scheduler.wait(ms));

  async function current(mint: MintToken): Promise<HeldToken | TokenFailure> {
    for (let waited = 0; waited <= maxWaitMs; waited += pollMs) {
      const row = await readRow();
      const held = row === null ? null : readHeld(row, now());
      if (held !== null) return held;
      const lease = await takeLease(row?.generation ?? 0);
      if (lease !== null) return mintUnder(lease, mint);
      await wait(pollMs);
    }
    return {
      kind: "none",
      code: "token_wait",
      message: "Another request is still fetching an access token",
      isOurs: false,
    };
  }

  async function renew(failedGeneration: number, mint: MintToken): Promise<HeldToken | TokenFailure> {
    await db
      .prepare("UPDATE daraja_tokens SET access_token = NULL, expires_at = NULL WHERE id = ? AND generation = ?")
      .bind(app, failedGeneration)
      .run();
    return current(mint);
  }

  async function readRow(): Promise<TokenRow | null> {
    return db
      .prepare("SELECT access_token, expires_at, generation FROM daraja_tokens WHERE id = ?")
      .bind(app)
      .first<TokenRow>();
  }

  async function takeLease(generation: number): Promise<Lease | null> {
    const from = now();
    const until = from + leaseMs;
    const taken = await db
      .prepare(
        `INSERT INTO daraja_tokens (id, generation, refreshing_until) VALUES (?1, 0, ?2)
         ON CONFLICT (id) DO UPDATE SET refreshing_until = excluded.refreshing_until
         WHERE daraja_tokens.refreshing_until <= ?3 AND daraja_tokens.generation = ?4
         RETURNING generation`,
      )
      .bind(app, until, from, generation)
      .first<{ generation: number }>();
    return taken === null ? null : { generation: taken.generation, until };
  }

  async function mintUnder(lease: Lease, mint: MintToken): Promise<HeldToken | TokenFailure> {
    const startedAt = now();
    const minted = await mint();
    if (minted.kind === "none") {
      await release(lease);
      return minted;
    }
    const expiresAt = startedAt + minted.lifeMs - Math.min(RENEW_EARLY_MS, minted.lifeMs / 10);
    const generation = await store(lease, minted.accessToken, Math.floor(expiresAt));
    // Not stored, because the lease ended and another isolate fetched, too. Which of the two tokens is valid shows in
    // use.
    return generation === null ? current(mint) : { kind: "token", accessToken: minted.accessToken, generation };
  }

  async function store(lease: Lease, accessToken: string, expiresAt: number): Promise<number | null> {
    const stored = await db
      .prepare(
        `UPDATE daraja_tokens SET access_token = ?, expires_at = ?, generation = generation + 1, refreshing_until = 0
         WHERE id = ? AND generation = ? AND refreshing_until = ? RETURNING generation`,
      )
      .bind(accessToken, expiresAt, app, lease.generation, lease.until)
      .first<{ generation: number }>();
    return stored?.generation ?? null;
  }

  async function release(lease: Lease): Promise<void> {
    await db
      .prepare("UPDATE daraja_tokens SET refreshing_until = 0 WHERE id = ? AND generation = ? AND refreshing_until = ?")
      .bind(app, lease.generation, lease.until)
      .run();
  }

  return { current, renew };
}

/** The guard: no other lease on the same generation ends at the same millisecond while this one is held. */
interface Lease {
  generation: number;
  until: number;
}

function readHeld(row: TokenRow, now: number): HeldToken | null {
  if (row.access_token === null || row.expires_at === null || row.expires_at <= now) return null;
  return { kind: "token", accessToken: row.access_token, generation: row.generation };
}
