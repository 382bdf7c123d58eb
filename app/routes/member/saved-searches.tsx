import { data } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/saved-searches.ts";
import { SavedList } from "#app/catalogue/saved/components/saved-list.tsx";
import { FREQUENCIES } from "#app/catalogue/saved/saved-search-rules.ts";
import { changeFrequency, deleteSavedSearch, listSavedSearches } from "#app/catalogue/saved/saved-searches.server.ts";
import { shareSearch, stopSharing } from "#app/catalogue/saved/shared-searches.server.ts";
import { FREQUENCY_TEXTS, SAVED_TEXTS } from "#app/catalogue/saved/saved-texts.ts";
import { SHARE_REFUSALS, SHARE_TEXTS } from "#app/catalogue/saved/share-texts.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { useResultToast } from "#app/ui/feedback/use-result-toast.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

export function meta() {
  return pageMeta("Saved Searches");
}

export async function loader({ context }: Route.LoaderArgs) {
  return { searches: await listSavedSearches(context.get(servicesContext).db, requireViewer(context).id) };
}

const form = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("frequency"), id: z.uuid(), frequency: z.enum(FREQUENCIES) }),
  z.object({ intent: z.enum(["share", "stop", "delete"]), id: z.uuid() }),
]);

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const viewer = requireViewer(context);
  const back = (text: string) => redirectWithFlash(services, "/saved-searches", { kind: "success", text });
  const parsed = form.safeParse(Object.fromEntries(await request.formData()));
  if (!parsed.success) return data({ ok: false, message: SAVED_TEXTS.missing }, { status: 400 });
  if (!(await services.limits.write(viewer.id)))
    return data({ ok: false, message: TOO_MANY_REQUESTS }, { status: 429 });
  const own = { userId: viewer.id, id: parsed.data.id };
  const isMissing = () => data({ ok: false, message: SAVED_TEXTS.missing }, { status: 404 });
  if (parsed.data.intent === "frequency") {
    const { frequency } = parsed.data;
    return (await changeFrequency(services, own, frequency)) ? back(FREQUENCY_TEXTS[frequency]) : isMissing();
  }
  if (parsed.data.intent === "delete") {
    await deleteSavedSearch(services, own);
    return back(SAVED_TEXTS.deleted);
  }
  if (parsed.data.intent === "stop")
    return (await stopSharing(services, own)) ? back(SHARE_TEXTS.stopped) : isMissing();
  const shared = await shareSearch(services, own);
  if (shared.ok) return back(SHARE_TEXTS.shared);
  if (shared.code === "missing") return isMissing();
  return data({ ok: false, message: SHARE_REFUSALS[shared.code] }, { status: 409 });
}

/** A lost answer leaves the list as it is. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, () => ({ ok: false, message: SAVED_TEXTS.unchanged }));
}

export default function SavedSearches({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  useResultToast(answer);
  return <SavedList searches={loaderData.searches} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load your saved searches" />;
}
