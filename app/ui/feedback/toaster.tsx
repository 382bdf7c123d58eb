/** Sonner's list of messages. A chunk of its own, loaded by toast-host.tsx. */
import "./toast.css";
import { useEffect } from "react";
import { createPortal } from "react-dom";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { toast as sonner, Toaster as SonnerToaster } from "sonner";
import { receiveToasts } from "./toast.ts";
import { placeToasts } from "./toast-place.ts";

/** Moves into dialogs and out of them, so it is no element of React's. */
const list = document.createElement("div");
list.className = "toasts";

export function Toaster() {
  useEffect(() => {
    document.querySelector(".document")?.appendChild(list);
    placeToasts();
  }, []);
  useEffect(
    () =>
      receiveToasts(({ kind, text, duration, action }) => {
        // A message that is still visible isn't shown twice.
        sonner[kind](withWholeAmounts(text), {
          id: `${kind} ${text}`,
          duration,
          action: action && { label: action.label, onClick: action.onPress },
        });
      }),
    [],
  );
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
