import { data, type ShouldRevalidateFunctionArgs } from "react-router";
import { noteNotSent } from "#app/ui/forms/sent-forms.ts";
import { isNotFound } from "./is-not-found.ts";

/**
 * The status that a form's client action answers with when the server's answer did not come. From 400 on, the router
 * does not reload the screen's data. Below, it would do so over the same dead connection, and an error page would
 * replace the form.
 */
export const NO_ANSWER = 503;

/**
 * A form's client action: passes on what the server answers. When no answer of ours comes, it answers with `failed`
 * instead, so that the screen stays and nothing typed is lost. Redirects and 404 go through, the only two that our
 * actions throw. Every other error comes from the network or from a failing server.
 */
export async function passOn<Answer, Failed>(serverAction: () => Promise<Answer>, failed: (error: unknown) => Failed) {
  try {
    return await serverAction();
  } catch (error) {
    if (error instanceof Response || isNotFound(error)) throw error;
    noteNotSent();
    return data(failed(error), NO_ANSWER);
  }
}

/** What a press says that got no answer. Small modules have it here, without the other texts of their feature. */
export const PRESS_FAILED = "That didn't work. Please try again.";

/** The status of a form's answer when something else happened first, such as another press or the other side's. */
const CONFLICT = 409;

/**
 * A route's `shouldRevalidate`: a refused change loads the screen's data again, so that the screen shows the latest.
 */
export function reloadsOnConflict({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  return actionStatus === CONFLICT || defaultShouldRevalidate;
}
