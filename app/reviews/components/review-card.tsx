import "./reviews.css";
import type { ReactNode } from "react";
import { PhotoStrip } from "#app/catalogue/photos/components/photo-strip.tsx";
import type { PublishedReview } from "#app/reviews/find-reviews.server.ts";
import { TAG_LABELS } from "#app/reviews/review-labels.ts";
import { Chip } from "#app/ui/chip.tsx";
import { formatDate } from "#app/ui/dates.ts";
import { TextWarning } from "#app/ui/forms/text-warning.tsx";
import { StarRow } from "./star-row.tsx";

type ShownReview = Omit<
  PublishedReview,
  "id" | "isOwn" | "isAboutViewer" | "publishedAt" | "warning" | "replyWarning"
> & {
  warning?: string | null;
  replyWarning?: string | null;
  /** Ms since 1970; null when it isn't published yet. */
  publishedAt: number | null;
};

interface ReviewCardProps {
  review: ShownReview;
  /** The first name of the reviewed person, who replied. */
  subject: string;
  /** Below the review, such as a link to report it. */
  children?: ReactNode;
}

/** One review, with the reply to it. */
export function ReviewCard({ review, subject, children }: ReviewCardProps) {
  const { author, rating, tags, text, photos, publishedAt, isEdited, isRefunded, reply, repliedAt } = review;
  return (
    <article className="review" aria-label={`Review by ${author}`}>
      <header className="review__head">
        <StarRow rating={rating} />
        <span className="review__author">{author}</span>
        {publishedAt !== null && (
          <span className="quiet small">
            {formatDate(publishedAt)}
            {isEdited && " · Edited"}
          </span>
        )}
      </header>
      {isRefunded && <p className="quiet small">This deal was refunded</p>}
      {tags.length > 0 && (
        <p className="review__tags">
          {tags.map((tag) => (
            <Chip key={tag}>{TAG_LABELS[tag]}</Chip>
          ))}
        </p>
      )}
      {text !== "" && <p className="review__text">{text}</p>}
      <TextWarning>{review.warning}</TextWarning>
      {photos.length > 0 && (
        <div className="review__photos">
          <PhotoStrip images={photos} label={`Photos by ${author}`} name={`Review by ${author}`} />
        </div>
      )}
      {reply !== null && (
        <div className="review__reply">
          <span className="quiet small">
            Reply from {subject}
            {repliedAt !== null && ` · ${formatDate(repliedAt)}`}
          </span>
          <span>{reply}</span>
          <TextWarning>{review.replyWarning}</TextWarning>
        </div>
      )}
      {children}
    </article>
  );
}
