import "./own-shop.css";
import { use, useSyncExternalStore } from "react";
import { createListeners } from "#app/platform/store.ts";
import { type LocalFlag, readFlag, setFlag } from "#app/shops/local-flags.ts";
import { AnswerContext } from "#app/ui/page/answer-context.ts";
import { IconButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";

/** Hides a dismissed banner before the first paint. The app's scripts run too late for that. */
const script = `try{if(localStorage.getItem("hasDismissedToSBanner")==="true")document.currentScript.parentElement.hidden=true}catch(e){}`;

/** Reminds a seller of the terms, until they dismiss it on this device. */
export function TermsBanner() {
  const { nonce } = use(AnswerContext);
  const [dismissed, dismiss] = useFlag("hasDismissedToSBanner");
  if (dismissed) return null;
  return (
    // What the script has hidden stays hidden until React takes over.
    <aside className="terms-banner" aria-label="Seller terms" suppressHydrationWarning>
      <script
        nonce={nonce}
        suppressHydrationWarning
        dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? script : "" }}
      />
      <Icon name="shield-check" />
      <p>
        Be honest in your listings, reply quickly, and deliver before you're paid. Read the Terms of Service (1 minute).
      </p>
      <IconButton icon="x" label="Dismiss" variant="ghost" onClick={dismiss} />
    </aside>
  );
}

const flagChanges = createListeners<void>();

function useFlag(flag: LocalFlag): [boolean, () => void] {
  const value = useSyncExternalStore(
    flagChanges.add,
    () => readFlag(flag),
    () => false,
  );
  return [
    value,
    () => {
      setFlag(flag);
      flagChanges.tell();
    },
  ];
}
