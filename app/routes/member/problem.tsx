import { data } from "react-router";
import type { Route } from "./+types/problem.ts";
import { ProblemView } from "#app/deals/components/problem-view.tsx";
import type { ProblemAnswer } from "#app/deals/problems/problem-forms.ts";
import { findProblem } from "#app/deals/problems/problem-page.server.ts";
import { PROBLEM_TEXTS } from "#app/deals/problems/problem-texts.ts";
import { summarizeProblem } from "#app/deals/problems/problem-summary.server.ts";
import { OrderFailure } from "#app/orders/components/order-failure.tsx";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { seeThings } from "#app/screens/notifications/see-things.server.ts";
import { problemAction } from "#app/screens/actions/problem-action.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { passOn, reloadsOnConflict } from "#app/ui/feedback/no-answer.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta(loaderData ? `Problem: ${loaderData.item.name}` : "Order Not Found");
}

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const page = await findProblem(services.db, params.itemId, viewer.id);
  if (!page) throw data(null, { status: 404 });
  seeThings(services, viewer, request, [`item:${params.itemId}`]);
  const { item, role, problem, history } = page;
  return {
    item,
    role,
    problem,
    history: history.map(({ id, words, note, warning, createdAt }) => ({ id, words, note, warning, createdAt })),
    summary: summarizeProblem(page, services.now()),
  };
}

export const action = (args: Route.ActionArgs) => problemAction(args, args.params.itemId);

export const shouldRevalidate = reloadsOnConflict;

/** Keeps the form when no answer arrives. If the report was saved anyway, it shows when the page is loaded again. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const intent = String((await request.clone().formData()).get("intent"));
  const form = intent === "report" ? PROBLEM_TEXTS.failed : PROBLEM_TEXTS.answer_failed;
  return passOn(serverAction, (): ProblemAnswer => ({ intent, errors: { form } }));
}

export default function Problem({ loaderData, actionData, params }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return <ProblemView key={params.itemId} {...loaderData} answer={answer} />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <OrderFailure error={error} action={<LinkButton to="/profile?tab=orders">My Orders</LinkButton>} />;
}
