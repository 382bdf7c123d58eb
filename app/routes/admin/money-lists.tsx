import { data } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/money-lists.ts";
import { lineForm } from "#app/admin/money/money-forms.ts";
import { formErrors } from "#app/team/form-fields.ts";
import { MONEY_TEXTS } from "#app/admin/money/money-texts.ts";
import { MpesaListsView } from "#app/admin/money/mpesa-lists-view.tsx";
import { type AdminFormAnswer, passAdminForm } from "#app/team/form-answer.ts";
import { acceptLine, closeLine, openListsPage, sendStatement } from "#app/admin/money/mpesa-lists.server.ts";
import { LIST_ACCOUNTS } from "#app/db/states/mpesa-list.ts";
import { STATEMENT_MAX } from "#app/payments/books/statement-file.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { screenPath } from "#app/request/screen-path.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { readForm } from "#app/request/form-data.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

/** Bytes: a file, and the fields around it. */
const MAX_FORM = STATEMENT_MAX.bytes + 64 * 1024;
/** The form that sends a statement, among the forms of the lines. */
const SEND = "send:statement";
const account = z.enum(LIST_ACCOUNTS);

export function meta() {
  return pageMeta("M-Pesa's Lists");
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const page = await openListsPage(services, new URL(request.url).searchParams.get("list"));
  if (!page) throw data(null, { status: 404 });
  return { page, isPulled: services.payments.pullNumber !== "" };
}

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const admin = requireViewer(context);
  const sent = await readForm(request, MAX_FORM);
  const refuse = (subject: string, status: number, errors: AdminFormAnswer["errors"]) =>
    data<AdminFormAnswer>({ subject, errors }, status);
  if (!sent.ok)
    return sent.code === "too_large"
      ? refuse(SEND, 413, { file: "This file is larger than 2 MB." })
      : refuse(SEND, 400, { file: "We couldn't read what was sent. Please try again." });
  const fields = Object.fromEntries(sent.form);
  if (fields.intent === "send") {
    const { file } = fields;
    const chosen = account.safeParse(fields.account);
    if (!chosen.success) return refuse(SEND, 400, { account: "Choose which account it is of" });
    // A form without a chosen file sends one without a name.
    if (!(file instanceof File) || file.name === "") return refuse(SEND, 400, { file: "Choose a CSV file first" });
    if (!(await services.limits.write(admin.id))) return refuse(SEND, 429, { file: TOO_MANY_REQUESTS });
    const statement = { bytes: new Uint8Array(await file.arrayBuffer()), account: chosen.data };
    const compared = await sendStatement(services, admin, statement);
    if (!compared.ok) return refuse(SEND, 400, { file: compared.error });
    const text =
      compared.unmatched === 0
        ? "Everything on the statement matches our records."
        : "Compared. The lines below don't match our records.";
    return redirectWithFlash(services, `/admin/money/lists?list=${compared.listId}`, { kind: "success", text });
  }
  const subject = typeof fields.subject === "string" ? fields.subject.slice(0, 100) : "";
  const parsed = lineForm.safeParse(fields);
  if (!parsed.success) return refuse(subject, 400, formErrors(parsed.error));
  if (!(await services.limits.write(admin.id))) return refuse(subject, 429, { form: TOO_MANY_REQUESTS });
  const outcome =
    parsed.data.intent === "close-line"
      ? await closeLine(services, admin, parsed.data.id, parsed.data.resolution)
      : await acceptLine(services, admin, parsed.data);
  if (!["resolved", "payment_accepted", "proposed", "stale"].includes(outcome))
    return refuse(subject, 409, { form: MONEY_TEXTS[outcome] });
  services.drainOutbox();
  return redirectWithFlash(services, screenPath(request), {
    kind: outcome === "stale" ? "error" : "success",
    text: MONEY_TEXTS[outcome],
  });
}

export const clientAction = (args: Route.ClientActionArgs) => passAdminForm(args);

export default function MoneyLists({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return <MpesaListsView {...loaderData} answer={answer} />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const missing = {
    icon: "search",
    title: "List not found",
    action: <LinkButton to="/admin/money/lists">All lists</LinkButton>,
  } as const;
  return <ScreenFailed title="We couldn't load M-Pesa's lists" error={error} missing={missing} />;
}
