import { z } from "zod";
import type { Route } from "./+types/problems.ts";
import { ProblemsView } from "#app/admin/components/problems-view.tsx";
import { listProblems } from "#app/admin/problems.server.ts";
import { servicesContext } from "#app/request/context.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/state.tsx";

export function meta() {
  return pageMeta("Problems");
}

const show = z.enum(["review", "open"]).catch("review");

export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const filter = show.parse(searchParams.get("show"));
  const after = searchParams.get("after");
  return { ...(await listProblems(context.get(servicesContext).db, filter, after)), filter, begun: after !== null };
}

export default function Problems({ loaderData }: Route.ComponentProps) {
  return <ProblemsView {...loaderData} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load the problems" />;
}
