import { passOn } from "#app/ui/no-answer.ts";
import { ADMIN_TEXTS } from "./rules.ts";

/** What was wrong with a form of an admin page; `subject` names the form, "form" is an error about the whole. */
export interface AdminFormAnswer {
  subject: string;
  errors: Record<string, string>;
}

/** The client action of an admin page's forms: a lost answer is said in the form, which keeps what was typed. */
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
