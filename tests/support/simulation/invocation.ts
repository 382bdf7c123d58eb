/** One invocation of the app in a simulation, and the campus that it runs on. */
import { openDatabase } from "#app/db/client.ts";
import { JOB_PATIENCE, PAGE_PATIENCE } from "#app/db/patience.ts";
import type { CallbackKind } from "#app/payments/answers/callbacks.server.ts";
import type { DealServices } from "#app/deals/deal-services.ts";
import { callbackKindOf } from "#workers/daraja/callback-urls.ts";
import { createTokenHolder } from "#workers/daraja/token-holder.ts";
import type { WireAnswer } from "#workers/sandbox/wire-answer.ts";
import { gatewayTo } from "#tests/support/daraja-gateway.ts";
import { databaseThrough } from "#tests/support/faults.ts";
import type { FaultRates } from "./faults.ts";
import type { Outage } from "./outages.ts";
import type { Person } from "./people.ts";
import type { Stage, Worker } from "./stage.ts";
import type { StagedMPesa } from "./staged-m-pesa.ts";
import type { Theft } from "./thieves.ts";
import { type KeptObjects, stepwiseBucket } from "./stepwise-bucket.ts";
import type { Stalls } from "./stalls.ts";

const SECOND = 1000;

/** The range of how many people and orders there are. */
export interface Size {
  sellers: readonly [number, number];
  buyers: readonly [number, number];
  orders: readonly [number, number];
}
export interface Campus {
  d1: D1Database;
  /** What the private bucket keeps, by key. */
  kept: KeptObjects;
  /** When the database is away. */
  stalls: Stalls;
  stage: Stage;
  size: Size;
  faultRates: FaultRates;
  mPesa: StagedMPesa;
  sellers: Person[];
  buyers: Person[];
  /** The ids of the two admins. */
  admin: string;
  secondAdmin: string;
  /** The ids of people who cannot log in now: their account is deleted or suspended. */
  away: Set<string>;
  /** How long a buyer can report a problem, in hours. 0: not at all. */
  inspectionHours: number;
  /** The job pulls M-Pesa's list of payments. */
  isPulled: boolean;
  /** A buyer and a seller block each other, or one the other. */
  hasQuarrel: boolean;
  /** Somebody knows the sellers' passwords. */
  hasThieves: boolean;
  thefts: Theft[];
  /** From then on everything works, ms since 1970. */
  faultsEndAt: number;
  areFaultsOver: boolean;
  /** What didn't work on the last day; null where everything did. */
  outage: Outage | null;
}

/** The services of one worker: the real ones, except that every access to the outside is a step. */
export function servicesOf(
  { d1: real, kept, stalls, stage, mPesa, faultRates, inspectionHours, isPulled }: Campus,
  worker: Worker,
): DealServices {
  const d1 = databaseThrough(real, (work) => worker.step(() => stalls.pass(work)));
  const now = () => stage.now;
  const wait = (ms: number) => worker.pause(ms);
  const log = () => {};
  const exchange = async (url: string, init: RequestInit): Promise<Response> => {
    const answer = await worker.step(async () => mPesa.answer(url, init));
    const takes = stage.chance.happens(0.3) ? stage.chance.between(0, 25 * SECOND) : 400;
    await worker.pause(takes);
    return responseOf(answer);
  };
  return {
    db: openDatabase(d1, {
      now,
      wait,
      repeatForMs: worker.name.startsWith("job") ? JOB_PATIENCE.repeatForMs : PAGE_PATIENCE.repeatForMs,
      tryMs: Infinity,
    }),
    documents: stepwiseBucket(kept, worker),
    now,
    log,
    pause: wait,
    notifier: { send: async () => {}, endSessions: async () => {} },
    deals: { inspectionHours, codeKey: "simulation" },
    payments: {
      mode: "production",
      querySpacingMs: faultRates.spikeArrest ? 12 * SECOND : 0,
      pullNumber: isPulled ? "254722000000" : "",
    },
    gateway: gatewayTo({ fetch: exchange, tokens: createTokenHolder(d1, { now, wait }), now, wait }),
  };
}

/** What the client reads of an answer. */
export function responseOf({ status, text }: WireAnswer): Response {
  return { status, text: async () => text } as Response;
}

/** The kind and the token in the address of a callback. */
export function readCallbackUrl(url: string): { kind: CallbackKind; token: string } {
  const [, , , segment = "", token = ""] = new URL(url).pathname.split("/");
  const kind = callbackKindOf(segment);
  if (!kind) throw new Error(`M-PESA calls ${url}`);
  return { kind, token };
}

/** One invocation of the app. With faults on, it may be stopped anywhere. */
export function invoke(campus: Campus, name: string, work: (services: DealServices) => Promise<unknown>): void {
  const risk = campus.areFaultsOver ? 0 : campus.faultRates.stops;
  campus.stage.start(name, (worker) => work(servicesOf(campus, worker)), risk);
}
