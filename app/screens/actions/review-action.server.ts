import { data, type LoaderFunctionArgs } from "react-router";
import { PHOTO_TEXTS } from "#app/catalogue/photos/photo-rules.ts";
import { findPhotos } from "#app/catalogue/photos/photos.server.ts";
import { type FieldTexts, type Merged, readOpened, UNCHANGED, writeOpened } from "#app/platform/edit-rules.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import type { Services } from "#app/request/services.ts";
import { readReviewForm, type ReviewAnswer, type ReviewForm } from "#app/reviews/review-forms.ts";
import { type DealReviewsPage, findReviewPage } from "#app/reviews/review-page.server.ts";
import { REVIEW_PHOTOS_MAX, type ReviewField } from "#app/reviews/review-rules.ts";
import {
  editRefusalText,
  refusalText,
  replyRefusalText,
  REVIEW_TEXTS,
  reviewConflicts,
} from "#app/reviews/review-texts.ts";
import { editReview, replyToReview, writeReview } from "#app/reviews/write-review.server.ts";
import { givesCodeAway, OWN_CODE_TEXT } from "#app/deals/code/own-code.server.ts";
import { readPhotoForm, takePhotos } from "./photo-fields.server.ts";

/**
 * Does what a form of the screen of a deal's reviews asks for, and leads back to the screen. A refused form is answered
 * with what was typed.
 * @throws a 404 response for somebody else's deal
 */
export async function reviewAction(
  { request, context }: Pick<LoaderFunctionArgs, "request" | "context">,
  itemId: string,
) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const refuse = (status: number, answer: ReviewAnswer) => data<ReviewAnswer>(answer, status);
  const sent = await readPhotoForm(request, REVIEW_TEXTS.failed);
  if (!sent.ok) return refuse(sent.status, { intent: "write", errors: sent.errors });
  const { form, text } = sent;
  const intent = text("intent") ?? "";
  const values = {
    rating: text("rating"),
    text: text("text"),
    tags: form.getAll("tags").filter((tag) => typeof tag === "string"),
  };
  if (!(await services.limits.write(viewer.id)))
    return refuse(429, { intent, errors: { form: TOO_MANY_REQUESTS }, values });
  // Photos are stored only for a buyer of this deal.
  const page = await findReviewPage(services.db, { itemId, viewerId: viewer.id, now: services.now() });
  if (!page) throw data(null, { status: 404 });
  const photos =
    intent !== "reply" && page.role === "buyer"
      ? await takePhotos(services, viewer.id, form, { max: REVIEW_PHOTOS_MAX, bucket: "media" })
      : { keys: [], error: null };
  const back = async (status: number, errors: ReviewAnswer["errors"], merged?: Merged<ReviewField>) =>
    refuse(status, {
      intent,
      errors,
      values: merged ? { ...merged.values, tags: merged.values.tags.split(" ") } : values,
      images:
        (await findPhotos(services.db, viewer.id, merged?.values.photos.split(" ").filter(Boolean) ?? photos.keys)) ??
        [],
      ...(merged && { opened: writeOpened(merged.opened) }),
    });

  if (sent.isCut) return back(413, { photos: PHOTO_TEXTS.too_large });
  const read = readReviewForm(form);
  if (!read.ok || photos.error !== null)
    return back(400, { ...(photos.error !== null && { photos: photos.error }), ...(!read.ok && read.errors) });
  if (await givesCodeAway(services, viewer.id, [values.text])) return back(400, { text: OWN_CODE_TEXT });
  const opened = readOpened(form);
  const done = await perform(services, { itemId, viewerId: viewer.id }, page, { ...read.sent, opened }, photos.keys);
  if (!done.ok) return back(done.status, done.errors, done.merged);
  services.drainOutbox();
  throw await redirectWithFlash(services, `/reviews/${itemId}`, { kind: "success", text: done.text });
}

type Done =
  | { ok: true; text: string }
  // `merged`: a change was made meanwhile in the same fields.
  | { ok: false; status: number; errors: ReviewAnswer["errors"]; merged?: Merged<ReviewField> };

async function perform(
  services: Services,
  { itemId, viewerId }: { itemId: string; viewerId: string },
  page: DealReviewsPage,
  form: ReviewForm & { opened: FieldTexts | null },
  photoKeys: string[],
): Promise<Done> {
  switch (form.intent) {
    case "write": {
      const written = await writeReview(services, { itemId, authorId: viewerId, ...form, photoKeys });
      if (written.ok) return { ok: true, text: written.published ? REVIEW_TEXTS.published : REVIEW_TEXTS.written };
      return isFieldRefusal(written.code)
        ? fieldRefused(written.code)
        : conflict(refusalText(written.code, page.otherName));
    }
    case "edit": {
      const edited = await editReview(services, { itemId, authorId: viewerId, ...form, photoKeys });
      if (edited.ok) return { ok: true, text: edited.isUnchanged ? UNCHANGED : REVIEW_TEXTS.edited };
      if (edited.code === "changed")
        return { ok: false, status: 409, errors: reviewConflicts(edited.merged), merged: edited.merged };
      return isFieldRefusal(edited.code) ? fieldRefused(edited.code) : conflict(editRefusalText(edited.code));
    }
    case "reply": {
      const replied = await replyToReview(services, { itemId, by: viewerId, text: form.text });
      if (replied.ok) return { ok: true, text: REVIEW_TEXTS.replied };
      return isFieldRefusal(replied.code) ? fieldRefused(replied.code) : conflict(replyRefusalText(replied.code));
    }
  }
}

type FieldRefusal = "not_found" | "tags" | "photos";

function isFieldRefusal(code: string): code is FieldRefusal {
  return code === "not_found" || code === "tags" || code === "photos";
}

function fieldRefused(code: FieldRefusal): Done {
  return code === "not_found"
    ? conflict(REVIEW_TEXTS.stale)
    : { ok: false, status: 400, errors: { [code]: REVIEW_TEXTS[code] } };
}

function conflict(text: string): Done {
  return { ok: false, status: 409, errors: { form: text } };
}
