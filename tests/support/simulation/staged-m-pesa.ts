/** The pretend M-Pesa on the stage: the stage's clock lets its time pass, and its faults are drawn from the seed. */
import { env } from "cloudflare:workers";
import { API_NAMES, APIS, MPesa } from "#workers/sandbox/m-pesa.ts";
import { merchantOf } from "#workers/sandbox/merchant.ts";
import type { PayoutRow, PromptRow, ReversalRow } from "#workers/sandbox/store.ts";
import type { WireAnswer } from "#workers/sandbox/wire-answer.ts";
import type { SeededFaults } from "./faults.ts";
import type { Stage } from "./stage.ts";

/** What our accounts have, in KES: enough for everything. */
const FLOAT = 1_000_000_000;

/** Posts a body to one of our addresses, once. */
export type Post = (url: string, body: string) => void;

/** What M-Pesa did, in the order of the requests. */
export interface Records {
  prompts: PromptRow[];
  payouts: PayoutRow[];
  reversals: ReversalRow[];
}

export class StagedMPesa {
  readonly faults: SeededFaults;
  readonly object: MPesa;
  readonly #stage: Stage;
  readonly #post: Post;
  /** When the stage lets it act next, ms. */
  #wakesAt = Number.POSITIVE_INFINITY;

  constructor(stage: Stage, storage: DurableObjectStorage, faults: SeededFaults, post: Post) {
    this.faults = faults;
    this.object = new MPesa({
      storage,
      merchant: merchantOf(env),
      pace: "1",
      now: () => stage.now,
      random: (below) => stage.chance.below(below),
      chooser: faults,
    });
    this.object.change({ float: FLOAT });
    this.#stage = stage;
    this.#post = post;
  }

  /** Answers a request, or throws like a failed network. */
  answer(url: string, init: RequestInit): WireAnswer {
    try {
      return this.#answer(new URL(url), init);
    } finally {
      this.#arm();
    }
  }

  #answer({ pathname, searchParams }: URL, init: RequestInit): WireAnswer {
    const headers = new Headers(init.headers);
    const authorization = headers.get("Authorization") ?? undefined;
    if (pathname.startsWith("/oauth/"))
      return this.object.grantToken(authorization, searchParams.get("grant_type") ?? undefined);
    const api = API_NAMES.find((name) => APIS[name].path === pathname);
    if (!api) throw new Error(`M-Pesa has no ${pathname}`);
    const contentType = headers.get("Content-Type") ?? undefined;
    return this.object.call(api, { authorization, contentType, body: String(init.body) });
  }

  /** What it has done until now. */
  records(): Records {
    const { store } = this.object;
    return {
      prompts: store.listPrompts(-1).toReversed(),
      payouts: store.listPayouts(-1).toReversed(),
      reversals: store.listReversals(),
    };
  }

  #arm(): void {
    const due = this.object.nextDue();
    if (due === null || due >= this.#wakesAt) return;
    this.#wakesAt = due;
    this.#stage.later(due - this.#stage.now, () => {
      this.#wakesAt = Number.POSITIVE_INFINITY;
      this.#act();
      this.#arm();
    });
  }

  #act(): void {
    for (const { subject, event } of this.object.act()) {
      if (event.kind === "send") this.#post(event.url, event.body);
      else this.#stage.note(`${event.kind} ${subject.slice(-8)} is ${this.#codeOf(event.kind, subject)}`);
    }
  }

  #codeOf(kind: "prompt" | "payout" | "reversal", subject: string): string | null {
    const { store } = this.object;
    if (kind === "prompt") return store.findPrompt(subject)?.code ?? null;
    return (kind === "payout" ? store.findPayout(subject) : store.findReversal(subject))?.code ?? null;
  }
}

/** Whether M-Pesa took or sent the money. */
export function hasMoved({ code }: { code: string | null }): boolean {
  return code === "0";
}
