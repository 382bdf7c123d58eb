import { passOn } from "#app/ui/no-answer.ts";
import { DESK_TEXTS } from "./rules.ts";

/** What was wrong with a form of a desk; `subject` names the form, "form" is an error about the whole. */
export interface DeskAnswer {
  subject: string;
  errors: Record<string, string>;
}

/** The client action of a desk's forms: a lost answer is said in the form, which keeps what was typed. */
export async function passDeskForm<Answer>({
  request,
  serverAction,
}: {
  request: Request;
  serverAction: () => Promise<Answer>;
}) {
  const subject = String((await request.clone().formData()).get("subject") ?? "");
  return passOn(serverAction, (): DeskAnswer => ({ subject, errors: { form: DESK_TEXTS.lost } }));
}
