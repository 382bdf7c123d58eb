import { data, isRouteErrorResponse } from "react-router";

/**
 * The status a form's client action answers with where the server's answer never came. From 400 on the router keeps the screen's
 * data as it is; below, it would ask for it over the same dead connection, and an error page would take the place of the form.
 */
export const NO_ANSWER = 503;

/**
 * A form's client action: passes on what the server answers. Where no answer comes, or none of ours, `failed` is answered in its
 * place, so that the screen stays, with what was typed. Ways to another screen go on, and so does that there is no such thing: the
 * one error that our actions throw. Every other comes from something between us and the server, or from its failing.
 */
export async function passOn<Answer, Failed>(serverAction: () => Promise<Answer>, failed: (error: unknown) => Failed) {
  try {
    return await serverAction();
  } catch (error) {
    if (error instanceof Response || (isRouteErrorResponse(error) && error.status === 404)) throw error;
    return data(failed(error), NO_ANSWER);
  }
}
