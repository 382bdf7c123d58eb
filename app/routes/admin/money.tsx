import { z } from "zod";
import type { Route } from "./+types/money.ts";
import { LedgerView } from "#app/admin/money/ledger-view.tsx";
import { MoneyView } from "#app/admin/money/money-view.tsx";
import { passAdminForm } from "#app/team/form-answer.ts";
import { moneyForm } from "#app/admin/money/money-forms.ts";
import { chooseMoneyList, MONEY_LISTS, openLedger, openMoneyPage } from "#app/admin/money/money.server.ts";
import { decideMoney } from "#app/admin/money/money-decisions.server.ts";
import { MONEY_TEXTS } from "#app/admin/money/money-texts.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { readAdminForm } from "#app/screens/actions/admin-form.server.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

export function meta() {
  return pageMeta("Money");
}

const show = z
  .enum([...MONEY_LISTS, "ledger"])
  .nullable()
  .catch(null);
const only = z.enum(["open", "all"]).catch("open");

export async function loader({ request, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const { id: adminId } = requireViewer(context);
  const { searchParams } = new URL(request.url);
  const filter = only.parse(searchParams.get("only"));
  const search = (searchParams.get("q") ?? "").trim().slice(0, 60);
  const asked = show.parse(searchParams.get("show"));
  const list = asked ?? (search === "" ? await chooseMoneyList(services) : "discrepancies");
  const after = searchParams.get("after");
  if (list === "ledger") {
    const [ledger, { counts, waiting }] = await Promise.all([
      openLedger(services),
      openMoneyPage(services, { list: "discrepancies", filter: "open", search: "", after: null, adminId }),
    ]);
    return { kind: "ledger" as const, ledger, counts, waiting };
  }
  return {
    kind: "list" as const,
    page: await openMoneyPage(services, { list, filter, search, after, adminId }),
    filter,
    search,
    begun: after !== null,
  };
}

export async function action(args: Route.ActionArgs) {
  const sent = await readAdminForm(args, moneyForm);
  if (!sent.ok) return sent.answer;
  const { services, admin, form, refuse, back } = sent;
  const outcome = await decideMoney(services, admin, form);
  if (outcome === "own_money") return refuse({ form: MONEY_TEXTS.own_money }, 409);
  if (
    outcome === "receipt_used" ||
    outcome === "receipt_other" ||
    outcome === "receipt_of_another" ||
    outcome === "receipt_unreachable"
  )
    return refuse({ receipt: MONEY_TEXTS[outcome] }, 409);
  services.drainOutbox();
  const isDone = !["stale", "sent_twice", "payout_reported", "number_changed", "no_number"].includes(outcome);
  return back(isDone ? "success" : "error", MONEY_TEXTS[outcome]);
}

export const clientAction = (args: Route.ClientActionArgs) => passAdminForm(args);

export default function Money({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  if (loaderData.kind === "ledger") return <LedgerView {...loaderData} />;
  return <MoneyView {...loaderData} answer={answer} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load this page" />;
}
