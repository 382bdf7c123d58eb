import "#app/catalogue/browse/components/catalogue.css";
import { redirect } from "react-router";
import type { Route } from "./+types/search.ts";
import { PublicListings } from "#app/catalogue/browse/components/public-list-view.tsx";
import { type PublicResults, searchPublicly } from "#app/catalogue/search/public-search.server.ts";
import { tidySearchText } from "#app/catalogue/search/search-text.ts";
import { FRONT_PATH, publicSearchPath } from "#app/public-links.ts";
import { servicesContext, viewerContext } from "#app/request/context.ts";
import { PublicFailure } from "#app/screens/public-frame.tsx";
import { buttonClass } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta(loaderData?.text ? `“${loaderData.text}”` : "Search");
}

/** What visitors find. Members are led to their own search. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const text = tidySearchText(searchParams.get("q"));
  if (context.get(viewerContext)?.profileComplete) throw redirect(`/search?q=${encodeURIComponent(text)}`);
  if (text === "") return { text, found: null };
  return { text, found: await searchPublicly(context.get(servicesContext), searchParams) };
}

export default function PublicSearch({ loaderData: { text, found } }: Route.ComponentProps) {
  const title = found ? `Results for “${text}”` : "Search";
  return (
    <div className="page stack has-search-row">
      <header className="stack stack--tight">
        <h1 className="search-title">{title}</h1>
        {found?.respelled && <p className="quiet">No exact match. These results have a similar spelling.</p>}
        {found?.isNear && (
          <>
            <h2>No products found</h2>
            <p className="quiet">Nothing has all of these words. These come nearest.</p>
          </>
        )}
      </header>
      {found && <Results text={text} title={title} found={found} />}
    </div>
  );
}

function Results({ text, title, found: { listings, next } }: { text: string; title: string; found: PublicResults }) {
  return (
    <>
      {listings.length > 0 ? (
        <PublicListings label={title} listings={listings} />
      ) : (
        <EmptyState
          icon="search-x"
          title="No products found"
          sentence="Check the spelling, try fewer words, or see what is new."
          action={
            <a className={buttonClass({})} href={FRONT_PATH}>
              See What's New
            </a>
          }
        />
      )}
      {next !== null && (
        <p>
          <a className={buttonClass({ variant: "soft" })} href={publicSearchPath(text, next)}>
            More results
          </a>
        </p>
      )}
    </>
  );
}

export { PublicFailure as ErrorBoundary };
