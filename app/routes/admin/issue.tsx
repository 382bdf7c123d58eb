import { data } from "react-router";
import type { z } from "zod";
import type { Route } from "./+types/issue.ts";
import { IssueView } from "#app/admin/components/issue-view.tsx";
import { passAdminForm } from "#app/admin/form-answer.ts";
import { issueForm } from "#app/admin/admin-forms.ts";
import { type Admin, backToAdminPage, readAdminForm } from "#app/admin/admin-pages.server.ts";
import { addIssueNote, closeIssue, type CloseResult, findIssue } from "#app/admin/issues.server.ts";
import { ADMIN_TEXTS } from "#app/admin/admin-rules.ts";
import {
  restoreListing,
  restoreUser,
  suspendListing,
  suspendUser,
  type SuspensionResult,
} from "#app/admin/suspensions.server.ts";
import { readCursor } from "#app/catalogue/catalogue-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import type { Services } from "#app/request/services.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/state.tsx";

export function meta() {
  return pageMeta("Report");
}

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const before = readCursor(new URL(request.url).searchParams.get("before"));
  const page = await findIssue(context.get(servicesContext).db, params.id, before);
  if (!page) throw data(null, { status: 404 });
  return { page };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const viewer = requireViewer(context);
  const sent = await readAdminForm(services, viewer, request, issueForm);
  if (!sent.ok) return sent.answer;
  const outcome = await decide(services, viewer, params.id, sent.form);
  if (outcome !== "done" && outcome !== "proposed" && outcome !== "deals_wait") {
    const text = ADMIN_TEXTS[outcome === "decided" ? "decided_by_you" : outcome];
    return backToAdminPage(services, request, { kind: "error", text });
  }
  services.drainOutbox();
  const text = outcome === "done" ? DONE[sent.form.intent] : ADMIN_TEXTS[outcome];
  return backToAdminPage(services, request, { kind: "success", text });
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

async function decide(
  services: Services,
  admin: Admin,
  issueId: string,
  form: z.infer<typeof issueForm>,
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

export default function Issue({ loaderData, actionData }: Route.ComponentProps) {
  return <IssueView {...loaderData} answer={actionData ?? null} />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const missing = {
    icon: "search",
    title: "Report not found",
    action: <LinkButton to="/admin/issues">All open reports</LinkButton>,
  } as const;
  return <ScreenFailed title="We couldn't load the issue report" error={error} missing={missing} />;
}
