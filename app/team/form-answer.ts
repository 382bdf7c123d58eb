import { passOn } from "#app/ui/feedback/no-answer.ts";
import { ADMIN_TEXTS } from "./admin-texts.ts";

/** The errors of an admin form. `subject` names the form; "form" is an error of the whole form. */
export interface AdminFormAnswer {
  subject: string;
  errors: Record<string, string>;
  /** What was typed, for browsers without scripts. */
  typed?: Record<string, string>;
}

/** Which form was sent, as it named itself or by its intent, and what was typed. */
export function readTyped(sent: FormData): Required<Pick<AdminFormAnswer, "subject" | "typed">> {
  const typed = Object.fromEntries(
    [...sent].flatMap(([name, value]) => (typeof value === "string" ? [[name, value] as const] : [])),
  );
  return { subject: (typed.subject ?? typed.intent ?? "").slice(0, 100), typed };
}

/** The client action of the admin forms. If the answer is lost, the form says so and keeps what was typed. */
export async function passAdminForm<Answer>({
  request,
  serverAction,
}: {
  request: Request;
  serverAction: () => Promise<Answer>;
}) {
  const sent = readTyped(await request.clone().formData());
  return passOn(serverAction, (): AdminFormAnswer => ({ ...sent, errors: { form: ADMIN_TEXTS.lost } }));
}
