import type { z } from "zod";
import type { Route } from "./+types/income.ts";
import { incomeForm } from "#app/admin/income/income-forms.ts";
import {
  confirmFee,
  declineFee,
  findProposedFee,
  isCategory,
  keepFee,
  openIncome,
  proposeFee,
  proposeTakeBack,
  setMonthlyCost,
  takeBackFee,
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
  const done = (isDone: boolean, text: string) => (isDone ? back("success", text) : back("error", ADMIN_TEXTS.stale));
  if (form.intent === "set-cost") {
    const { id: month, amount, seen } = form;
    return done(await setMonthlyCost(services, admin, { month, amount, seen }), INCOME_TEXTS.cost_set);
  }
  if (form.intent === "propose-fee" || form.intent === "propose-as-others") {
    const { startsOn, ...fee } = suggestedFee(form);
    if (fee.category !== null && !(await isCategory(services, fee.category)))
      return refuse({ [fee.asOthers ? "form" : "category"]: INCOME_TEXTS.fee_category }, 409);
    const earliest = earliestStart(fee, services.now());
    const startsAt = readDay(startsOn);
    if (startsAt === null || startsAt < earliest)
      return refuse({ startsOn: `${INCOME_TEXTS.fee_day} ${formatDate(earliest)}` }, 400);
    return done(await proposeFee(services, admin, { ...fee, startsAt }), INCOME_TEXTS.fee_proposed);
  }
  const { id } = form;
  switch (form.intent) {
    case "decline-fee":
      return done(await declineFee(services, admin, id), INCOME_TEXTS.fee_declined);
    case "take-back-fee":
      return done(await proposeTakeBack(services, admin, id), INCOME_TEXTS.fee_take_back_proposed);
    case "confirm-take-back":
      return done(await takeBackFee(services, admin, id), INCOME_TEXTS.fee_taken_back);
    case "keep-fee":
      return done(await keepFee(services, admin, id), INCOME_TEXTS.fee_kept);
    case "confirm-fee": {
      const fee = await findProposedFee(services, id);
      const earliest = fee && earliestStart(fee, services.now());
      const isConfirmed = earliest !== null && (await confirmFee(services, admin, { id, earliest }));
      return done(isConfirmed, INCOME_TEXTS.fee_confirmed);
    }
  }
}

type Suggestion = Extract<z.output<typeof incomeForm>, { startsOn: string }>;

/** What is suggested, but for its day as it was typed. */
function suggestedFee(form: Suggestion) {
  if (form.intent === "propose-as-others")
    return { ...NO_FEE, category: form.id, asOthers: true, startsOn: form.startsOn };
  const { intent: _, category, ...rest } = form;
  return { ...rest, category: category === "" ? null : category, asOthers: false };
}

const NO_FEE = { payer: "seller", share: 0, smallest: 0, largest: 0 } as const;

export const clientAction = (args: Route.ClientActionArgs) => passAdminForm(args);

export default function Income({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return <IncomeView {...loaderData} answer={answer} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load the income" />;
}
