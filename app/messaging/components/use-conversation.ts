import { type Dispatch, type SetStateAction, useCallback, useEffect, useRef, useState } from "react";
import { changeUnread, hasReceivedEvents, liveChannel, onScreen, subscribeLive } from "#app/live/live-state.ts";
import type { MessagePage, MessageView } from "#app/messaging/conversations/messages.server.ts";
import { useScripted } from "#app/ui/browser/use-scripted.ts";
import {
  joinNewest,
  joinOlder,
  type KnownMessages,
  markReadUpTo,
  mergeMessages,
} from "#app/messaging/conversations/conversation-rules.ts";

/** How often to ask for new messages while there is no live connection, in ms. */
const POLL_MS = 5_000;
/** After how long a request that hangs no longer holds the next one back, in ms. */
const HANGING_MS = 30_000;
/** How long somebody counts as typing after the last sign of it, in ms. */
const TYPING_MS = 4_000;
/** How long older messages still count as loading once they are there, in ms: screen readers look a little later. */
const OLDER_SILENT_MS = 500;

/** Which messages a conversation shows: all with one person, or those about an item of an order. */
export type ConversationScope = { with: string } | { item: string; with: string };

interface Conversation extends KnownMessages<MessageView> {
  /** The other person is typing now. */
  typing: boolean;
  loadingOlder: boolean;
  /** Older messages couldn't be loaded. */
  failed: boolean;
  loadOlder(): void;
}

/** The key of these messages. It is the same on every page that shows them. */
export function conversationKeyOf(scope: ConversationScope): string {
  return "item" in scope ? scope.item : scope.with;
}

/**
 * A conversation that stays up to date. `first` is the newest page, from the screen's data. New messages arrive over
 * the live connection or, without one, by polling. Messages that are seen are marked as read.
 */
export function useConversation(viewerId: string, scope: ConversationScope, first: MessagePage): Conversation {
  const name = conversationKeyOf(scope);
  const itemId = "item" in scope ? scope.item : null;
  const otherId = scope.with;
  const [known, setKnown] = useState<KnownMessages<MessageView>>(first);
  const [adopted, setAdopted] = useState(first);
  const [older, setOlder] = useState<"idle" | "loading" | "failed">("idle");
  if (adopted !== first) {
    setAdopted(first);
    setKnown(joinNewest(known, first));
    if (older !== "loading") setOlder("idle");
  }

  const query = itemId === null ? `with=${otherId}` : `item=${itemId}`;
  const refresh = useCallback(async () => {
    const page = await load(`/api/messages?${query}`);
    if (page) setKnown((before) => joinNewest(before, page));
  }, [query]);

  useEffect(() => {
    onScreen.add(name);
    return () => void onScreen.delete(name);
  }, [name]);

  const isScripted = useScripted();
  const [isServed] = useState(!isScripted);
  useEffect(() => {
    // The server's page is older than this script, which may have come later.
    // oxlint-disable-next-line react/set-state-in-effect
    if (isServed && hasReceivedEvents()) void refresh();
  }, [isServed, refresh]);

  const typing = useLiveMessages({ viewerId, otherId, itemId, setKnown, refresh });

  const newestUnread = known.messages.findLast(({ senderId, read }) => senderId === otherId && !read)?.id;
  useMarkRead(newestUnread, query, () =>
    setKnown((before) => ({ ...before, messages: markReadUpTo(before.messages, otherId, Number.POSITIVE_INFINITY) })),
  );

  async function loadOlder() {
    if (known.older === null || older === "loading") return;
    setOlder("loading");
    const page = await load(`/api/messages?${query}&before=${known.older}`);
    if (!page) return setOlder("failed");
    setKnown((before) => joinOlder(before, page));
    setTimeout(setOlder, OLDER_SILENT_MS, "idle");
  }
  return {
    ...known,
    typing,
    loadingOlder: older === "loading",
    failed: older === "failed",
    loadOlder: () => void loadOlder(),
  };
}

interface LiveMessagesOf {
  viewerId: string;
  otherId: string;
  /** The item of an order that the messages are about; null for all with this person. */
  itemId: string | null;
  setKnown: Dispatch<SetStateAction<KnownMessages<MessageView>>>;
  refresh: () => Promise<void>;
}

/**
 * Keeps the messages up to date by what arrives over the live connection or, without one, by polling. Returns whether
 * the other person is typing now.
 */
function useLiveMessages({ viewerId, otherId, itemId, setKnown, refresh }: LiveMessagesOf): boolean {
  const [typing, setTyping] = useState(false);
  useEffect(() => {
    let typingEnds: ReturnType<typeof setTimeout> | undefined;
    const isOurs = (message: MessageView) =>
      itemId === null
        ? message.senderId === otherId || message.recipientId === otherId
        : message.orderItemId === itemId;
    const stop = subscribeLive((liveEvent) => {
      // With "account", our team may have removed or restored a message.
      if (liveEvent.type === "missed" || liveEvent.type === "offer" || liveEvent.type === "account") void refresh();
      if (liveEvent.type === "message" && isOurs(liveEvent.message)) {
        setKnown((before) => ({ ...before, messages: mergeMessages(before.messages, [liveEvent.message]) }));
        if (liveEvent.message.senderId === otherId) setTyping(false);
      }
      if (liveEvent.type === "read" && liveEvent.by === otherId && liveEvent.with === viewerId) {
        setKnown((before) => ({
          ...before,
          messages: markReadUpTo(before.messages, viewerId, liveEvent.at, liveEvent.item),
        }));
      }
      if (liveEvent.type === "typing" && liveEvent.by === otherId) {
        setTyping(true);
        clearTimeout(typingEnds);
        typingEnds = setTimeout(() => setTyping(false), TYPING_MS);
      }
    });
    let askedAt = 0;
    async function poll() {
      if (liveChannel()?.isUp() || document.visibilityState !== "visible") return;
      if (Date.now() - askedAt < HANGING_MS) return;
      askedAt = Date.now();
      await refresh();
      askedAt = 0;
    }
    const timer = setInterval(() => void poll(), POLL_MS);
    return () => {
      stop();
      clearInterval(timer);
      clearTimeout(typingEnds);
    };
  }, [viewerId, otherId, itemId, setKnown, refresh]);
  return typing;
}

/** Tells the server that new messages were seen, as soon as the user looks at the page. */
function useMarkRead(newestUnread: string | undefined, query: string, onRead: () => void): void {
  const done = useRef(onRead);
  useEffect(() => {
    done.current = onRead;
  });
  useEffect(() => {
    if (newestUnread === undefined) return;
    let sending = false;
    async function mark() {
      if (sending || document.visibilityState !== "visible") return;
      sending = true;
      try {
        const response = await fetch("/api/messages/read", { method: "POST", body: new URLSearchParams(query) });
        if (!response.ok) return;
        const { unread } = (await response.json()) as { unread: number };
        changeUnread(unread);
        done.current();
      } catch {
        // They are marked with the next message, or when the user returns to the page.
      } finally {
        sending = false;
      }
    }
    void mark();
    const again = () => void mark();
    document.addEventListener("visibilitychange", again);
    addEventListener("online", again);
    return () => {
      document.removeEventListener("visibilitychange", again);
      removeEventListener("online", again);
    };
  }, [newestUnread, query]);
}

async function load(path: string): Promise<KnownMessages<MessageView> | null> {
  try {
    const response = await fetch(path);
    return response.ok ? ((await response.json()) as KnownMessages<MessageView>) : null;
  } catch {
    return null;
  }
}
