import { redirect } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/save-search.ts";
import { saveSearch } from "#app/catalogue/saved/saved-searches.server.ts";
import { SAVED_TEXTS } from "#app/catalogue/saved/saved-texts.ts";
import { readSearchAddress } from "#app/catalogue/search/search-address.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { answerOrReturn } from "#app/screens/actions/answer-or-return.server.ts";

/** `search`: the search's address. */
const form = z.object({ search: z.string().max(2_000) });

export function loader() {
  return redirect("/saved-searches");
}

/** Saves a search of the viewer. Scripts get `{ ok, message }`. */
export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const viewer = requireViewer(context);
  const fields = Object.fromEntries(await request.formData());
  const answer = answerOrReturn(services, fields);
  const parsed = form.safeParse(fields);
  if (!parsed.success) return answer(false, SAVED_TEXTS.failed, 400);
  if (!(await services.limits.write(viewer.id))) return answer(false, TOO_MANY_REQUESTS, 429);
  const [, query = ""] = parsed.data.search.split("?");
  const saved = readSearchAddress(new URLSearchParams(query), viewer);
  const result = await saveSearch(services, { userId: viewer.id, saved });
  return result.ok ? answer(true, SAVED_TEXTS.saved, 200) : answer(false, SAVED_TEXTS[result.code], 409);
}
