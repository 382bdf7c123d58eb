import { passOn } from "#app/ui/feedback/no-answer.ts";
import { ADMIN_TEXTS } from "./admin-rules.ts";

/** The errors of an admin form. `subject` names the form; "form" is an error of the whole form. */
export interface AdminFormAnswer {
  subject: string;
  errors: Record<string, string>;
  /** What was typed, for browsers without scripts. */
  typed?: Record<string, string>;
}

/** The client action of the admin forms. If the answer is lost, the form says so and keeps what was typed. */
export async function passAdminForm<Answer>({
  request,
  serverAction,
}: {
  request: Request;
  serverAction: () => Promise<Answer>;
}) {
  const subject = String((await request.clone().formData()).get("subject") ?? "");
  return passOn(serverAction, (): AdminFormAnswer => ({ subject, errors: { form: ADMIN_TEXTS.lost } }));
}
