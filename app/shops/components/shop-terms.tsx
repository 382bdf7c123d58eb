import "./own-shop.css";
import { useEffect, useState } from "react";
import { FLAG_TERMS_SEEN } from "#app/ui/browser/browser-flags.ts";
import { readFlag, writeFlag } from "#app/ui/browser/use-browser-flag.ts";
import { Unscripted } from "#app/ui/feedback/unscripted.tsx";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/layers/dialog.tsx";

/** How long after the first visit to My Shop the terms open by themselves, in ms. */
const AUTO_OPEN_MS = 1000;

/** The button for the terms of service. Their dialog also opens once by itself. */
export function ShopTerms() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (readFlag(FLAG_TERMS_SEEN)) return;
    const timer = setTimeout(() => {
      writeFlag(FLAG_TERMS_SEEN, true);
      setOpen(true);
    }, AUTO_OPEN_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <Button className="scripted" variant="ghost" icon="file-text" onClick={() => setOpen(true)}>
        Terms of Service
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title="Terms of Service">
        <Terms />
        <div className="dialog__actions">
          <Button onClick={() => setOpen(false)}>I Understand</Button>
        </div>
      </Dialog>
      <Unscripted>
        {/* React renders nothing of it in the browser, so the browser's bundle leaves it out. */}
        {import.meta.env.SSR && (
          <details>
            <summary>Terms of Service</summary>
            <Terms />
          </details>
        )}
      </Unscripted>
    </>
  );
}

function Terms() {
  return (
    <div className="terms stack">
      <img className="terms__picture" src="/art/deal.webp" alt="" width="820" height="1100" />
      <p>What we expect from everyone who sells here, in short.</p>
      <ul className="terms__list">
        <li>
          <strong>Sell what is yours, and be honest.</strong> Use your own photos, state the true condition, and set a
          fair, final price.
        </li>
        <li>
          <strong>Nothing illegal or unsafe.</strong> No stolen goods, weapons, drugs, exam leaks or fakes sold as
          originals.
        </li>
        <li>
          <strong>Reply and deliver.</strong> Message your buyer and agree on pickup or delivery. We cancel sales that
          aren't handed over or shipped in time.
        </li>
        <li>
          <strong>Your money.</strong> Buyers pay by M-Pesa, and we hold the money. Hand over only when the buyer gives
          you their handover code: enter it, and we pay you at once. Without it, we pay you after the buyer has had time
          to check the item.
        </li>
        <li>
          <strong>Pay and get paid here.</strong> Payments outside this app aren't protected, for you or your buyer.
        </li>
        <li>
          <strong>When something goes wrong.</strong> Buyers can report a problem. We hear both sides. We can remove
          listings and close the accounts of people who cheat.
        </li>
      </ul>
    </div>
  );
}
