import { useRevalidator } from "react-router";
import type { MessagePage } from "#app/messaging/messages.server.ts";
import { MESSAGE_TEXTS, writeSubject } from "#app/messaging/rules.ts";
import { toast } from "#app/ui/toast.ts";
import type { ActionResult } from "#app/ui/use-result-toast.ts";
import { Conversation } from "./conversation.tsx";

/** What a form about one item came to. */
export interface ItemResult extends ActionResult {
  itemId: string;
}

interface ItemConversationProps {
  itemId: string;
  itemName: string;
  otherId: string;
  otherName: string;
  viewerId: string;
  first: MessagePage;
  /** Ms since 1970, when the server made the page. */
  now: number;
  /** This site's own, for links. */
  origin: string;
  messageKey: string;
  /** Where to write is the one thing to do next: its words. */
  action?: string;
}

/** The id of the box in which an item's other side is written to, or of the button that opens it. */
export function messageBoxId(itemId: string): string {
  return `message-${itemId}`;
}

/** What buyer and seller wrote about an item, and a box to go on. A message may move the order on, so the page then loads anew. */
export function ItemConversation({ itemId, itemName, otherId, otherName, action, ...rest }: ItemConversationProps) {
  const { revalidate } = useRevalidator();
  return (
    <Conversation
      {...rest}
      scope={{ item: itemId, with: otherId }}
      otherName={otherName}
      about={writeSubject({ kind: "item", id: itemId })}
      label={`Message ${otherName}`}
      opener={{
        button: action ?? `Message ${otherName}`,
        title: `Message ${otherName}`,
        description: `About ${itemName}`,
        primary: action !== undefined,
      }}
      sendLabel={action}
      primary={action !== undefined}
      boxId={messageBoxId(itemId)}
      onOutcome={(failure) => {
        if (failure !== null) return toast.error(failure);
        toast.success(MESSAGE_TEXTS.sent);
        void revalidate();
      }}
    />
  );
}
