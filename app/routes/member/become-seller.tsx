import { type FormEvent, useEffect, useState } from "react";
import { data, Form, redirect } from "react-router";
import type { Route } from "./+types/become-seller.ts";
import { becomeSeller, findPhone } from "#app/accounts/profile/become-seller.server.ts";
import { readOwnDetails } from "#app/accounts/profile/own-details.server.ts";
import { PHONE_REFUSALS } from "#app/accounts/profile/payout-phone.server.ts";
import { displayPhone, readPhone } from "#app/accounts/profile/phone.ts";
import { safeReturnPath, SIGN_IN_TEXTS } from "#app/accounts/login/account-rules.ts";
import { conflictErrors, mergeEdit, OPENED, readOpened, writeOpened } from "#app/platform/edit-rules.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { mergeAndSave } from "#app/screens/actions/merge-and-save.server.ts";
import type { Services } from "#app/request/services.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { Checkbox } from "#app/ui/forms/choice.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { toast } from "#app/ui/feedback/toast.ts";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

export function meta() {
  return pageMeta("Become a Seller");
}

export function loader({ request, context }: Route.LoaderArgs) {
  const { isSeller, phone } = requireViewer(context);
  // A seller who has a number changes it in Settings.
  if (isSeller && phone) throw redirect(continuePath(request));
  return { phone: displayPhone(phone ?? ""), isSeller };
}

/** Where the user continues: the page in `next`, or their shop. */
function continuePath(request: Request): string {
  return safeReturnPath(new URL(request.url).searchParams.get("next")) ?? "/myshop";
}

const TEXTS = {
  promise: "Please agree to sell honestly",
  done: "You're a seller now. List your first product!",
  phone: "Your M-Pesa number is saved",
} as const;

type Errors = Partial<Record<"phone" | "promise", string>>;

/** Returns the phone for payouts, or the errors. Only new sellers must tick the promise. */
function readSeller(form: FormData, isSeller: boolean): { ok: true; phone: string } | { ok: false; errors: Errors } {
  const phone = readPhone(String(form.get("phone") ?? ""));
  const promise = isSeller || form.has("promise") ? undefined : TEXTS.promise;
  if (phone.ok && !promise) return phone;
  return { ok: false, errors: { ...(phone.ok ? {} : { phone: phone.error }), ...(promise && { promise }) } };
}

export async function action({ request, context }: Route.ActionArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  if (viewer.isSeller && viewer.phone) return redirect(continuePath(request));
  const form = await request.formData();
  const typed = String(form.get("phone") ?? "").slice(0, 40);
  const seller = readSeller(form, viewer.isSeller);
  if (!seller.ok) return data({ errors: seller.errors, typed, message: null }, 400);
  if (!(await services.limits.write(viewer.id)))
    return data({ errors: {} as Errors, typed, message: TOO_MANY_REQUESTS }, 429);
  const saved = await mergeAndSave(() => save(services, viewer.id, form, seller.phone));
  if (!saved.ok) return data({ message: null, typed, ...saved.answer }, 409);
  const text = viewer.isSeller ? TEXTS.phone : TEXTS.done;
  return redirectWithFlash(services, continuePath(request), { kind: "success", text, duration: 3000 });
}

async function save(services: Services, userId: string, form: FormData, phone: string) {
  const mergedWith = await readOwnDetails(services.db, userId);
  const edit = mergeEdit({
    opened: readOpened(form),
    now: { phone: displayPhone((await findPhone(services, userId)) ?? "") },
    mine: { phone: displayPhone(phone) },
  });
  const errors: Errors = conflictErrors(edit);
  if (edit.conflicts.length > 0) return { ok: false as const, answer: { errors, opened: writeOpened(edit.opened) } };
  const kept = readPhone(edit.values.phone);
  const saved = await becomeSeller(services, { userId, phone: kept.ok ? kept.phone : phone, mergedWith });
  return saved.ok ? saved : { ok: false as const, answer: { errors: { phone: PHONE_REFUSALS[saved.code] } as Errors } };
}

/** A lost answer keeps the form. If the user became a seller anyway, the next press continues. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, () => ({ errors: {} as Errors, typed: null, message: SIGN_IN_TEXTS.connection_toast }));
}

export default function BecomeSeller({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  const errors = useFieldErrors(answer?.errors);
  const { isSeller } = loaderData;
  // When the page reloads its data, the field stays, so this stays, too.
  const [openedWith] = useState(() => writeOpened({ phone: loaderData.phone }));
  const shown = answer && "opened" in answer ? String(answer.opened) : openedWith;
  useEffect(() => {
    if (answer?.message) toast.error(answer.message);
  }, [answer]);

  function check(event: FormEvent<HTMLFormElement>) {
    const seller = readSeller(new FormData(event.currentTarget), isSeller);
    if (seller.ok) return;
    event.preventDefault();
    errors.show(seller.errors);
  }
  return (
    <div className="page page--form">
      {isSeller ? (
        <PageHeader
          title="Your M-Pesa number"
          lead="Tell us where to send your money."
          back={{ to: "/myshop", label: "My Shop" }}
        />
      ) : (
        <PageHeader
          title="Become a Seller"
          lead="Tell us where to send your money, and your shop opens."
          back={{ to: "/profile", label: "Profile" }}
        />
      )}
      <Form method="post" replace className="stack" noValidate {...errors.form} onSubmit={check}>
        <input type="hidden" name={OPENED} value={shown} />
        <Field
          label="M-Pesa number"
          error={errors.of("phone")}
          hint="We send your earnings to this number once the buyer has the item."
        >
          <TextField
            name="phone"
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            icon="smartphone"
            maxLength={40}
            defaultValue={answer?.typed ?? loaderData.phone}
            aria-required
          />
        </Field>
        {!isSeller && (
          <Checkbox id="promise" name="promise" error={errors.of("promise")}>
            I'll sell only what's mine, describe it honestly, and deliver what buyers pay for
          </Checkbox>
        )}
        <SubmitButton busyLabel={isSeller ? "Saving..." : "Opening your shop..."}>
          {isSeller ? "Save My Number" : "Become a Seller"}
        </SubmitButton>
      </Form>
    </div>
  );
}
