/**
 * One HTTP exchange with Safaricom: a time limit, retries if a repeat is harmless, and the answer as text. Never
 * throws.
 */

/** `lost`: no answer came, so it is unknown what happened on the other side. */
export type Sent = { kind: "answer"; status: number; text: string } | { kind: "lost"; code: "timeout" | "network" };

/** The part of `fetch` that is used. That of a service binding works, too. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Exchange {
  url: string;
  init: RequestInit;
  /** The time limit of all attempts together, in ms. */
  timeoutMs: number;
  /** How many attempts after network failures. More than 1 only if a repeat is harmless. */
  tries: number;
}

/** The pause between two attempts, in ms. */
const PAUSE_MS = 1000;
const MAX_TEXT = 64 * 1024;

/** Sends and reads the whole answer as text. A time-out isn't retried, because no time is left. */
export async function exchange(sending: Exchange, fetch: Fetch, wait: (ms: number) => Promise<void>): Promise<Sent> {
  const signal = AbortSignal.timeout(sending.timeoutMs);
  for (let attempt = 1; ; attempt += 1) {
    try {
      // A redirect would carry the access token to another address.
      const response = await fetch(sending.url, { ...sending.init, redirect: "manual", signal });
      return { kind: "answer", status: response.status, text: (await response.text()).slice(0, MAX_TEXT) };
    } catch {
      if (signal.aborted) return { kind: "lost", code: "timeout" };
      if (attempt >= sending.tries) return { kind: "lost", code: "network" };
    }
    await wait(PAUSE_MS);
    if (signal.aborted) return { kind: "lost", code: "timeout" };
  }
}
