/**
 * What stands in for a part of a page whose script could not be loaded. Browsers remember that a module failed and
 * don't ask for it again, so only a reload of the page helps. Nothing here loads later than its caller.
 */
import { toast } from "./toast.ts";

/** Long enough to read the message and to press its button, in ms. */
const SHOWN_MS = 8_000;

const TEXT = "This part could not be loaded.";
const RELOAD = "Reload";

function reloadPage(): void {
  location.reload();
}

/** Says so in a message with a button that reloads the page. `text` says what didn't happen. */
export function sayPartMissing(text = TEXT): void {
  toast.error(text, { duration: SHOWN_MS, action: { label: RELOAD, onPress: reloadPage } });
}

/** Says so in the part's place. */
export function PartMissing() {
  return (
    <p role="alert">
      {TEXT}{" "}
      <button type="button" className="text-link" onClick={reloadPage}>
        {RELOAD}
      </button>
    </p>
  );
}
