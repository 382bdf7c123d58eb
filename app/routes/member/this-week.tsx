import type { Route } from "./+types/this-week.ts";
import { CardForms } from "#app/basket/components/card-forms.tsx";
import { useBasketCardParts } from "#app/basket/components/card-parts.tsx";
import { ProductFeed } from "#app/catalogue/browse/components/product-feed.tsx";
import { findDigestListings } from "#app/digest/digest.server.ts";
import { servicesContext } from "#app/request/context.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";

export function meta() {
  return pageMeta("New This Week");
}

/** The listings that a digest names, as they are now. The address has their ids. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const ids = new URL(request.url).searchParams.getAll("id");
  return { products: await findDigestListings(context.get(servicesContext), ids) };
}

export default function ThisWeek({ loaderData: { products } }: Route.ComponentProps) {
  const cardParts = useBasketCardParts();
  return (
    <div className="page stack">
      <CardForms />
      <PageHeader title="New This Week" lead="On your campus, chosen for what you saved, bought and follow" />
      <ProductFeed
        label="New this week"
        first={{ products, after: null, next: null }}
        path="/this-week"
        cardParts={cardParts}
        empty={
          <EmptyState
            icon="store"
            title="All gone"
            sentence="What we chose for you is sold, or nothing fitted yet."
            action={<LinkButton to="/studentmarketplace">See What's New</LinkButton>}
          />
        }
      />
    </div>
  );
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load these listings" />;
}
