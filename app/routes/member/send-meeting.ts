import { redirect } from "react-router";
import type { Route } from "./+types/send-meeting.ts";
import { meetingAction } from "#app/screens/actions/meeting-action.server.ts";
import { passOn, PRESS_FAILED } from "#app/ui/feedback/no-answer.ts";
import type { ActionResult } from "#app/ui/feedback/use-result-toast.ts";

/** This address has no page. */
export function loader({ params }: Route.LoaderArgs) {
  return redirect(`/meetings/${params.itemId}`);
}

/** Takes the forms of a meeting's card from any page that shows it. */
export const action = meetingAction;

/** A lost answer keeps the screen. Every action here is safe to repeat. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, (): ActionResult => ({ ok: false, message: PRESS_FAILED }));
}
