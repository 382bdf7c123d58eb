import type { Route } from "./+types/protection.ts";
import { servicesContext, viewerContext } from "#app/request/context.ts";
import { ProtectionView } from "#app/screens/help/protection-view.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";

export function meta() {
  return pageMeta("How paying is protected");
}

export function loader({ context }: Route.LoaderArgs) {
  return {
    inspectionHours: context.get(servicesContext).deals.inspectionHours,
    isMember: context.get(viewerContext) !== null,
  };
}

export default function Protection({ loaderData }: Route.ComponentProps) {
  return <ProtectionView {...loaderData} />;
}
