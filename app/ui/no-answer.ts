/**
 * The status a form's client action answers with where the server's answer never came. From 400 on the router keeps the screen's
 * data as it is; below, it would ask for it over the same dead connection, and an error page would take the place of the form.
 */
export const NO_ANSWER = 503;
