import type { Route } from "./+types/income.ts";
import { incomeForm } from "#app/admin/income/income-forms.ts";
import {
  confirmFee,
  declineFee,
  findProposedFee,
  isCategory,
  openIncome,
  proposeFee,
  setMonthlyCost,
} from "#app/admin/income/income.server.ts";
import { IncomeView } from "#app/admin/income/income-view.tsx";
import { earliestStart } from "#app/catalogue/fees/fee-rules.ts";
import { readDay } from "#app/platform/east-africa-time.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { readAdminForm } from "#app/screens/actions/admin-form.server.ts";
import { INCOME_TEXTS } from "#app/admin/income/income-texts.ts";
import { ADMIN_TEXTS } from "#app/team/admin-texts.ts";
import { passAdminForm } from "#app/team/form-answer.ts";
import { formatDate } from "#app/ui/dates.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

export function meta() {
  return pageMeta("Income");
}

export function loader({ context }: Route.LoaderArgs) {
  return openIncome(context.get(servicesContext), requireViewer(context).id);
}

export async function action(args: Route.ActionArgs) {
  const sent = await readAdminForm(args, incomeForm);
  if (!sent.ok) return sent.answer;
  const { services, admin, form, refuse, back } = sent;
  if (form.intent === "set-cost") {
    const { id: month, amount, seen } = form;
    const isSet = await setMonthlyCost(services, admin, { month, amount, seen });
    return isSet ? back("success", INCOME_TEXTS.cost_set) : back("error", ADMIN_TEXTS.stale);
  }
  if (form.intent === "propose-fee") {
    const { intent: _, startsOn, category: chosen, ...rule } = form;
    const category = chosen === "" ? null : chosen;
    if (category !== null && !(await isCategory(services, category)))
      return refuse({ category: INCOME_TEXTS.fee_category }, 409);
    const earliest = earliestStart(rule, services.now());
    const startsAt = readDay(startsOn);
    if (startsAt === null || startsAt < earliest)
      return refuse({ startsOn: `${INCOME_TEXTS.fee_day} ${formatDate(earliest)}` }, 400);
    const isProposed = await proposeFee(services, admin, { ...rule, category, startsAt });
    return isProposed ? back("success", INCOME_TEXTS.fee_proposed) : back("error", ADMIN_TEXTS.stale);
  }
  if (form.intent === "decline-fee")
    return (await declineFee(services, admin, form.id))
      ? back("success", INCOME_TEXTS.fee_declined)
      : back("error", ADMIN_TEXTS.stale);
  const fee = await findProposedFee(services, form.id);
  const isConfirmed =
    fee !== null && (await confirmFee(services, admin, { id: fee.id, earliest: earliestStart(fee, services.now()) }));
  return isConfirmed ? back("success", INCOME_TEXTS.fee_confirmed) : back("error", ADMIN_TEXTS.stale);
}

export const clientAction = (args: Route.ClientActionArgs) => passAdminForm(args);

export default function Income({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return <IncomeView {...loaderData} answer={answer} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load the income" />;
}
