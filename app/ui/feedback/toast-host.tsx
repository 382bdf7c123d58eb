import { useEffect, useState, type ComponentType } from "react";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { Unscripted } from "./unscripted.tsx";
import { onToastWaiting, receiveToasts, toast, type ToastKind, type ToastMessage, type ToastOptions } from "./toast.ts";

/**
 * When the list is loaded if there was no message yet, in ms. It should be there before the connection is lost. Data
 * saver loads it with the first message.
 */
const FETCH_AFTER_MS = 4_000;

/**
 * Where toasts appear. The document has one. The list is loaded with the first message or once the page has settled,
 * together with the code that registers the service worker.
 */
export function ToastHost() {
  const [Toaster, setToaster] = useState<ComponentType>();
  const [single, setSingle] = useState<ToastMessage | null>(null);
  useEffect(() => {
    let stopSingle: (() => void) | undefined;
    const fetchList = () => {
      import("#app/ui/browser/settled.ts")
        .then((module) => {
          stopSingle?.();
          setToaster(() => module.Toaster);
        })
        // The connection was lost before the list came. Then the latest message stands alone.
        .catch(() => {
          stopSingle = receiveToasts(setSingle);
          addEventListener("online", fetchList, { once: true });
        });
    };
    const timer = document.documentElement.dataset.saver ? undefined : setTimeout(fetchList, FETCH_AFTER_MS);
    const stop = onToastWaiting(fetchList);
    return () => {
      clearTimeout(timer);
      removeEventListener("online", fetchList);
      stopSingle?.();
      stop();
    };
  }, []);
  useEffect(() => {
    if (!single) return;
    const timer = setTimeout(setSingle, SINGLE_MS, null);
    return () => clearTimeout(timer);
  }, [single]);
  if (Toaster) return <Toaster />;
  return (
    single && (
      <p role="alert" style={{ ...LINE, position: "fixed", inset: "auto 0 0", zIndex: 300 }}>
        {withWholeAmounts(single.text)}
      </p>
    )
  );
}

/** How long a message stands alone, in ms. */
const SINGLE_MS = 5_000;

/**
 * Shows a message that the server sent with the page, once. A new object is a new message. Without scripts it is a line
 * above the page.
 */
export function FlashToast({
  flash,
}: {
  flash: ({ kind: ToastKind; text: string } & Pick<ToastOptions, "duration">) | null | undefined;
}) {
  useEffect(() => {
    if (flash) toast[flash.kind](flash.text, { duration: flash.duration });
  }, [flash]);
  return (
    flash && (
      <Unscripted>
        {/* React renders nothing of it in the browser, so the browser's bundle leaves it out. */}
        {import.meta.env.SSR && (
          <p role={flash.kind === "error" ? "alert" : "status"} style={LINE}>
            {flash.text}
          </p>
        )}
      </Unscripted>
    )
  );
}

/** Few pages carry the line, so its styles aren't in the stylesheet that every page loads. */
const LINE = { margin: 0, padding: "12px 16px", background: "#1c1a17", color: "#fff", fontWeight: 600 } as const;
