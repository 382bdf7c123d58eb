import { data } from "react-router";
import type { Route } from "./+types/serials.ts";
import { findPhotos } from "#app/catalogue/photos/photos.server.ts";
import { SerialsView } from "#app/catalogue/serials/components/serials-view.tsx";
import type { SerialAnswer } from "#app/catalogue/serials/serial-forms.ts";
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
  const { form, text } = sent;
  const typed = { serial: text("serial") ?? "", text: text("text") ?? "" };
  const intent = (["ask", "report", "back"] as const).find((known) => known === text("intent"));
  if (!intent) return answer(400, { intent: "ask", errors: { form: SERIAL_TEXTS.failed } });
  if (!(await services.limits.write(viewer.id)))
    return answer(429, { intent, errors: { form: TOO_MANY_REQUESTS }, typed });
  const back = (said: string) => redirectWithFlash(services, "/serials", { kind: "success", text: said });
  if (intent === "back") {
    const taken = await takeBack(services, { userId: viewer.id, id: text("id") ?? "" });
    return taken ? back(SERIAL_TEXTS.taken_back) : answer(404, { intent, errors: { form: SERIAL_TEXTS.failed } });
  }
  if (intent === "ask") {
    const asked = await askAboutSerial(services, viewer.id, typed.serial);
    if (asked.ok) return answer(200, { intent, isReported: asked.isReported, typed });
    return answer(asked.code === "often" ? 429 : 400, {
      intent,
      errors: { serial: asked.code === "often" ? SERIAL_TEXTS.asked_often : asked.error },
      typed,
    });
  }
  const photos = await takePhotos(services, viewer.id, form, { max: PROOF_PHOTOS_MAX, bucket: "documents" });
  const refuse = async (status: number, errors: SerialAnswer["errors"]) =>
    answer(status, {
      intent,
      errors,
      typed,
      images: (await findPhotos(services.db, viewer.id, photos.keys, "documents")) ?? [],
    });
  if (photos.error !== null) return refuse(400, { photos: photos.error });
  const reported = await reportStolen(services, openHeldCases, { userId: viewer.id, ...typed, photoKeys: photos.keys });
  if (reported.ok) {
    services.drainOutbox();
    return back(SERIAL_TEXTS.reported);
  }
  if (reported.code === "serial") return refuse(400, { serial: reported.error });
  if (reported.code === "often") return refuse(429, { form: SERIAL_TEXTS.reported_often });
  if (reported.code === "unverified") return refuse(403, { form: SERIAL_TEXTS.unverified });
  return refuse(400, { [reported.code]: SERIAL_TEXTS[reported.code] });
}

/** A lost answer keeps what was typed. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, (): SerialAnswer => ({
    intent: "report",
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
