import type { ShouldRevalidateFunctionArgs } from "react-router";
import type { Route } from "./+types/marketplace.ts";
import { ProductFeed } from "#app/catalogue/components/product-feed.tsx";
import { listFeed } from "#app/catalogue/products.server.ts";
import { readCursor, writeCursor } from "#app/catalogue/rules.ts";
import { requireViewer, servicesContext } from "#app/context.ts";
import { PageHeader } from "#app/ui/page-header.tsx";
import { pageTitle } from "#app/ui/page-title.ts";
import { EmptyState, ErrorState } from "#app/ui/state.tsx";

export function meta() {
  return [{ title: pageTitle("Student Marketplace") }];
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const viewer = requireViewer(context);
  const cursor = readCursor(new URL(request.url).searchParams.get("after"));
  const page = await listFeed(context.get(servicesContext).db, { viewerId: viewer.id, cursor });
  return { products: page.products, next: page.next && writeCursor(page.next), name: viewer.fullName || "Student" };
}

/** The feed stays as it is while carts and messages change. */
export function shouldRevalidate({ formMethod, currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return formMethod ? false : currentUrl.pathname !== nextUrl.pathname && defaultShouldRevalidate;
}

export default function Marketplace({ loaderData }: Route.ComponentProps) {
  return (
    <div className="page">
      <PageHeader title={`Welcome, ${loaderData.name}`} lead="What your campus is selling today" />
      {loaderData.products.length === 0 ? (
        <EmptyState icon="package" title="No products found" sentence="New listings appear here as students post them." />
      ) : (
        <ProductFeed label="Products" first={loaderData} path="/studentmarketplace" />
      )}
    </div>
  );
}

export function ErrorBoundary() {
  return (
    <div className="page">
      <ErrorState level={1} title="Failed to load products" sentence="Please check your connection and try again." />
    </div>
  );
}
