import type { Route } from "./+types/add-product.ts";
import { failInPlace } from "#app/catalogue/browse/deferred.ts";
import { lookingSentence } from "#app/catalogue/saved/shared-search-rules.ts";
import { openSharedSearch } from "#app/catalogue/saved/shared-searches.server.ts";
import { ListingForm } from "#app/catalogue/selling/components/listing-form.tsx";
import { clearDraft } from "#app/catalogue/selling/listing-draft.ts";
import { LISTING_TEXTS } from "#app/catalogue/selling/listing-texts.ts";
import { openNewListing } from "#app/catalogue/selling/listings.server.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { listingAction } from "#app/screens/actions/listing-action.server.ts";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

export function meta() {
  return pageMeta("Add New Product");
}

/** `for`: the short id of a search that was shared. What it looks for fills in the form. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const id = new URL(request.url).searchParams.get("for");
  const [editor, search] = await Promise.all([
    openNewListing(services, requireViewer(context)),
    id === null ? null : openSharedSearch(services.db, id),
  ]);
  if (id === null || search?.state !== "shown") return editor;
  return { ...editor, lookedFor: { id, sentence: lookingSentence(search.looking), values: search.values } };
}

/** My Shop opens this form in a dialog. If it can't be loaded, My Shop stays as it is. */
export function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  return serverLoader().catch((error: unknown) => {
    console.warn("Failed to load categories", error);
    return failInPlace(error);
  });
}

export const action = (args: Route.ActionArgs) => listingAction(args, null);

/**
 * If the answer is lost, the form keeps its product id, so sending it again lists the product only once. A listing that
 * was saved is no draft, even if its seller has left the form.
 */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  const failed = { ok: false as const, errors: { form: LISTING_TEXTS.add_failed } };
  return passOn(
    async () => {
      const answer = await serverAction();
      if (answer.ok) clearDraft(null);
      return answer;
    },
    () => failed,
  );
}

export default function AddProduct({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  if ("failed" in loaderData) return <Failure />;
  return (
    <div className="page page--listing stack">
      <PageHeader title="Add New Product" />
      <ListingForm editor={loaderData} answer={answer} />
    </div>
  );
}

export function ErrorBoundary() {
  return <Failure />;
}

function Failure() {
  return <ScreenFailed title="We couldn't load the form" />;
}
