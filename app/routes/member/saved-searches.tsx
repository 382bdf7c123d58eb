import { redirect } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/saved-searches.ts";
import { SavedList } from "#app/catalogue/saved/components/saved-list.tsx";
import { FREQUENCIES } from "#app/catalogue/saved/saved-search-rules.ts";
import {
  changeFrequency,
  deleteSavedSearch,
  listSavedSearches,
} from "#app/catalogue/saved/saved-searches.server.ts";
import { FREQUENCY_TEXTS, SAVED_TEXTS } from "#app/catalogue/saved/saved-texts.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ErrorState } from "#app/ui/feedback/state.tsx";

export function meta() {
  return pageMeta("Saved Searches");
}

export async function loader({ context }: Route.LoaderArgs) {
  return { searches: await listSavedSearches(context.get(servicesContext).db, requireViewer(context).id) };
}

const form = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("frequency"), id: z.uuid(), frequency: z.enum(FREQUENCIES) }),
  z.object({ intent: z.literal("delete"), id: z.uuid() }),
]);

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const viewer = requireViewer(context);
  const back = async (kind: "success" | "error", text: string) =>
    redirect("/saved-searches", { headers: { "Set-Cookie": await services.flash.write({ kind, text }) } });
  const parsed = form.safeParse(Object.fromEntries(await request.formData()));
  if (!parsed.success) return back("error", SAVED_TEXTS.missing);
  if (!(await services.limits.write(viewer.id))) return back("error", TOO_MANY_REQUESTS);
  const own = { userId: viewer.id, id: parsed.data.id };
  if (parsed.data.intent === "delete") {
    await deleteSavedSearch(services, own);
    return back("success", SAVED_TEXTS.deleted);
  }
  const { frequency } = parsed.data;
  const changed = await changeFrequency(services, own, frequency);
  return changed ? back("success", FREQUENCY_TEXTS[frequency]) : back("error", SAVED_TEXTS.missing);
}

export default function SavedSearches({ loaderData }: Route.ComponentProps) {
  return <SavedList searches={loaderData.searches} />;
}

export function ErrorBoundary() {
  return (
    <div className="page">
      <ErrorState
        level={1}
        title="We couldn't load your saved searches"
        sentence="Please check your connection and try again."
      />
    </div>
  );
}
