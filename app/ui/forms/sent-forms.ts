/**
 * Which forms of this page were sent, and not changed since. Such a form has done its work, so Back and a reload leave
 * it empty (kept-fields.ts).
 */
let sent = new WeakSet<EventTarget>();
let latest: EventTarget | null = null;

/** Notes that a form is being sent. */
export function noteSent(form: EventTarget): void {
  sent.add(form);
  latest = form;
}

/** Call it when the latest form only asks a question, was refused, or got no answer. */
export function noteNotSent(): void {
  if (latest) sent.delete(latest);
}

/** Notes that a form was changed, so that it counts as not sent. */
export function noteChanged(form: EventTarget): void {
  sent.delete(form);
}

/** Notes that the screen's forms are about to be replaced, or stay because they were refused. */
export function forgetSent(): void {
  sent = new WeakSet();
}

export function isSent(form: EventTarget): boolean {
  return sent.has(form);
}
