import { useEffect, useState, type ComponentType } from "react";
import { onToastWaiting, toast, type ToastKind, type ToastOptions } from "./toast.ts";

/** Where toasts appear; stands once in the document and fetches the list with the first message. */
export function ToastHost() {
  const [Toaster, setToaster] = useState<ComponentType>();
  useEffect(
    () =>
      onToastWaiting(() => {
        void import("./toaster.tsx").then((module) => setToaster(() => module.Toaster));
      }),
    [],
  );
  return Toaster ? <Toaster /> : null;
}

/** Shows a message the server sent along with the page, once. A new object is a new message. */
export function FlashToast({ flash }: { flash: ({ kind: ToastKind; text: string } & Pick<ToastOptions, "duration">) | null | undefined }) {
  useEffect(() => {
    if (flash) toast[flash.kind](flash.text, { duration: flash.duration });
  }, [flash]);
  return null;
}
