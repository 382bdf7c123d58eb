/** A chunk of its own, because few visits have it. */
import { imageSources } from "#app/catalogue/photos/image-sources.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Moment } from "#app/ui/feedback/moment.tsx";
import { formatPrice } from "#app/ui/money.ts";
import { Photo } from "#app/ui/pictures/photo.tsx";
import type { TrackedOrder } from "./order.server.ts";

/** The seller has entered the code: the buyer has it. */
export function CodeRight({ item }: { item: TrackedOrder["items"][number] }) {
  const { id, name, nextReview, summary } = item;
  return (
    <Moment
      kind="code"
      title={<h2>{summary.called.celebration}</h2>}
      sum={formatPrice(item.paid)}
      sentence={`${name}. ${summary.words.sentences.join(" ")}`}
      photo={<Photo {...imageSources(item.image, "140px")} alt="" fill />}
      action={
        nextReview?.isOpen ? (
          <LinkButton to={`/reviews/${id}`} icon="star">
            {nextReview.button}
          </LinkButton>
        ) : (
          <LinkButton to="/profile?tab=orders">My Orders</LinkButton>
        )
      }
    />
  );
}
