import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { gatewayTo } from "#tests/support/daraja-gateway.ts";
import {
  createTokenHolder,
  type HeldToken,
  type TokenFailure,
  type TokenHolder,
} from "#workers/daraja/token-holder.ts";

const HOUR_MS = 3_599_000;
const failure: TokenFailure = { kind: "none", code: "timeout", message: "No answer", isOurs: false };

/** Safaricom's token endpoint: each token it hands out ends the one before. */
class TokenEndpoint {
  minted = 0;
  alive = "";
  constructor(private readonly lifeMs = HOUR_MS) {}

  mint = async () => {
    this.minted += 1;
    const accessToken = `token-${this.minted}`;
    await scheduler.wait(20);
    this.alive = accessToken;
    return { kind: "minted" as const, accessToken, lifeMs: this.lifeMs };
  };
}

/** A holder in another isolate. They share only the row. */
function isolate(clock: { now: number } = { now: 1_000_000 }): TokenHolder {
  return createTokenHolder(env.DB, { now: () => clock.now, pollMs: 5, maxWaitMs: 2000 });
}

async function readRow() {
  return env.DB.prepare("SELECT * FROM daraja_tokens").first<{
    access_token: string | null;
    generation: number;
    refreshing_until: number;
  }>();
}

function tokenOf(held: HeldToken | TokenFailure): string {
  return held.kind === "token" ? held.accessToken : `none: ${held.code}`;
}

beforeEach(async () => {
  await env.DB.prepare("DELETE FROM daraja_tokens").run();
});

test("twenty isolates that start at once fetch one token between them", async () => {
  const endpoint = new TokenEndpoint();
  const held = await Promise.all(Array.from({ length: 20 }, () => isolate().current(endpoint.mint)));
  expect(endpoint.minted).toBe(1);
  expect(new Set(held.map(tokenOf))).toEqual(new Set(["token-1"]));
  expect(await readRow()).toMatchObject({ access_token: "token-1", generation: 1, refreshing_until: 0 });
});

test("a token is used until two minutes before its end", async () => {
  const endpoint = new TokenEndpoint();
  const clock = { now: 1_000_000 };
  await isolate(clock).current(endpoint.mint);
  clock.now += HOUR_MS - 120_001;
  expect(tokenOf(await isolate(clock).current(endpoint.mint))).toBe("token-1");
  clock.now += 1;
  expect(tokenOf(await isolate(clock).current(endpoint.mint))).toBe("token-2");
});

test("a token that lives a minute is used for most of it, not fetched for every call", async () => {
  const endpoint = new TokenEndpoint(60_000);
  const clock = { now: 1_000_000 };
  await isolate(clock).current(endpoint.mint);
  clock.now += 53_999;
  expect(tokenOf(await isolate(clock).current(endpoint.mint))).toBe("token-1");
  clock.now += 1;
  expect(tokenOf(await isolate(clock).current(endpoint.mint))).toBe("token-2");
});

test("twenty isolates whose token was refused fetch one new token between them", async () => {
  const endpoint = new TokenEndpoint();
  await isolate().current(endpoint.mint);
  const held = await Promise.all(Array.from({ length: 20 }, () => isolate().renew(1, endpoint.mint)));
  expect(endpoint.minted).toBe(2);
  expect(new Set(held.map(tokenOf))).toEqual(new Set([endpoint.alive]));
});

test("an isolate that comes late with an old refusal takes the newer token and leaves it alone", async () => {
  const endpoint = new TokenEndpoint();
  await isolate().current(endpoint.mint);
  await isolate().renew(1, endpoint.mint);
  expect(tokenOf(await isolate().renew(1, endpoint.mint))).toBe("token-2");
  expect(endpoint.minted).toBe(2);
});

test("a fetch that fails gives the lease back at once", async () => {
  expect(await isolate().current(async () => failure)).toEqual(failure);
  expect(await readRow()).toMatchObject({ access_token: null, generation: 0, refreshing_until: 0 });
  expect(tokenOf(await isolate().current(new TokenEndpoint().mint))).toBe("token-1");
});

test("an isolate that dies while it fetches holds the others up only until its lease ends", async () => {
  const clock = { now: 1_000_000 };
  void isolate(clock).current(() => new Promise(() => {}));
  await scheduler.wait(20);
  expect(await readRow()).toMatchObject({ refreshing_until: 1_012_000 });
  const endpoint = new TokenEndpoint();
  const waiting = isolate(clock).current(endpoint.mint);
  await scheduler.wait(30);
  expect(endpoint.minted).toBe(0);
  clock.now += 12_000;
  expect(tokenOf(await waiting)).toBe("token-1");
});

test("an isolate that fetched too slowly does not overwrite what another has fetched since", async () => {
  const clock = { now: 1_000_000 };
  const gate = Promise.withResolvers<void>();
  const slow = isolate(clock).current(async () => {
    await gate.promise;
    return { kind: "minted", accessToken: "too-late", lifeMs: HOUR_MS };
  });
  await scheduler.wait(20);
  clock.now += 12_000;
  await isolate(clock).current(new TokenEndpoint().mint);
  gate.resolve();
  expect(tokenOf(await slow)).toBe("token-1");
  expect(await readRow()).toMatchObject({ access_token: "token-1", generation: 1 });
});

test("whoever waits too long for another's fetch goes away without a token", async () => {
  void isolate().current(() => new Promise(() => {}));
  await scheduler.wait(20);
  const shortWaitHolder = createTokenHolder(env.DB, { now: () => 1_000_000, pollMs: 5, maxWaitMs: 20 });
  expect(await shortWaitHolder.current(new TokenEndpoint().mint)).toMatchObject({
    kind: "none",
    code: "token_wait",
    isOurs: false,
  });
});

test("applications do not share a token", async () => {
  const endpoint = new TokenEndpoint();
  for (const app of ["one", "two", "one"])
    await createTokenHolder(env.DB, { app, now: () => 1_000_000 }).current(endpoint.mint);
  expect(endpoint.minted).toBe(2);
});

test("twenty isolates keep calling through an invalidated token: every call gets through, with one new token", async () => {
  const endpoint = new TokenEndpoint();
  const provider = async (url: string, init: RequestInit): Promise<Response> => {
    if (url.includes("/oauth/")) {
      const token = await endpoint.mint();
      return Response.json({ access_token: token.accessToken, expires_in: "3599" });
    }
    const isAlive = new Headers(init.headers).get("Authorization") === `Bearer ${endpoint.alive}`;
    if (!isAlive)
      return Response.json(
        { requestId: "1-2-3", errorCode: "404.001.03", errorMessage: "Invalid Access Token" },
        { status: 404 },
      );
    return Response.json({ ResponseCode: "0", CheckoutRequestID: "ws_CO_1", ResultCode: "0", ResultDesc: "Processed" });
  };
  await isolate().current(endpoint.mint);
  // Somebody else fetched a token with our keys. Ours is invalid, and nobody has told us.
  endpoint.alive = "somebody-else's";
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () =>
      gatewayTo({ fetch: provider, tokens: isolate(), now: () => 1_000_000 }).queryPush("ws_CO_1"),
    ),
  );
  expect(outcomes.filter((outcome) => outcome.kind === "done")).toHaveLength(20);
  expect(endpoint.minted).toBe(2);
});
