import type { ReactNode } from "react";
import { imageSources } from "#app/catalogue/photos/image-sources.ts";
import { ITEM } from "#app/db/states/item.ts";
import { MEETING_TEXTS } from "#app/meetings/meeting-texts.ts";
import { messageBoxId } from "#app/messaging/message-box.ts";
import { AskForPush } from "#app/notifications/components/ask-for-push.tsx";
import type { PayoutSummary } from "#app/payments/transfers/payout-summary.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Moment } from "#app/ui/feedback/moment.tsx";
import { useHeld } from "#app/ui/feedback/use-held.ts";
import { formatPrice } from "#app/ui/money.ts";
import { Photo } from "#app/ui/pictures/photo.tsx";
import type { SoldItem } from "./sold-item.server.ts";

type Sale = Pick<SoldItem, "item" | "summary">;

/** What the page celebrates: that it is sold, until the seller has acted, or that the code was right. */
export function useSaleMoment({
  item,
  summary: { step },
  isNews,
  isCodeRight,
}: Sale & { isNews: boolean; isCodeRight: boolean }): "sold" | "code" | null {
  const held = useHeld(isNews ? item.id : null);
  if (isCodeRight) return "code";
  return held === item.id && (step.code === "contact" || step.code === "answer_meeting") ? "sold" : null;
}

/** `card`: the meeting that the buyer has suggested. */
export function Sold({ item, summary, card }: Sale & { card: ReactNode }) {
  const buyer = item.buyerName || "the buyer";
  return (
    <Moment
      kind="sold"
      title={<h2>Sold to {buyer}</h2>}
      sum={formatPrice(item.subtotal)}
      sentence={item.subtotal > 0 ? "It's paid. We hold the money until they have it." : "Now agree on the handover."}
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

export function CodeRight({ item, earned, summary, payout, review }: CodeRightProps) {
  const isFree = item.subtotal === 0;
  return (
    <Moment
      kind="code"
      title={<h2>{isFree || !isPaid(item, payout) ? "Right code." : "Right code. You're paid."}</h2>}
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

/** The money is on its way, and nothing holds it up. */
export function isPaid({ status }: SoldItem["item"], payout: PayoutSummary | null): boolean {
  return ITEM.isCompleted(status) && payout !== null && payout.state !== "parked" && payout.reason === null;
}

function ThingPhoto({ item }: Pick<Sale, "item">) {
  return <Photo {...imageSources(item.image, "140px")} alt="" fill />;
}
