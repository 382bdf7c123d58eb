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

/** Call it when a form, by default the latest, only asks a question, was refused, or got no answer. */
export function noteNotSent(form = latest): void {
  if (form) sent.delete(form);
}

/** Notes that a form was changed, so that it counts as not sent. */
export function noteChanged(form: EventTarget): void {
  sent.delete(form);
}

/** Call it when the router sends a form: what follows decides whether it stays. */
export function forgetSent(): void {
  sent = new WeakSet();
}

export function isSent(form: EventTarget): boolean {
  return sent.has(form);
}
