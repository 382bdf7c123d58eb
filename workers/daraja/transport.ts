/** One HTTP exchange with Safaricom: a time limit, tries where a repeat is harmless, text out. Never throws. */

/** `lost`: no answer came, which says nothing about what happened on the other side. */
export type Sent = { kind: "answer"; status: number; text: string } | { kind: "lost"; code: "timeout" | "network" };

/** The part of `fetch` that is used; a service binding's does as well. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Exchange {
  url: string;
  init: RequestInit;
  /** The limit for all tries together, ms. */
  timeoutMs: number;
  /** How often to try on network failure. More than 1 only where a repeat is harmless. */
  tries: number;
}

/** The pause between two tries, ms. */
const PAUSE_MS = 1000;
const MAX_TEXT = 64 * 1024;

/** Sends and reads the whole answer as text. A time-out is not tried again: its time is spent. */
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
