import "./meetings.css";
import { SAFETY_TIPS } from "#app/meetings/meeting-texts.ts";
import { FLAG_SAFETY_TIPS_READ } from "#app/ui/browser/browser-flags.ts";
import { Button } from "#app/ui/button.tsx";
import { useBrowserFlag } from "#app/ui/browser/use-browser-flag.ts";
import { useScripted } from "#app/ui/browser/use-scripted.ts";

/** How to meet safely. They show until somebody dismisses them on this device. `folded`: behind one line. */
export function SafetyTips({ folded }: { folded?: boolean }) {
  const [isDismissed, setDismissed] = useBrowserFlag(FLAG_SAFETY_TIPS_READ);
  const isScripted = useScripted();
  if (isDismissed) return null;
  const tips = (
    <>
      <ul>
        {SAFETY_TIPS.map((tip) => (
          <li key={tip}>{tip}</li>
        ))}
      </ul>
      {isScripted && (
        <div>
          <Button size="small" variant="soft" onClick={() => setDismissed(true)}>
            Got It
          </Button>
        </div>
      )}
    </>
  );
  if (folded)
    return (
      <aside aria-label="Meet safely">
        <details className="fold meeting-tips">
          <summary>Meet safely</summary>
          <div className="stack stack--tight">{tips}</div>
        </details>
      </aside>
    );
  return (
    <aside className="card stack stack--tight meeting-tips" aria-label="Meet safely">
      <strong>Meet safely</strong>
      {tips}
    </aside>
  );
}
