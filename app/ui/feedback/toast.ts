/** Short messages at the upper right. The list itself (toaster.tsx) is loaded with the first message, or earlier. */
export type ToastKind = "success" | "info" | "warning" | "error";

export interface ToastOptions {
  /** How long it stays, in ms; 3000 if it is not given. */
  duration?: number;
  /** A button in the message. */
  action?: { label: string; onPress: () => void };
}

export interface ToastMessage extends ToastOptions {
  kind: ToastKind;
  text: string;
  duration: number;
}

/** Long enough to read a short sentence, in ms. */
const DEFAULT_DURATION_MS = 3000;

let waiting: ToastMessage[] = [];
let deliver: ((message: ToastMessage) => void) | undefined;
let onFirstMessage: (() => void) | undefined;

function say(kind: ToastKind, text: string, options: ToastOptions = {}): void {
  const message = { kind, text, ...options, duration: options.duration ?? DEFAULT_DURATION_MS };
  if (deliver) return deliver(message);
  waiting.push(message);
  onFirstMessage?.();
}

/** Shows a message. Call it in event handlers and effects, in the browser only. */
export const toast = {
  success: (text: string, options?: ToastOptions) => say("success", text, options),
  info: (text: string, options?: ToastOptions) => say("info", text, options),
  warning: (text: string, options?: ToastOptions) => say("warning", text, options),
  error: (text: string, options?: ToastOptions) => say("error", text, options),
};

/** For the host: called when a message waits and the list isn't loaded. Returns a function that stops it. */
export function onToastWaiting(call: () => void): () => void {
  onFirstMessage = call;
  if (waiting.length > 0) call();
  return () => {
    onFirstMessage = undefined;
  };
}

/** For the list: receives waiting messages and all later ones. Returns a function that stops it. */
export function receiveToasts(receiver: (message: ToastMessage) => void): () => void {
  deliver = receiver;
  const early = waiting;
  waiting = [];
  early.forEach(receiver);
  return () => {
    deliver = undefined;
  };
}
