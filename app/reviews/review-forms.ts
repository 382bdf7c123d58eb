import { z } from "zod";
import type { ProductImage } from "#app/db/product-image.ts";
import { REVIEW_TAGS } from "#app/db/states/review.ts";
import { firstErrors } from "#app/platform/form-errors.ts";
import { formText } from "#app/platform/form-text.ts";
import { type Stars, STARS } from "./review-labels.ts";
import { contraryTags, REVIEW_TEXT_MAX } from "./review-rules.ts";
import { contraryText, REVIEW_TEXTS } from "./review-texts.ts";

/**
 * The answer to a form of the review's screen that was refused. It has what was typed, for browsers without scripts.
 */
export interface ReviewAnswer {
  intent: string;
  /** By field; "form" is about the whole form. */
  errors: Partial<Record<string, string>>;
  values?: { rating?: string; tags?: string[]; text?: string };
  /** Of the review: those that are uploaded. */
  images?: ProductImage[];
  /** What the form counts as opened with, once its conflicts with another change have been shown. */
  opened?: string;
}

const reviewText = formText(REVIEW_TEXT_MAX, REVIEW_TEXTS.failed);

const rating = z
  .enum(STARS.map(String) as [`${Stars}`, ...`${Stars}`[]], REVIEW_TEXTS.rating)
  .transform((stars) => Number(stars) as Stars);

const words = {
  text: reviewText.default(""),
  tags: z.array(z.enum(REVIEW_TAGS, REVIEW_TEXTS.tags)).superRefine((tags, check) => {
    const pair = contraryTags(tags);
    if (pair) check.addIssue({ code: "custom", message: contraryText(pair) });
  }),
};

const reviewForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("write"), rating, ...words }),
  // The stars of a published review aren't in its form.
  z.object({ intent: z.literal("edit"), rating: rating.optional(), ...words }),
  z.object({ intent: z.literal("reply"), text: reviewText.pipe(z.string().min(1, REVIEW_TEXTS.reply)) }),
]);

export type ReviewForm = z.infer<typeof reviewForm>;

/** Reads a form of the review's screen. `errors` has the first error of each field. */
export function readReviewForm(
  form: FormData,
): { ok: true; sent: ReviewForm } | { ok: false; errors: ReviewAnswer["errors"] } {
  const parsed = reviewForm.safeParse({ ...Object.fromEntries(form), tags: [...new Set(form.getAll("tags"))] });
  if (parsed.success) return { ok: true, sent: parsed.data };
  return { ok: false, errors: firstErrors(parsed.error, REVIEW_TEXTS.failed) };
}
