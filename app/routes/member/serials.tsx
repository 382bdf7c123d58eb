import { data } from "react-router";
import type { Route } from "./+types/serials.ts";
import { PHOTO_TEXTS } from "#app/catalogue/photos/photo-rules.ts";
import { findPhotos } from "#app/catalogue/photos/photos.server.ts";
import { SerialsView } from "#app/catalogue/serials/components/serials-view.tsx";
import { type SerialAnswer, serialForm } from "#app/catalogue/serials/serial-forms.ts";
import { PROOF_PHOTOS_MAX } from "#app/catalogue/serials/serial-limits.ts";
import { SERIAL_TEXTS } from "#app/catalogue/serials/serial-texts.ts";
import { askAboutSerial, openSerials, reportStolen, takeBack } from "#app/catalogue/serials/stolen-serials.server.ts";
import { openHeldCases } from "#app/moderation/cases/held-cases.server.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { readPhotoForm, takePhotos } from "#app/screens/actions/photo-fields.server.ts";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";

export function meta() {
  return pageMeta("Was it stolen?");
}

export function loader({ context }: Route.LoaderArgs) {
  return openSerials(context.get(servicesContext).db, requireViewer(context).id);
}

/** Asks about a serial number, reports one as stolen, or takes a report back. */
export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const viewer = requireViewer(context);
  const sent = await readPhotoForm(request, SERIAL_TEXTS.failed);
  const answer = (status: number, said: Partial<SerialAnswer> & Pick<SerialAnswer, "intent">) =>
    data<SerialAnswer>({ errors: {}, isReported: null, ...said }, status);
  if (!sent.ok) return answer(sent.status, { intent: "report", errors: sent.errors });
  const parsed = serialForm.safeParse(Object.fromEntries(sent.form));
  if (!parsed.success || (sent.isCut && parsed.data.intent !== "report"))
    return answer(400, { intent: "ask", errors: { form: SERIAL_TEXTS.failed } });
  const asked = parsed.data;
  const { intent } = asked;
  const typed = { serial: sent.text("serial") ?? "", text: sent.text("text") ?? "" };
  if (!(await services.limits.write(viewer.id)))
    return answer(429, { intent, errors: { form: TOO_MANY_REQUESTS }, typed });
  const back = (said: string) => redirectWithFlash(services, "/serials", { kind: "success", text: said });
  if (intent === "back") {
    const taken = await takeBack(services, { userId: viewer.id, id: asked.id });
    return taken ? back(SERIAL_TEXTS.taken_back) : answer(404, { intent, errors: { form: SERIAL_TEXTS.failed } });
  }
  if (intent === "ask") {
    const told = await askAboutSerial(services, viewer.id, asked.serial);
    if (told.ok) return answer(200, { intent, isReported: told.isReported, typed });
    return answer(told.code === "often" ? 429 : 400, {
      intent,
      errors: { serial: told.code === "often" ? SERIAL_TEXTS.asked_often : told.error },
      typed,
    });
  }
  const photos = await takePhotos(services, viewer.id, sent.form, { max: PROOF_PHOTOS_MAX, bucket: "documents" });
  const refuse = async (status: number, errors: SerialAnswer["errors"]) =>
    answer(status, {
      intent,
      errors,
      typed,
      images: (await findPhotos(services.db, viewer.id, photos.keys, "documents")) ?? [],
    });
  if (sent.isCut) return refuse(413, { photos: PHOTO_TEXTS.too_large });
  if (photos.error !== null) return refuse(400, { photos: photos.error });
  const reported = await reportStolen(services, openHeldCases, {
    userId: viewer.id,
    serial: asked.serial,
    text: asked.text,
    photoKeys: photos.keys,
  });
  if (reported.ok) {
    services.drainOutbox();
    return back(SERIAL_TEXTS.reported);
  }
  if (reported.code === "serial") return refuse(400, { serial: reported.error });
  if (reported.code === "often") return refuse(429, { form: SERIAL_TEXTS.reported_often });
  if (reported.code === "unverified") return refuse(403, { form: SERIAL_TEXTS.unverified });
  return refuse(400, { [reported.code]: SERIAL_TEXTS[reported.code] });
}

/** A lost answer keeps what was typed, and says so at the form that was sent. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const intent = (await request.clone().formData()).get("intent") as SerialAnswer["intent"];
  return passOn(serverAction, (): SerialAnswer => ({
    intent,
    errors: { form: SERIAL_TEXTS.failed },
    isReported: null,
  }));
}

export default function Serials({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return <SerialsView {...loaderData} answer={answer} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load this page" />;
}
