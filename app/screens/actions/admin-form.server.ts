import { type ActionFunctionArgs, data } from "react-router";
import type { z } from "zod";
import { formErrors } from "#app/team/form-fields.ts";
import { type AdminFormAnswer, readTyped } from "#app/team/form-answer.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { screenPath } from "#app/request/screen-path.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";

/**
 * The fields of an admin's form, or the answer with the errors and what was typed, to show in its row. `refuse` makes
 * the answer with errors that are found later. `echo` is what each answer says of the form. `back` shows a message on
 * the form's page, whose lists then include the change.
 */
export async function readAdminForm<Form extends z.ZodType>({ request, context }: ActionFunctionArgs, schema: Form) {
  const services = context.get(servicesContext);
  const admin = requireViewer(context);
  const sent = await request.formData();
  const parsed = schema.safeParse(Object.fromEntries(sent));
  const echo = readTyped(sent);
  const refuse = (errors: AdminFormAnswer["errors"], status: number) =>
    data<AdminFormAnswer>({ ...echo, errors }, status);
  const back = (kind: "success" | "error", text: string) =>
    redirectWithFlash(services, screenPath(request), { kind, text });
  if (!parsed.success) return { ok: false as const, answer: refuse(formErrors(parsed.error), 400) };
  if (!(await services.limits.write(admin.id)))
    return { ok: false as const, answer: refuse({ form: TOO_MANY_REQUESTS }, 429) };
  return { ok: true as const, services, admin, form: parsed.data, echo, refuse, back };
}
