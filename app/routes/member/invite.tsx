import type { Route } from "./+types/invite.ts";
import { InviteView } from "#app/accounts/components/invite-view.tsx";
import { findInvitations } from "#app/accounts/invitations/invitations.server.ts";
import { findUncountedDeals } from "#app/deals/invitations.server.ts";
import { invitationPath } from "#app/public-links.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";

export function meta() {
  return pageMeta("Bring a friend");
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const { id } = requireViewer(context);
  const services = context.get(servicesContext);
  const [own, uncounted] = await Promise.all([findInvitations(services, id), findUncountedDeals(services, id)]);
  return { path: invitationPath(id), origin: new URL(request.url).origin, own, uncounted };
}

export default function Invite({ loaderData }: Route.ComponentProps) {
  return <InviteView {...loaderData} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load your invitations" />;
}
