import type { Route } from "./+types/verified.ts";
import { VerifiedView } from "#app/accounts/components/verified-view.tsx";
import { findVerification } from "#app/accounts/trust/verified.server.ts";
import { servicesContext, viewerContext } from "#app/request/context.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";

export function meta() {
  return pageMeta("What verified means");
}

/** Visitors see it, too: seller pages lead here. */
export async function loader({ context }: Route.LoaderArgs) {
  const viewer = context.get(viewerContext);
  return { verification: viewer && (await findVerification(context.get(servicesContext), viewer.id)) };
}

export default function Verified({ loaderData }: Route.ComponentProps) {
  return <VerifiedView {...loaderData} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load this page" />;
}
