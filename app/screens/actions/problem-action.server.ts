import { data, type LoaderFunctionArgs } from "react-router";
import { PHOTO_TEXTS } from "#app/catalogue/photos/photo-rules.ts";
import { findPhotos } from "#app/catalogue/photos/photos.server.ts";
import type { DealResult } from "#app/deals/deal-events.server.ts";
import {
  answerAsBuyer,
  contestProblem,
  offerPart,
  refundProblem,
  reportProblem,
} from "#app/deals/problems/problems.server.ts";
import { givesCodeAway, OWN_CODE_TEXT } from "#app/deals/code/own-code.server.ts";
import { type ProblemAnswer, type ProblemForm, problemForm } from "#app/deals/problems/problem-forms.ts";
import { findProblem } from "#app/deals/problems/problem-page.server.ts";
import { PROBLEM_PHOTOS_MAX } from "#app/deals/problems/problem-rules.ts";
import { doneText, PROBLEM_TEXTS } from "#app/deals/problems/problem-texts.ts";
import { startPayout } from "#app/payments/transfers/start-payout.server.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { firstErrors } from "#app/platform/form-errors.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import type { Services } from "#app/request/services.ts";
import { readPhotoForm, takePhotos } from "./photo-fields.server.ts";

/**
 * Does what a form of the page of a problem asks for, and leads back to the page. A refused form is answered with what
 * was typed.
 * @throws a 404 response for somebody else's item
 */
export async function problemAction(
  { request, context }: Pick<LoaderFunctionArgs, "request" | "context">,
  itemId: string,
) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const refuse = (status: number, answer: ProblemAnswer) => data<ProblemAnswer>(answer, status);
  const sent = await readPhotoForm(request, PROBLEM_TEXTS.failed);
  if (!sent.ok) return refuse(sent.status, { intent: "report", errors: sent.errors });
  const { form, text } = sent;
  const intent = text("intent") ?? "";
  const values = {
    kind: text("kind"),
    description: text("description"),
    amount: text("amount"),
    note: text("note"),
  };
  if (!(await services.limits.write(viewer.id)))
    return refuse(429, { intent, errors: { form: TOO_MANY_REQUESTS }, values });
  // Photos are stored only for a person who can report a problem with this item.
  const page = await findProblem(services.db, itemId, viewer.id);
  if (!page) throw data(null, { status: 404 });
  const photos =
    intent === "report" && page.role === "buyer"
      ? await takePhotos(services, viewer.id, form, { max: PROBLEM_PHOTOS_MAX, bucket: "documents" })
      : { keys: [], error: null };
  const back = async (status: number, errors: ProblemAnswer["errors"]) =>
    refuse(status, {
      intent,
      errors,
      values,
      images: (await findPhotos(services.db, viewer.id, photos.keys, "documents")) ?? [],
    });

  if (sent.isCut) return back(413, { photos: PHOTO_TEXTS.too_large });
  const parsed = problemForm.safeParse(Object.fromEntries(form));
  const errors = {
    ...(photos.error !== null && { photos: photos.error }),
    ...(!parsed.success && firstErrors(parsed.error, PROBLEM_TEXTS.answer_failed)),
  };
  if (!parsed.success || photos.error !== null) return back(400, errors);
  if (await givesCodeAway(services, viewer.id, [values.description, values.note]))
    return back(400, { [intent === "report" ? "description" : "note"]: OWN_CODE_TEXT });
  const done = await perform(services, { itemId, viewerId: viewer.id }, parsed.data, photos.keys);
  if (!done.ok) {
    if (done.code === "not_found") throw data(null, { status: 404 });
    if (done.code === "amount") return back(400, { amount: done.error });
    if (done.code === "photos") return back(400, { photos: PROBLEM_TEXTS.photos });
    return back(409, { form: PROBLEM_TEXTS.stale });
  }
  if (done.payoutId) services.defer(startPayout(services, done.payoutId, itemId));
  services.drainOutbox();
  throw await redirectWithFlash(services, `/problems/${itemId}`, {
    kind: "success",
    text: doneText(parsed.data.intent, done.subtotal),
  });
}

type Done = DealResult | { ok: false; code: "photos" } | { ok: false; code: "amount"; error: string };

function perform(
  services: Services,
  { itemId, viewerId }: { itemId: string; viewerId: string },
  form: ProblemForm,
  photoKeys: string[],
): Promise<Done> {
  switch (form.intent) {
    case "report":
      return reportProblem(services, { itemId, buyerId: viewerId, ...form, photoKeys });
    case "refund":
      return refundProblem(services, { itemId, sellerId: viewerId });
    case "offer":
      return offerPart(services, { itemId, sellerId: viewerId, amount: form.amount, note: form.note });
    case "contest":
      return contestProblem(services, { itemId, sellerId: viewerId, note: form.note });
    case "accept":
    case "withdraw":
      return answerAsBuyer(services, { itemId, buyerId: viewerId, answer: form.intent, note: null });
    case "review":
      return answerAsBuyer(services, { itemId, buyerId: viewerId, answer: form.intent, note: form.note });
  }
}
