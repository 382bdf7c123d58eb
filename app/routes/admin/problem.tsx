// The style sheets of the parts below, which come later.
import "#app/deals/components/deals.css";
import "#app/orders/components/orders.css";
import "#app/ui/forms/text-warning.css";
import "#app/ui/summary-rows.css";
import { Suspense } from "react";
import { data } from "react-router";
import type { z } from "zod";
import type { Route } from "./+types/problem.ts";
import { type DecisionAnswer, decisionForm, issueForm } from "#app/admin/problems/problem-forms.ts";
import type { Admin } from "#app/team/perform-act.server.ts";
import { ADMIN_TEXTS } from "#app/team/admin-texts.ts";
import { decideDeal, needsSecondAdmin } from "#app/admin/problems/decisions.server.ts";
import { passAdminForm } from "#app/team/form-answer.ts";
import { addIssueNote, closeIssue, type CloseResult, findIssue } from "#app/admin/problems/issues.server.ts";
import { findProblemDetails } from "#app/admin/problems/problems.server.ts";
import {
  restoreListing,
  restoreUser,
  suspendListing,
  suspendUser,
  type SuspensionResult,
} from "#app/moderation/suspensions/suspensions.server.ts";
import { readCursor } from "#app/catalogue/catalogue-rules.ts";
import { refusePart } from "#app/deals/deal-rules.ts";
import { startPayout } from "#app/payments/transfers/start-payout.server.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import type { Services } from "#app/request/services.ts";
import type { ClaimForm } from "#app/team/claim-forms.ts";
import { changeClaim, findClaim } from "#app/team/claims.server.ts";
import { readAdminForm } from "#app/screens/actions/admin-form.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { lazyPart } from "#app/ui/feedback/lazy-part.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { Skeleton } from "#app/ui/feedback/skeleton.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

/** A problem of a sale and an issue report each load their own script, beside the list. */
const ProblemDetailsView = import.meta.env.SSR
  ? (await import("#app/admin/problems/problem-view.tsx")).ProblemDetailsView
  : lazyPart(async () => (await import("#app/admin/problems/problem-view.tsx")).ProblemDetailsView);
const IssueView = import.meta.env.SSR
  ? (await import("#app/admin/problems/issue-view.tsx")).IssueView
  : lazyPart(async () => (await import("#app/admin/problems/issue-view.tsx")).IssueView);

export function meta() {
  return pageMeta("Problem");
}

/** The id is of an order's item, or of an issue report. */
export async function loader({ request, params: { id }, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const claim = findClaim(services, claimed(id));
  const before = readCursor(new URL(request.url).searchParams.get("older"));
  const problem = await findProblemDetails(services.db, id, before);
  if (problem) {
    const viewerId = requireViewer(context).id;
    const needsTwo = await needsSecondAdmin(services, viewerId, id);
    return { of: "item" as const, problem, viewerId, needsTwo, claim: await claim };
  }
  const page = await findIssue(services.db, id, before);
  if (!page) throw data(null, { status: 404 });
  return { of: "report" as const, page, claim: await claim };
}

/** What a claim on an item or a report is about. */
function claimed(id: string): string {
  return `problem:${id}`;
}

export async function action(args: Route.ActionArgs) {
  const intent = (await args.request.clone().formData()).get("intent");
  return intent === "preview" || intent === "decide" ? decideItem(args) : act(args);
}

async function decideItem(args: Route.ActionArgs) {
  const { id } = args.params;
  const sent = await readAdminForm(args, decisionForm);
  if (!sent.ok) return sent.answer;
  const { services, admin, echo, refuse, back } = sent;
  const { intent, decision, amount, reasons } = sent.form;
  if (intent === "preview") {
    const found = await findProblemDetails(services.db, id);
    if (!found) throw data(null, { status: 404 });
    const error = decision === "split" ? refusePart(amount, found.item.subtotal) : null;
    if (error) return refuse({ amount: error }, 400);
    return data<DecisionAnswer>({
      ...echo,
      errors: {},
      confirm: { decision, amount, reasons, over: found.proposal?.id ?? null },
    });
  }
  const decided = await decideDeal(services, admin, { itemId: id, decision, amount, reasons });
  if (!decided.ok) {
    if (decided.code === "not_found") throw data(null, { status: 404 });
    if (decided.code === "amount") return refuse({ amount: decided.error }, 400);
    return back("error", ADMIN_TEXTS[decided.code]);
  }
  if (!decided.isDecided) return back("success", ADMIN_TEXTS.proposed);
  if (decided.payoutId) services.defer(startPayout(services, decided.payoutId, id));
  services.drainOutbox();
  return back("success", ADMIN_TEXTS.decided);
}

async function act(args: Route.ActionArgs) {
  const sent = await readAdminForm(args, issueForm);
  if (!sent.ok) return sent.answer;
  const { services, admin, form, back } = sent;
  if (form.intent === "claim" || form.intent === "release") {
    const { id } = args.params;
    const item = await findProblemDetails(services.db, id);
    const people = item ? [item.buyer, item.seller] : (await findIssue(services.db, id))?.people;
    if (!people) throw data(null, { status: 404 });
    // Who may not decide it keeps nobody from it.
    if (people.some((person) => person.id === admin.id)) return back("error", ADMIN_TEXTS.own_money);
    const done = await changeClaim(services, admin, claimed(id), form);
    return back(done ? "success" : "error", ADMIN_TEXTS[done ? form.intent : "stale"]);
  }
  const outcome = await perform(services, admin, args.params.id, form);
  if (outcome !== "done" && outcome !== "proposed" && outcome !== "deals_wait") {
    const text = ADMIN_TEXTS[outcome === "decided" ? "decided_by_you" : outcome];
    return back("error", text);
  }
  services.drainOutbox();
  const text = outcome === "done" ? DONE[form.intent] : ADMIN_TEXTS[outcome];
  return back("success", text);
}

const DONE = {
  note: ADMIN_TEXTS.noted,
  close: ADMIN_TEXTS.closed,
  "suspend-user": ADMIN_TEXTS.user_suspended,
  "restore-user": ADMIN_TEXTS.user_restored,
  "suspend-listing": ADMIN_TEXTS.listing_suspended,
  "restore-listing": ADMIN_TEXTS.listing_restored,
} as const;

type Refused<Result> = Extract<Result, { ok: false }> extends { code: infer Code } ? Code : never;
type Outcome = "done" | "deals_wait" | Refused<SuspensionResult> | Refused<CloseResult>;

async function perform(
  services: Services,
  admin: Admin,
  issueId: string,
  form: Exclude<z.infer<typeof issueForm>, ClaimForm>,
): Promise<Outcome> {
  switch (form.intent) {
    case "note":
      return (await addIssueNote(services, admin, issueId, form.note)) ? "done" : "stale";
    case "close":
      return outcomeOf(await closeIssue(services, admin, issueId, form.outcome));
    case "suspend-user":
      return outcomeOf(await suspendUser(services, admin, form.id, form.reason));
    case "restore-user":
      return outcomeOf(await restoreUser(services, admin, form.id));
    case "suspend-listing":
      return outcomeOf(await suspendListing(services, admin, form.id, form.reason));
    case "restore-listing":
      return outcomeOf(await restoreListing(services, admin, form.id));
  }
}

function outcomeOf(result: SuspensionResult | CloseResult): Outcome {
  if (!result.ok) return result.code;
  return "waits" in result && result.waits ? "deals_wait" : "done";
}

export const clientAction = (args: Route.ClientActionArgs) => passAdminForm(args);

export default function Problem({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return (
    <Suspense fallback={<Skeleton shape="text" />}>
      {loaderData.of === "item" ? (
        // What is typed belongs to this one, and not to the next that is opened from the list.
        <ProblemDetailsView key={loaderData.problem.item.id} {...loaderData} answer={answer} />
      ) : (
        <IssueView key={loaderData.page.issue.id} {...loaderData} answer={answer} />
      )}
    </Suspense>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const missing = {
    icon: "search",
    title: "Problem not found",
    action: <LinkButton to="/admin/problems">All problems</LinkButton>,
  } as const;
  return <ScreenFailed title="We couldn't load the problem" error={error} missing={missing} />;
}
