/**
 * The live connection of an open page. A chunk of its own, loaded with keep-up-to-date.ts after the page works.
 */
import type { LiveEvent, LiveSignal } from "#app/live/live-events.ts";
import { LIVE_VERSION } from "#app/live/live-protocol.ts";
import { renewOfflineCopy } from "#app/platform/offline-copy.ts";
import { toast } from "#app/ui/feedback/toast.ts";
import { noticeOn } from "./live-notice.ts";
import { shareConnection } from "#app/live/live-sharing.ts";
import { bellCount, changeUnread, onScreen, publishLive, setLiveChannel, unreadCount } from "#app/live/live-state.ts";
import { newMessageToast } from "#app/messaging/notices/message-toast.ts";

/** How often to ask for the unread count while there is no connection, in ms. */
const POLL_MS = 30_000;
/** After how long a request that hangs no longer holds the next one back, in ms. */
const HANGING_MS = 60_000;
/** How long the toast of a new message stays, in ms. */
const TOAST_MS = 5_000;
/** The same for a product that can be bought again: long enough to press its button. */
const FREE_TOAST_MS = 10_000;

export interface LivePage {
  viewerId: string;
  /** Reloads the screen's data, after a short pause. */
  reload(): void;
  reloadNow(): void;
  /** The connection is up, for the first time or again. */
  onUp(): void;
  /** Whether this page caused the event, and so knows of it already. */
  isOwn(event: LiveEvent): boolean;
  open(path: string): void;
  onSessionEnded(): Promise<void>;
}

/** What checks events, with zod. Most pages never get one, so its script comes with the first. */
const loadEvents = () => import("#app/live/live-events.ts");

/** Starts the connection. Returns a function that stops it. */
export function startLive(page: LivePage): () => void {
  let up = false;
  let closed = false;
  const connection = shareConnection(`chuoni-live:${page.viewerId}`, {
    onText(text) {
      loadEvents().then(
        ({ readLiveEvent }) => {
          const event = closed ? null : readLiveEvent(text);
          if (event) receive(page, event);
        },
        () => page.reload(),
      );
    },
    onUp(missed) {
      up = true;
      page.onUp();
      // The counts came with the page, and may have changed before the connection was there.
      if (!missed) return void pollUnread(page);
      page.reload();
      publishLive({ type: "missed" });
    },
    onDown() {
      up = false;
    },
    onSessionEnded: () => page.onSessionEnded(),
  });
  setLiveChannel({
    isUp: () => up,
    sayTyping: (to) => connection.send(JSON.stringify({ v: LIVE_VERSION, type: "typing", to } satisfies LiveSignal)),
  });
  let askedAt = 0;
  async function poll() {
    if (up || document.visibilityState !== "visible" || Date.now() - askedAt < HANGING_MS) return;
    askedAt = Date.now();
    await pollUnread(page);
    askedAt = 0;
  }
  const timer = setInterval(() => void poll(), POLL_MS);
  const marks = [markTitle(), markIcon()];
  return () => {
    closed = true;
    clearInterval(timer);
    for (const stop of marks) stop();
    setLiveChannel(null);
    connection.close();
  };
}

function receive(page: LivePage, event: LiveEvent): void {
  switch (event.type) {
    case "message":
      if (event.message.senderId !== page.viewerId) announce(page, event);
      // A step of an offer or a meeting counts at the bell, too.
      if (event.message.kind !== "text") page.reload();
      break;
    case "read":
      if (event.by === page.viewerId && event.unread !== undefined) changeUnread(event.unread);
      break;
    case "typing":
      break;
    case "stock":
      if (isVisible()) showAvailable(page, event);
      page.reload();
      break;
    case "payment":
    case "plan":
      // Somebody who has just paid is waiting for this, and it comes alone.
      showNotice(event);
      page.reloadNow();
      break;
    default:
      showNotice(event);
      if (!page.isOwn(event)) page.reload();
  }
  if (changesOrders(event)) renewOfflineCopy();
  publishLive(event);
}

/** Something that the offline copy shows of an order may be different now: its state, its code or its meeting. */
function changesOrders(event: LiveEvent): boolean {
  if (event.type === "message") return event.message.kind !== "text";
  return event.type === "order" || event.type === "payment";
}

function showNotice(event: LiveEvent): void {
  const notice = isVisible() ? noticeOn(location.pathname, event) : null;
  if (notice !== null) toast.info(notice, { duration: 4000 });
}

/** Counts a new message, and shows a toast unless its conversation is on the screen. */
function announce(page: LivePage, { message, unread }: Extract<LiveEvent, { type: "message" }>): void {
  const seen =
    isVisible() &&
    (onScreen.has(message.senderId) || (message.orderItemId !== null && onScreen.has(message.orderItemId)));
  if (seen) return;
  changeUnread(unread ?? unreadNow() + 1);
  if (isVisible()) showNewMessage(page, newMessageToast(message), message.senderId);
}

function showAvailable(page: LivePage, { productId, notice }: Extract<LiveEvent, { type: "stock" }>): void {
  const path = `/product/${productId}`;
  const action = { label: "Open", onPress: () => page.open(path) };
  toast.info(notice, location.pathname === path ? { duration: FREE_TOAST_MS } : { duration: FREE_TOAST_MS, action });
}

function showNewMessage(page: LivePage, text: string, from: string): void {
  toast.info(text, {
    duration: TOAST_MS,
    action: { label: "Read", onPress: () => page.open(`/profile?tab=messages&with=${from}`) },
  });
}

function unreadNow(): number {
  return unreadCount.get() ?? 0;
}

function isVisible(): boolean {
  return document.visibilityState === "visible";
}

/** @throws TypeError for anything but two numbers */
function readCounts({ unread, notifications }: Partial<Record<"unread" | "notifications", unknown>>) {
  if (typeof unread !== "number" || typeof notifications !== "number") throw new TypeError("These are no counts.");
  return { unread, notifications };
}

async function pollUnread(page: LivePage): Promise<void> {
  const before = unreadNow();
  try {
    const response = await fetch("/api/messages/unread");
    if (!response.ok) return;
    const { unread, notifications } = readCounts(await response.json());
    // The bell comes with the page's data, and something may have been seen since.
    if (notifications !== bellCount.get()) page.reload();
    if (unread === before) return;
    // What has changed the count meanwhile may be newer than this answer.
    if (unreadNow() === before) {
      unreadCount.set(unread);
      if (unread > before && onScreen.size === 0 && isVisible())
        toast.info(newMessageToast({ senderName: "", message: "" }), { duration: TOAST_MS });
    }
    publishLive({ type: "missed" });
  } catch {
    // The next poll asks again.
  }
}

const COUNT = /^\(\d+\+?\) /;

/** Shows the unread count before the page's title. */
function markTitle(): () => void {
  function mark() {
    const count = unreadNow();
    const title = `${count > 0 ? `(${count > 99 ? "99+" : count}) ` : ""}${document.title.replace(COUNT, "")}`;
    if (document.title !== title) document.title = title;
  }
  // Each screen sets its own title.
  const observer = new MutationObserver(mark);
  observer.observe(document.head, { childList: true, subtree: true, characterData: true });
  const stopWatching = unreadCount.subscribe(mark);
  mark();
  return () => {
    observer.disconnect();
    stopWatching();
    document.title = document.title.replace(COUNT, "");
  };
}

/** Shows on the app's icon how many messages and notifications are unread, until the person is gone. */
function markIcon(): () => void {
  if (!("setAppBadge" in navigator)) return () => {};
  // Refused when the app isn't installed.
  const show = (count: number) => void navigator.setAppBadge(count).catch(() => {});
  const mark = () => show(unreadNow() + bellCount.get());
  const stops = [unreadCount.subscribe(mark), bellCount.subscribe(mark)];
  mark();
  return () => {
    for (const stop of stops) stop();
    show(0);
  };
}
