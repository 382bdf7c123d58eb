/**
 * Measures the live connection under load: many sockets on one machine, and how long a message takes from its sender to
 * the pages of its reader.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { createCookie } from "react-router";
import { unstable_readConfig } from "wrangler";
import { z } from "zod";
import { write } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { openDatabase } from "#app/db/client.ts";
import { messages } from "#app/messaging/tables.server.ts";
import { afterMessagesWritten } from "#app/messaging/sending/message-effects.server.ts";
import { threadOf } from "#app/messaging/message-rules.ts";
import { migrateLocalDatabase } from "#scripts/database.ts";
import { makeTemporaryFolder, root, stateFolder } from "#scripts/folders.ts";
import { ensureSecrets } from "#scripts/secrets.ts";
import { findFreePort } from "#scripts/free-port.ts";
import { serveLocalBuild } from "#scripts/serve.ts";
import { percentile } from "./load.ts";
import { again } from "./people.ts";

const USERS = 200;
const SOCKETS_A_USER = 5;
/** How many sockets are opened at the same time. */
const OPENED_AT_ONCE = 20;
/** How many messages are sent, one after each interval, whether or not the ones before have arrived. */
const STEADY_RATE = { messages: 400, everyMs: 50 };
const BUSY_SENDERS = 32;
/** Longer than the 10 s without events after which a hub sleeps. */
const WAIT_FOR_SLEEP_MS = 12_000;

const waitForSleep = () => new Promise((done) => setTimeout(done, WAIT_FOR_SLEEP_MS));

interface User {
  id: string;
  cookie: string;
  /** Ids of the people they write to. */
  other: string;
}

export interface LiveFigures {
  sockets: number;
  users: number;
  /** Bytes of workerd's memory for each open, idle socket. */
  bytesPerSocket: number;
  /** The same for an empty class that accepts the socket and does nothing else: workerd's own part. */
  bytesPerEmptySocket: number;
  /**
   * Bytes of our own objects, in the worker and in the hubs, for each open, idle socket, once V8 has collected garbage.
   */
  bytesOfObjects: number;
  /** From sending to the arrival on one page of the reader, in ms, at the rate of STEADY_RATE. */
  p50: number;
  p99: number;
  /**
   * How long a heartbeat on one of the sockets takes there and back, in the same minute, in ms. No code of ours answers
   * it, so it shows the part of workerd, of this program and of other work on the machine.
   */
  heartbeat: { p50: number; p99: number };
  /** Messages accepted and arrivals on pages in a second, with senders that never pause. */
  messagesPerSecond: number;
  arrivalsPerSecond: number;
}

/**
 * Opens the sockets of the built app with its own data, and writes for `milliseconds` without a pause. The data is in
 * memory where there is room, because Miniflare's D1 waits for the disk with each message.
 */
export async function measureLive(milliseconds: number): Promise<LiveFigures> {
  process.env.CHUONI_STATE = makeTemporaryFolder();
  await migrateLocalDatabase();
  const users = await settlePeople();
  const bytesPerEmptySocket = await measureEmptyHubs();
  const inspectorPort = await findFreePort();
  const server = await serveLocalBuild({ port: await findFreePort(), onLog: () => {}, inspectorPort });
  try {
    const arrivals = new Arrivals();
    // The first half warms the server up. The second half shows the memory of the sockets.
    const first = await openSockets(server.origin, users.slice(0, USERS / 2), arrivals);
    await waitForSleep();
    const before = workerdMemory();
    const second = await openSockets(server.origin, users.slice(USERS / 2), arrivals);
    await waitForSleep();
    const bytesPerSocket = Math.max(0, workerdMemory() - before) / second.length;
    const sockets = [...first, ...second];

    const { delays, heartbeats } = await sendSteadily(server.origin, users, arrivals, sockets);
    const busy = await exchange(server.origin, users, arrivals, milliseconds);
    await waitForSleep();
    const heap = await measureHeap(inspectorPort);
    for (const socket of sockets) socket.close();
    await waitForSleep();
    const bytesOfObjects = Math.max(0, heap - (await measureHeap(inspectorPort))) / sockets.length;
    const times = delays.toSorted((a, b) => a - b);
    const beats = heartbeats.toSorted((a, b) => a - b);
    return {
      sockets: sockets.length,
      users: users.length,
      bytesPerSocket,
      bytesPerEmptySocket,
      bytesOfObjects,
      p50: percentile(times, 0.5),
      p99: percentile(times, 0.99),
      heartbeat: { p50: percentile(beats, 0.5), p99: percentile(beats, 0.99) },
      messagesPerSecond: busy.sent / busy.seconds,
      arrivalsPerSecond: busy.delays.length / busy.seconds,
    };
  } finally {
    await server.stop();
  }
}

/** Prints what `measureLive` found. */
export function printLive(figures: LiveFigures): void {
  const { sockets, users, bytesPerSocket, bytesPerEmptySocket, bytesOfObjects, p50, p99, heartbeat } = figures;
  const { messagesPerSecond, arrivalsPerSecond } = figures;
  const kb = (bytes: number) => (bytes / 1000).toFixed(1);
  console.log(
    `\nLive channel, ${sockets.toLocaleString("en")} sockets of ${users} users: from sending to receipt, at ${1000 / STEADY_RATE.everyMs} messages/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms ` +
      `(a heartbeat there and back: p50 ${heartbeat.p50.toFixed(1)} ms, p99 ${heartbeat.p99.toFixed(1)} ms); at most ` +
      `${messagesPerSecond.toFixed(0)} messages/s, ${arrivalsPerSecond.toFixed(0)} arrivals/s; ${kb(bytesPerSocket)} kB an idle socket, of an empty class ${kb(bytesPerEmptySocket)} kB; our own objects, without garbage, ${kb(bytesOfObjects)} kB`,
  );
}

const HeapUsage = z.object({ usedSize: z.number() });

function readConfig() {
  return unstable_readConfig({ config: join(root, "wrangler.toml") });
}

const Bindings = z.object({
  d1_databases: z.tuple([z.object({ database_id: z.string() })]),
  kv_namespaces: z.tuple([z.object({ id: z.string() })]),
});

/** Pairs of people with a conversation, each logged in. */
async function settlePeople(): Promise<User[]> {
  const { d1_databases, kv_namespaces } = Bindings.parse(readConfig());
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: "export default {}",
      d1Databases: { DB: d1_databases[0].database_id },
      kvNamespaces: { SESSIONS: kv_namespaces[0].id },
      resourcePersistencePath: join(stateFolder(), "v3"),
    }),
  );
  try {
    const ids = Array.from({ length: USERS }, () => crypto.randomUUID());
    const people = JSON.stringify(
      ids.map((id, at) => ({
        id,
        other: ids[at ^ 1],
        thread: threadOf(id, ids[at ^ 1] ?? ""),
        message: crypto.randomUUID(),
      })),
    );
    const database = await miniflare.getD1Database("DB");
    const insert = (sql: string) => database.prepare(`${sql} FROM json_each(?)`).bind(people);
    await database.batch([
      insert(
        `INSERT INTO credentials (id, email, email_confirmed_at, created_at, updated_at)
          SELECT value ->> 'id', value ->> 'id' || '@bench.test', 1, 1, 1`,
      ),
      insert(
        `INSERT INTO profiles (id, email, full_name, search_name, campus_location, created_at, updated_at)
          SELECT value ->> 'id', value ->> 'id' || '@bench.test', 'Bench', 'bench', 'Main Campus', 1, 1`,
      ),
      insert(
        `INSERT INTO messages (id, thread, sender_id, recipient_id, message, sender_name, recipient_name, read,
          created_at) SELECT value ->> 'message', value ->> 'thread', value ->> 'id', value ->> 'other', 'Hi', 'Bench',
            'Bench', 1, 1`,
      ),
    ]);
    await write(
      openDatabase(database as unknown as D1Database),
      afterMessagesWritten(build.select({ id: messages.id }).from(messages)),
    );
    // Written in the format of the app's session storage, whose package runs in workerd only.
    const kv = await miniflare.getKVNamespace("SESSIONS");
    const cookie = createCookie("session", { secrets: (ensureSecrets().SESSION_SECRETS ?? "").split(",") });
    return await Promise.all(
      ids.map(async (id, at) => {
        const sessionId = crypto.randomUUID();
        await kv.put(
          sessionId,
          JSON.stringify({
            userId: id,
            epoch: 1,
            kept: true,
            startedAt: Date.now(),
            confirmed: { at: Date.now(), steps: 1 },
          }),
        );
        return { id, other: ids[at ^ 1] ?? "", cookie: (await cookie.serialize(sessionId)).split(";")[0] ?? "" };
      }),
    );
  } finally {
    await miniflare.dispose();
  }
}

/** Waits for messages by their key. Each must arrive on every socket of its reader. */
class Arrivals {
  readonly #due = new Map<
    string,
    { sentAt: number; delays: number[]; missing: number; done: (delays: number[]) => void }
  >();

  expect(key: string, sentAt: number): Promise<number[]> {
    return new Promise((done) => this.#due.set(key, { sentAt, delays: [], missing: SOCKETS_A_USER, done }));
  }

  note(userId: string, text: string): void {
    if (text === "pong") return;
    const event = JSON.parse(text) as { type: string; message?: { key: string; recipientId: string } };
    const due = event.message?.recipientId === userId ? this.#due.get(event.message.key) : undefined;
    if (!due || !event.message) return;
    due.delays.push(performance.now() - due.sentAt);
    due.missing -= 1;
    if (due.missing > 0) return;
    this.#due.delete(event.message.key);
    due.done(due.delays);
  }
}

const EMPTY_HUB = `
import { DurableObject } from "cloudflare:workers";
export class EmptyHub extends DurableObject {
  fetch() {
    const pair = new WebSocketPair();
    this.ctx.acceptWebSocket(pair[1]);
    return new Response(null, { status: 101, webSocket: pair[0] });
  }
}
export default { fetch: (request, env) => env.HUB.getByName(request.headers.get("cookie")).fetch(request) };`;

/** Opens as many sockets as the second half of the users has, to hubs that do nothing. Returns the bytes of one. */
async function measureEmptyHubs(): Promise<number> {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: EMPTY_HUB,
      compatibilityDate: readConfig().compatibility_date ?? "",
      durableObjects: { HUB: { className: "EmptyHub", useSQLite: true } },
    }),
  );
  try {
    const { origin } = await miniflare.ready;
    const open = async (from: number) => {
      const users = Array.from({ length: USERS / 2 }, (_, at) => ({ id: "", other: "", cookie: `hub=${from + at}` }));
      const sockets = await openSockets(origin, users, new Arrivals());
      await waitForSleep();
      return sockets;
    };
    const first = await open(0);
    const before = workerdMemory();
    const second = await open(USERS / 2);
    const bytes = Math.max(0, workerdMemory() - before) / second.length;
    for (const socket of [...first, ...second]) socket.close();
    return bytes;
  } finally {
    await miniflare.dispose();
  }
}

async function openSockets(origin: string, users: User[], arrivals: Arrivals): Promise<WebSocket[]> {
  const wanted = users.flatMap((user) => Array.from({ length: SOCKETS_A_USER }, () => user));
  const sockets: WebSocket[] = [];
  async function opener(): Promise<void> {
    for (let user = wanted.pop(); user; user = wanted.pop()) sockets.push(await openSocket(origin, user, arrivals));
  }
  await Promise.all(Array.from({ length: OPENED_AT_ONCE }, opener));
  return sockets;
}

/** Node's sockets accept headers. The type is the browser's, which doesn't have them. */
const HeaderedSocket = WebSocket as unknown as new (
  url: string,
  options: { headers: Record<string, string> },
) => WebSocket;

function openSocket(origin: string, { id, cookie }: User, arrivals: Arrivals): Promise<WebSocket> {
  return new Promise((done, fail) => {
    const socket = new HeaderedSocket(`${origin.replace("http", "ws")}/live`, { headers: { cookie, origin } });
    socket.addEventListener("open", () => done(socket));
    socket.addEventListener("error", () => fail(new Error("A socket could not be opened.")));
    socket.addEventListener("message", ({ data }) => arrivals.note(id, String(data)));
  });
}

interface Written {
  sent: number;
  seconds: number;
  delays: number[];
}

/**
 * Sends one message and waits until the last page has it. Returns the delays of its arrivals, or null when somebody
 * reached a limit.
 */
async function send(origin: string, user: User, arrivals: Arrivals): Promise<number[] | null> {
  const key = crypto.randomUUID();
  const arrived = arrivals.expect(key, performance.now());
  const response = await again(() =>
    fetch(`${origin}/api/messages`, {
      method: "POST",
      headers: { cookie: user.cookie, origin },
      body: new URLSearchParams({ to: user.other, text: "Is it still there?", key }),
    }),
  );
  if (response.status === 429) return null;
  if (!response.ok) throw new Error(`Sending answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
  return arrived;
}

/** Sends at an even rate, so that no message waits for another one's sender, and a heartbeat between two messages. */
async function sendSteadily(
  origin: string,
  users: User[],
  arrivals: Arrivals,
  sockets: WebSocket[],
): Promise<{ delays: number[]; heartbeats: number[] }> {
  const sent: Promise<number[] | null>[] = [];
  const heartbeats: Promise<number>[] = [];
  const halfway = () => new Promise((done) => setTimeout(done, STEADY_RATE.everyMs / 2));
  for (let at = 0; at < STEADY_RATE.messages; at += 1) {
    const user = users[at % users.length];
    if (user) sent.push(send(origin, user, arrivals));
    await halfway();
    const socket = sockets[at % sockets.length];
    if (socket) heartbeats.push(beat(socket));
    await halfway();
  }
  const delays = (await Promise.all(sent)).flatMap((each) => each ?? []);
  return { delays, heartbeats: await Promise.all(heartbeats) };
}

/** Sends a heartbeat, which workerd answers without waking the hub. Returns how long that took, ms. */
function beat(socket: WebSocket): Promise<number> {
  const start = performance.now();
  return new Promise((done) => {
    const listening = new AbortController();
    const hear = ({ data }: MessageEvent) => {
      if (data !== "pong") return;
      listening.abort();
      done(performance.now() - start);
    };
    socket.addEventListener("message", hear, { signal: listening.signal });
    socket.send("ping");
  });
}

/** Senders that never pause take turns among the users, so that nobody reaches the message limit. */
async function exchange(origin: string, users: User[], arrivals: Arrivals, milliseconds: number): Promise<Written> {
  const start = performance.now();
  const delays: number[] = [];
  let begun = 0;
  let sent = 0;
  async function sender(): Promise<void> {
    while (performance.now() - start < milliseconds) {
      const user = users[begun % users.length];
      begun += 1;
      const arrived = user && (await send(origin, user, arrivals));
      // Somebody reached a limit, so there is nothing more to measure.
      if (!arrived) return;
      delays.push(...arrived);
      sent += 1;
    }
  }
  await Promise.all(Array.from({ length: BUSY_SENDERS }, sender));
  return { sent, delays, seconds: (performance.now() - start) / 1000 };
}

/** Resident bytes of the workerd processes that this one has started. */
function workerdMemory(): number {
  const lines = execFileSync("ps", ["-A", "-o", "ppid=,rss=,comm="], { encoding: "utf8" }).split("\n");
  const own = lines
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*workerd.*)$/.exec(line))
    .filter((found) => found !== null && Number(found[1]) === process.pid);
  return own.reduce((bytes, found) => bytes + Number(found?.[2]) * 1024, 0);
}

/** Bytes of the objects in the app's isolate, which the worker and the hubs share, after a collection of garbage. */
async function measureHeap(inspectorPort: number): Promise<number> {
  const inspector = new WebSocket(`ws://127.0.0.1:${inspectorPort}/core:user:${readConfig().name ?? ""}`);
  await new Promise((done, fail) => {
    inspector.addEventListener("open", done);
    inspector.addEventListener("error", () => fail(new Error("The inspector could not be reached.")));
  });
  const answers = new Map<number, (result: unknown) => void>();
  inspector.addEventListener("message", ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown };
    if (id !== undefined) answers.get(id)?.(result);
  });
  const ask = (id: number, method: string) =>
    new Promise((done) => {
      answers.set(id, done);
      inspector.send(JSON.stringify({ id, method }));
    });
  try {
    // A snapshot begins with a full collection. The inspector's own command for one does nothing in workerd.
    await ask(1, "HeapProfiler.enable");
    await ask(2, "HeapProfiler.takeHeapSnapshot");
    return HeapUsage.parse(await ask(3, "Runtime.getHeapUsage")).usedSize;
  } finally {
    inspector.close();
  }
}
