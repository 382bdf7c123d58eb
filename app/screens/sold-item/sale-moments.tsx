import type { ReactNode } from "react";
import { imageSources } from "#app/catalogue/photos/image-sources.ts";
import { MEETING_TEXTS } from "#app/meetings/meeting-texts.ts";
import { messageBoxId } from "#app/messaging/message-box.ts";
import { AskForPush } from "#app/notifications/components/ask-for-push.tsx";
import type { PayoutSummary } from "#app/payments/transfers/payout-summary.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Moment } from "#app/ui/feedback/moment.tsx";
import { formatPrice } from "#app/ui/money.ts";
import { Photo } from "#app/ui/pictures/photo.tsx";
import { isPayoutFine, type Sale, type SaleMomentKind } from "./sale-moment.ts";
import type { SoldItem } from "./sold-item.server.ts";

interface SaleMomentProps extends CodeRightProps {
  kind: SaleMomentKind;
  /** The meeting that the buyer has suggested. */
  card: ReactNode;
}

/** A chunk of its own, because few visits have one. */
export function SaleMoment({ kind, card, ...sale }: SaleMomentProps) {
  return kind === "sold" ? <Sold item={sale.item} summary={sale.summary} card={card} /> : <CodeRight {...sale} />;
}

function Sold({ item, summary, card }: Sale & { card: ReactNode }) {
  const buyer = item.buyerName || "the buyer";
  return (
    <Moment
      kind="sold"
      title={<h2>Sold to {buyer}</h2>}
      sum={formatPrice(item.earned)}
      sentence={
        item.subtotal > 0
          ? `It's paid. We hold the money until ${summary.called.has}.`
          : "Now agree on a time and place."
      }
      photo={<ThingPhoto item={item} />}
      action={
        summary.step.code === "answer_meeting" ? (
          card
        ) : item.deliveryOption === "delivery" ? (
          <LinkButton to={`?message#${messageBoxId(item.id)}`} icon="message-circle">
            Write to {buyer}
          </LinkButton>
        ) : (
          <LinkButton to={`/meetings/${item.id}`} icon="map-pin">
            {MEETING_TEXTS.suggest}
          </LinkButton>
        )
      }
    >
      <AskForPush reason="listing" />
    </Moment>
  );
}

interface CodeRightProps extends Sale {
  /** KES. */
  earned: number;
  payout: PayoutSummary | null;
  review: SoldItem["nextReview"];
}

function CodeRight({ item, earned, summary, payout, review }: CodeRightProps) {
  const isFree = item.subtotal === 0;
  return (
    <Moment
      kind="code"
      title={<h2>{isFree || !isPayoutFine(item, payout) ? "Right code." : "Right code. You're paid."}</h2>}
      sum={formatPrice(earned)}
      sentence={payout?.sentence ?? summary.words.sentences.join(" ")}
      photo={<ThingPhoto item={item} />}
      action={
        review?.isOpen ? (
          <LinkButton to={`/reviews/${item.id}`} icon="star">
            {review.button}
          </LinkButton>
        ) : (
          <LinkButton to="/myshop?tab=orders">Back to My Shop</LinkButton>
        )
      }
    />
  );
}

function ThingPhoto({ item }: Pick<Sale, "item">) {
  return <Photo {...imageSources(item.image, "140px")} alt="" fill />;
}
