/**
 * This browser's subscription to notifications while the app is closed. Loaded where somebody asks for it, or has it.
 */

/**
 * "install": iPhones and iPads show notifications of installed apps only. "blocked": the person has refused them in the
 * browser, and only its settings can change that.
 */
export type PushAbility = "ready" | "blocked" | "install" | "unsupported";

export function pushAbility(): PushAbility {
  if ("standalone" in navigator && navigator.standalone === false) return "install";
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) return "unsupported";
  return Notification.permission === "denied" ? "blocked" : "ready";
}

/** "dismissed": the person closed the browser's question. */
export type TurnedOn = "on" | "dismissed" | "blocked" | "failed";

/** Asks for the browser's permission and subscribes. Call it when a button is pressed: browsers ignore it otherwise. */
export async function turnOnPush(): Promise<TurnedOn> {
  const permission = await Notification.requestPermission();
  if (permission !== "granted") return permission === "denied" ? "blocked" : "dismissed";
  try {
    const key = await readPushKey();
    if (key === null) return "failed";
    const response = await post("/api/push/subscriptions", await subscribe(key));
    return response.ok ? "on" : "failed";
  } catch {
    return "failed";
  }
}

/** The key to subscribe with; null while this site sends no notifications. */
export async function readPushKey(): Promise<string | null> {
  const response = await fetch("/api/push/key");
  const { publicKey } = (await response.json()) as { publicKey: string | null };
  return publicKey;
}

/**
 * What this browser has at its push service. `key`: ours with which it subscribed, as base64url; null where it doesn't
 * tell.
 */
export interface OwnSubscription {
  endpoint: string;
  key: string | null;
}

/** Null where this browser has none, whatever the server believes. */
export async function readSubscription(): Promise<OwnSubscription | null> {
  try {
    const subscription = await (await pushManager())?.getSubscription();
    return subscription ? { endpoint: subscription.endpoint, key: keyOf(subscription) } : null;
  } catch {
    return null;
  }
}

/** Whether a subscription still works with the key of this site. */
export function fitsKey({ key }: OwnSubscription, publicKey: string): boolean {
  return key === null || key === publicKey;
}

/**
 * Tells the server that this browser still opens the app, so that its subscription goes on with this session. One that
 * the server doesn't know any more ends here, too. One that was made with an earlier key of this site is made anew.
 */
export async function renewPush(): Promise<void> {
  try {
    const own = await readSubscription();
    if (own === null) return;
    const response = await post("/api/push/subscriptions/renewal", { endpoint: own.endpoint });
    if (!response.ok) return;
    const { isKnown, publicKey } = (await response.json()) as { isKnown: boolean; publicKey: string | null };
    if (!isKnown) await turnOffPush();
    else if (publicKey !== null && !fitsKey(own, publicKey))
      await post("/api/push/subscriptions", await subscribe(publicKey));
  } catch {
    // The next page tells it.
  }
}

/** How long the service worker may need to be there, in ms. */
const READY_MS = 30_000;

/** Ends this browser's subscription at its push service. */
export async function turnOffPush(): Promise<void> {
  const subscription = await (await pushManager())?.getSubscription();
  await subscription?.unsubscribe();
}

/**
 * Always anew: the push service may have forgotten the subscription that the browser still has, and would never say so.
 */
async function subscribe(key: string): Promise<PushSubscription> {
  // With Data saver on, no page has registered it.
  await navigator.serviceWorker.register("/service-worker.js", { updateViaCache: "none" });
  // `ready` says nothing of an installation that failed.
  await Promise.race([navigator.serviceWorker.ready, failAfter(READY_MS)]);
  const manager = await pushManager();
  if (!manager) throw new Error("there is no service worker");
  await (await manager.getSubscription())?.unsubscribe();
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

function failAfter(ms: number): Promise<never> {
  return new Promise((_, fail) => setTimeout(fail, ms, new Error(`nothing came within ${ms} ms`)));
}

async function pushManager(): Promise<PushManager | undefined> {
  // On a developer's machine the sandbox is the push service.
  if (__SANDBOX__) await import(/* @vite-ignore */ SANDBOX_SCRIPT);
  return (await navigator.serviceWorker.getRegistration())?.pushManager;
}

const SANDBOX_SCRIPT = "/sandbox/assets/push-manager.js";

/** The key that a subscription was made with, as base64url; null where the browser doesn't tell. */
function keyOf({ options }: PushSubscription): string | null {
  if (!options.applicationServerKey) return null;
  const bytes = new Uint8Array(options.applicationServerKey);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

function post(path: string, body: object): Promise<Response> {
  return fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}
