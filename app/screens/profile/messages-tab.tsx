import { type ComponentProps, Suspense } from "react";
import { MeetingCard } from "#app/meetings/components/meeting-card.tsx";
import { Inbox } from "#app/messaging/components/inbox.tsx";
import type { CardRenderer } from "#app/messaging/components/message-list.tsx";
import type { Inbox as InboxData } from "#app/messaging/conversations/conversations.server.ts";
import { OfferCard } from "#app/offers/components/offer-card.tsx";
import { InstallOffer } from "#app/ui/feedback/install-offer.tsx";

interface MessagesTabProps extends Omit<ComponentProps<typeof Inbox>, keyof InboxData | "cardOf"> {
  inbox: InboxData;
}

/** The profile's tab of the member's conversations, with the offers and meetings in them. */
export function MessagesTab({ inbox, ...props }: MessagesTabProps) {
  return (
    <>
      <Inbox {...props} {...inbox} cardOf={cardOf(props)} />
      {!inbox.open && inbox.conversations.length > 0 && <InstallOffer />}
    </>
  );
}

function cardOf({ viewerId, now }: Pick<MessagesTabProps, "viewerId" | "now">): CardRenderer {
  return ({ offer, meeting, productName }) => (
    // A card that arrives while the page is open shows once its script has come.
    <Suspense>
      {offer ? (
        <OfferCard offer={offer} viewerId={viewerId} now={now} />
      ) : (
        meeting && <MeetingCard meeting={meeting} itemName={productName ?? ""} viewerId={viewerId} now={now} />
      )}
    </Suspense>
  );
}
