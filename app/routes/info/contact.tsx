import { data } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/contact.ts";
import { normalizeEmail } from "#app/accounts/login/account-rules.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { isSharedSearch } from "#app/public-links.ts";
import { networkOf } from "#app/platform/network.ts";
import { requestContext, servicesContext, viewerContext } from "#app/request/context.ts";
import { askTeam, findContactOrder } from "#app/screens/help/contact.server.ts";
import { checkContact, CONTACT_MAX, CONTACT_TEXTS, sentText } from "#app/screens/help/contact-rules.ts";
import { type ContactAnswer, ContactView } from "#app/screens/help/contact-view.tsx";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

export function meta() {
  return pageMeta("Ask our team");
}

/** An order that isn't the viewer's is left out, as if it hadn't been named. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const viewer = context.get(viewerContext);
  const { searchParams } = new URL(request.url);
  const orderId = searchParams.get("order");
  const page = searchParams.get("about") ?? "";
  return {
    about: isSharedSearch(page) && page.length <= PAGE_MAX ? page : null,
    formKey: crypto.randomUUID(),
    email: viewer?.email ?? null,
    order: viewer && orderId ? await findContactOrder(context.get(servicesContext).db, viewer.id, orderId) : null,
  };
}

/** An address of ours with a short id isn't longer. */
const PAGE_MAX = 40;

/** `formKey`: made with the page, so that a form that is sent twice is one question. */
const form = z.object({
  formKey: z.uuid().catch(() => crypto.randomUUID()),
  email: z.string().max(1_000).catch(""),
  order: z.string().max(64).catch(""),
  text: z
    .string()
    .max(10 * CONTACT_MAX)
    .catch("")
    .transform((text) => text.replaceAll(/\r\n?/g, "\n")),
});

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const viewer = context.get(viewerContext);
  const { address } = context.get(requestContext);
  const typed = form.parse(Object.fromEntries(await request.formData()));
  const refuse = (status: number, errors: ContactAnswer["errors"]) => data<ContactAnswer>({ errors, typed }, status);
  const errors = checkContact({ email: viewer ? null : typed.email, text: typed.text });
  if (Object.keys(errors).length > 0) return refuse(400, errors);
  const allowed = viewer
    ? await services.limits.write(viewer.id)
    : await services.limits.address(`contact:${networkOf(address)}`);
  if (!allowed) return refuse(429, { form: CONTACT_TEXTS.busy });
  const email = viewer?.email ?? normalizeEmail(typed.email);
  const order = viewer && typed.order !== "" ? await findContactOrder(services.db, viewer.id, typed.order) : null;
  const { formKey, text } = typed;
  const asked = await askTeam(services, { formKey, userId: viewer?.id ?? null, email, order, text, address });
  if (!asked.ok) return refuse(429, { form: CONTACT_TEXTS.often });
  return redirectWithFlash(services, "/help", { kind: "success", text: sentText(email), duration: 5000 });
}

/** A lost answer keeps what was typed. A repeated question is one. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, (): ContactAnswer => ({ errors: { form: CONTACT_TEXTS.failed }, typed: null }));
}

export default function Contact({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return <ContactView {...loaderData} answer={answer} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load this page" />;
}
