import "#app/deals/components/deal-steps.css";
import "#app/ui/summary-rows.css";
import { data } from "react-router";
import type { Route } from "./+types/handover.ts";
import { AuthLayout, LinkFailure } from "#app/accounts/components/auth-layout.tsx";
import { HANDOVER_WORDS } from "#app/catalogue/types/handover-word-rules.ts";
import { enterCodeByLink, findHandover, linkedItem } from "#app/deals/code/handover-link.server.ts";
import { HANDOVER_TEXTS, linkWords } from "#app/deals/code/handover-link-texts.ts";
import { readHandoverCode } from "#app/deals/code/handover-code-rules.ts";
import { type HandoverAnswer, HandoverView } from "#app/deals/components/handover-view.tsx";
import { wrongCodeText } from "#app/deals/words/deal-summary.server.ts";
import { meetingTime } from "#app/meetings/meeting-texts.ts";
import { networkOf } from "#app/platform/network.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requestContext, servicesContext } from "#app/request/context.ts";
import type { Services } from "#app/request/services.ts";
import { sendAfter } from "#app/screens/actions/deal-action.server.ts";
import { formatWeekday } from "#app/ui/dates.ts";
import { passOn, reloadsOnConflict } from "#app/ui/feedback/no-answer.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { TextLink } from "#app/ui/text-link.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

/** The screen of the link that a seller gives to whoever hands an item over for them. It is open to all who have it. */
export function meta() {
  // The address holds the token, so no search engine and no other site may learn it.
  return [
    ...pageMeta("Handover"),
    { name: "referrer", content: "same-origin" },
    { name: "robots", content: "noindex" },
  ];
}

export const shouldRevalidate = reloadsOnConflict;

export async function loader({ params, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  if (!(await services.limits.address(`handover:${networkOf(context.get(requestContext).address)}`)))
    throw data(null, { status: 429 });
  const page = await findHandover(services, params.handoverLink);
  if (!page) throw data(null, { status: 404 });
  const { state, handover, name, image, buyer, seller, startsAt, place } = page;
  const words = HANDOVER_WORDS[handover];
  const day = startsAt === null ? "" : formatWeekday(startsAt);
  return {
    state,
    image,
    confirm: words.confirm,
    ...linkWords(state, words, { name, buyer, seller, day }),
    facts: [
      ...(startsAt === null ? [] : [{ label: "When", value: meetingTime(startsAt) }]),
      ...(place === null ? [] : [{ label: "Where", value: place }]),
      ...(startsAt === null
        ? []
        : [
            { label: "To", value: buyer },
            { label: "For", value: seller },
          ]),
    ],
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const sent = (await request.formData()).get("code");
  const typed = typeof sent === "string" ? sent.slice(0, 200) : "";
  const refuse = (status: number, errors: HandoverAnswer["errors"]) =>
    data<HandoverAnswer>({ right: null, errors, typed }, status);
  const network = networkOf(context.get(requestContext).address);
  if (!(await services.limits.address(`handover:${network}`))) return refuse(429, { form: TOO_MANY_REQUESTS });
  const itemId = await linkedItem(services, params.handoverLink);
  if (itemId === null) throw data(null, { status: 404 });
  // Only who has the link spends its tries: an item's id is no secret.
  if (!(await services.limits.write(`handover:${itemId}`))) return refuse(429, { form: TOO_MANY_REQUESTS });
  const code = readHandoverCode(typed, itemId);
  if (!code.ok) return refuse(400, { code: code.error });
  return enter(services, { token: params.handoverLink, code: code.code, refuse });
}

async function enter(
  services: Services,
  {
    token,
    code,
    refuse,
  }: { token: string; code: string; refuse: (status: number, errors: HandoverAnswer["errors"]) => unknown },
) {
  const { deal, result } = await enterCodeByLink(services, { token, code });
  if (deal === null || (!result.ok && result.code === "not_found")) throw data(null, { status: 404 });
  const right = (tone: "green" | "orange", message: string) =>
    data<HandoverAnswer>({ right: { tone, message }, errors: {}, typed: "" }, 200);
  if (result.ok) {
    sendAfter(services, deal.id, result);
    return right("green", HANDOVER_WORDS[deal.handover].byLink.right);
  }
  services.drainOutbox();
  switch (result.code) {
    case "wrong_code":
      return result.left === 0
        ? refuse(409, { form: wrongCodeText(0) })
        : refuse(400, { code: wrongCodeText(result.left) });
    case "too_many":
      return refuse(429, { form: HANDOVER_TEXTS.too_many });
    case "reported":
      return right("orange", HANDOVER_TEXTS.held);
    default:
      return refuse(409, { form: HANDOVER_TEXTS.not_open });
  }
}

/** A lost answer keeps what was typed. A right code that was sent again finds the item handed over. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, (): HandoverAnswer => ({
    right: null,
    errors: { form: HANDOVER_TEXTS.lost },
    typed: "",
  }));
}

export default function Handover({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return (
    <AuthLayout>
      <HandoverView {...loaderData} answer={answer} />
    </AuthLayout>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <LinkFailure error={error} lead="It may have been replaced or stopped. Ask the seller for a new one.">
      <TextLink to="/help">Help</TextLink>
    </LinkFailure>
  );
}
