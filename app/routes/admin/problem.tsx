import { data } from "react-router";
import type { Route } from "./+types/problem.ts";
import { type DecisionAnswer, decisionForm, formErrors } from "#app/admin/admin-forms.ts";
import { backToAdminPage } from "#app/admin/admin-pages.server.ts";
import { ADMIN_TEXTS } from "#app/admin/admin-rules.ts";
import { ProblemDetailsView } from "#app/admin/components/problem-view.tsx";
import { decideDeal, needsSecondAdmin } from "#app/admin/decisions.server.ts";
import { findProblemDetails } from "#app/admin/problems.server.ts";
import { refusePart } from "#app/orders/deal-rules.ts";
import { startPayout } from "#app/payments/payment-api.server.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { readCursor } from "#app/catalogue/catalogue-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/state.tsx";

export function meta() {
  return pageMeta("Problem");
}

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const before = readCursor(new URL(request.url).searchParams.get("before"));
  const problem = await findProblemDetails(context.get(servicesContext).db, params.itemId, before);
  if (!problem) throw data(null, { status: 404 });
  const services = context.get(servicesContext);
  const viewerId = requireViewer(context).id;
  return { problem, viewerId, needsTwo: await needsSecondAdmin(services, viewerId, params.itemId) };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const admin = requireViewer(context);
  const sent = await request.formData();
  const values = valuesOf(sent);
  const refuse = (status: number, errors: DecisionAnswer["errors"]) =>
    data<DecisionAnswer>({ errors, values, confirm: null }, status);
  const parsed = decisionForm.safeParse(Object.fromEntries(sent));
  if (!parsed.success) return refuse(400, formErrors(parsed.error));
  if (!(await services.limits.write(admin.id))) return refuse(429, { form: TOO_MANY_REQUESTS });
  const { intent, decision, amount, reasons } = parsed.data;
  if (intent === "preview") {
    const found = await findProblemDetails(services.db, params.itemId);
    if (!found) throw data(null, { status: 404 });
    const error = decision === "split" ? refusePart(amount, found.item.subtotal) : null;
    if (error) return refuse(400, { amount: error });
    return data<DecisionAnswer>({ errors: {}, values, confirm: { decision, amount, reasons } });
  }
  const decided = await decideDeal(services, admin, { itemId: params.itemId, decision, amount, reasons });
  if (!decided.ok) {
    if (decided.code === "not_found") throw data(null, { status: 404 });
    if (decided.code === "amount") return refuse(400, { amount: decided.error });
    return backToAdminPage(services, request, { kind: "error", text: ADMIN_TEXTS[decided.code] });
  }
  if (!decided.isDecided) return backToAdminPage(services, request, { kind: "success", text: ADMIN_TEXTS.proposed });
  if (decided.payoutId) services.defer(startPayout(services, decided.payoutId, params.itemId));
  services.drainOutbox();
  return backToAdminPage(services, request, { kind: "success", text: ADMIN_TEXTS.decided });
}

function valuesOf(sent: FormData): DecisionAnswer["values"] {
  const text = (name: string) => {
    const value = sent.get(name);
    return typeof value === "string" ? value : undefined;
  };
  return { decision: text("decision"), amount: text("amount"), reasons: text("reasons") };
}

/** A lost answer keeps what was typed. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const values = valuesOf(await request.clone().formData());
  return passOn(serverAction, (): DecisionAnswer => ({ errors: { form: ADMIN_TEXTS.lost }, values, confirm: null }));
}

export default function Problem({ loaderData, actionData }: Route.ComponentProps) {
  return <ProblemDetailsView {...loaderData} answer={actionData ?? null} />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const missing = {
    icon: "search",
    title: "Problem not found",
    action: <LinkButton to="/admin/problems">All problems</LinkButton>,
  } as const;
  return <ScreenFailed title="We couldn't load the problem" error={error} missing={missing} />;
}
