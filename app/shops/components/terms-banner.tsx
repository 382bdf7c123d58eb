import "./own-shop.css";
import { use } from "react";
import { AnswerContext } from "#app/ui/page/answer-context.ts";
import { FLAG_TERMS_BANNER_DISMISSED } from "#app/ui/browser/browser-flags.ts";
import { useBrowserFlag } from "#app/ui/browser/use-browser-flag.ts";
import { IconButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";

/** Hides a dismissed banner before the first paint. The app's scripts run too late for that. */
const script = `try{if(localStorage.getItem("${FLAG_TERMS_BANNER_DISMISSED}")==="true")document.currentScript.parentElement.hidden=true}catch(e){}`;

/** Reminds a seller of the terms, until they dismiss it on this device. */
export function TermsBanner() {
  const { nonce } = use(AnswerContext);
  const [isDismissed, setDismissed] = useBrowserFlag(FLAG_TERMS_BANNER_DISMISSED);
  if (isDismissed) return null;
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
      <IconButton className="scripted" icon="x" label="Dismiss" variant="ghost" onClick={() => setDismissed(true)} />
    </aside>
  );
}
