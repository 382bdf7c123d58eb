import type { Route } from "./+types/wishlist.ts";
import { WishlistView } from "#app/basket/components/wishlist-view.tsx";
import { listWishlist } from "#app/basket/find-wishlist.server.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";

export function meta() {
  return pageMeta("Wishlist");
}

export async function loader({ context }: Route.LoaderArgs) {
  return { items: await listWishlist(context.get(servicesContext).db, requireViewer(context).id) };
}

export default function Wishlist({ loaderData }: Route.ComponentProps) {
  return <WishlistView items={loaderData.items} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="Failed to load wishlist" />;
}
