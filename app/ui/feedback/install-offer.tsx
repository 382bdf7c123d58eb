import { useSyncExternalStore } from "react";
import { FLAG_INSTALL_DISMISSED } from "#app/ui/browser/browser-flags.ts";
import { installPrompt } from "#app/ui/browser/install-prompt.ts";
import { useBrowserFlag } from "#app/ui/browser/use-browser-flag.ts";
import { useScripted } from "#app/ui/browser/use-scripted.ts";
import { Button } from "#app/ui/button.tsx";
import { brand } from "#app/ui/page/brand.ts";
import { Callout } from "./callout.tsx";

/**
 * Offers to install the app, after something that people come back for: an order, a listing, or a message. Nothing
 * where it is installed, where the browser can't, and once somebody has said no on this device.
 */
export function InstallOffer() {
  const [isDismissed, setDismissed] = useBrowserFlag(FLAG_INSTALL_DISMISSED);
  const isScripted = useScripted();
  const prompt = useSyncExternalStore(installPrompt.subscribe, installPrompt.get, () => null);
  if (!isScripted || isDismissed || isInstalled() || (!prompt && !isIphone())) return null;
  return (
    <Callout icon="smartphone" title={`Install ${brand.name}`}>
      <span className="stack stack--tight">
        <span>It opens in one tap, and your orders and codes can be read without a connection.</span>
        {!prompt && <span>On an iPhone or iPad: press Share in Safari, then "Add to Home Screen".</span>}
        <span className="row">
          {prompt && (
            <Button
              size="small"
              variant="soft"
              onClick={() => {
                installPrompt.set(null);
                void prompt.prompt();
              }}
            >
              Install
            </Button>
          )}
          <Button size="small" variant="ghost" onClick={() => setDismissed(true)}>
            Not Now
          </Button>
        </span>
      </span>
    </Callout>
  );
}

function isInstalled(): boolean {
  return matchMedia("(display-mode: standalone)").matches;
}

/** Browsers on iPhones and iPads can install, and don't say so. By its name an iPad is a Mac; only they have this. */
function isIphone(): boolean {
  return "standalone" in navigator;
}
