import { useState } from "react";
import { useRevalidator } from "react-router";
import { messageBoxId } from "#app/messaging/message-box.ts";
import type { MessagePage } from "#app/messaging/conversations/messages.server.ts";
import { MESSAGE_TEXTS, writeSubject } from "#app/messaging/message-rules.ts";
import { toast } from "#app/ui/feedback/toast.ts";
import { Conversation } from "./conversation.tsx";
import { FirstMessage, useBoxInPage } from "./first-message.tsx";

export interface ItemMessagesProps {
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
  /** The item is paid. */
  hasPaid: boolean;
  /** Given when writing is the page's main action: the label of the button. */
  action?: string;
  /** The label of the button before the first message, where writing isn't the main action. */
  opener?: string;
}

/**
 * The messages between buyer and seller about an item, and a box for more. A message may change the order's status, so
 * the page then reloads its data.
 */
export function ItemMessages({ itemId, itemName, otherId, otherName, action, opener, ...rest }: ItemMessagesProps) {
  const { revalidate } = useRevalidator();
  const [isOpen, setIsOpen] = useState(false);
  const inPage = useBoxInPage();
  return (
    <Conversation
      {...rest}
      scope={{ item: itemId, with: otherId }}
      otherName={otherName}
      about={writeSubject({ kind: "item", id: itemId })}
      label={`Message ${otherName}`}
      // The box on the page is the one that also stands there after the first message, so it stays when that comes.
      renderOpener={
        inPage
          ? undefined
          : (box) => (
              <FirstMessage
                id={messageBoxId(itemId)}
                button={action ?? opener ?? `Message ${otherName}`}
                title={`Message ${otherName}`}
                description={`About ${itemName}`}
                primary={action !== undefined}
                open={isOpen}
                onOpenChange={setIsOpen}
              >
                {box}
              </FirstMessage>
            )
      }
      isOpenerOpen={isOpen}
      onSend={() => setIsOpen(false)}
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
