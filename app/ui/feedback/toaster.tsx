/** Sonner's list of messages. A chunk of its own, loaded by toast-host.tsx. */
import "./toast.css";
import { useEffect } from "react";
import { createPortal } from "react-dom";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { toast as sonner, Toaster as SonnerToaster } from "sonner";
import { receiveToasts, type ToastMessage } from "./toast.ts";
import { placeToasts } from "./toast-place.ts";

/** Moves into dialogs and out of them, so it is no element of React's. */
const list = document.createElement("div");
list.className = "toasts";

/** When the first message comes, in ms: screen readers say what comes into a list that they know already. */
const KNOWN_AFTER_MS = 150;

function show({ kind, text, duration, action }: ToastMessage): void {
  // A message that is still visible isn't shown twice.
  sonner[kind](withWholeAmounts(text), {
    id: `${kind} ${text}`,
    duration,
    action: action && { label: action.label, onClick: action.onPress },
  });
}

export function Toaster() {
  useEffect(() => {
    document.querySelector(".document")?.appendChild(list);
    placeToasts();
  }, []);
  useEffect(() => {
    let stop: (() => void) | undefined;
    const timer = setTimeout(() => (stop = receiveToasts(show)), KNOWN_AFTER_MS);
    return () => {
      clearTimeout(timer);
      stop?.();
    };
  }, []);
  return createPortal(
    // On blur Sonner moves the focus back to where it was, so that Tab never gets past a message at the end of the
    // page.
    <div onBlurCapture={(event) => event.stopPropagation()}>
      <SonnerToaster
        position="top-right"
        // One below the other: the front one would hide the buttons of the others.
        expand
        offset={{ top: "calc(var(--bar-height) + var(--notice-height, 0px) + 12px)", right: 24 }}
        mobileOffset={{
          top: "calc(var(--bar-height) + var(--notice-height, 0px) + var(--toast-inset, 0px) + 8px)",
          left: 16,
          right: 16,
        }}
        toastOptions={{
          classNames: {
            toast: "toast",
            success: "toast--success",
            info: "toast--info",
            warning: "toast--warning",
            error: "toast--error",
          },
        }}
        containerAriaLabel="Notifications"
      />
    </div>,
    list,
  );
}
