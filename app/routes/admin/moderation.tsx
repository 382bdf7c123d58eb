import { useOutlet } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/moderation.ts";
import { ModerationView } from "#app/moderation/cases/case-list-view.tsx";
import { listCases } from "#app/moderation/cases/list-cases.server.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";

export function meta() {
  return pageMeta("Moderation");
}

const show = z.enum(["queue", "done"]).catch("queue");

export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const filter = show.parse(searchParams.get("show"));
  const after = searchParams.get("after");
  const { id } = requireViewer(context);
  return { ...(await listCases(context.get(servicesContext), id, filter, after)), filter, begun: after !== null };
}

export default function Moderation({ loaderData }: Route.ComponentProps) {
  return <ModerationView {...loaderData} open={useOutlet()} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load the cases" />;
}
