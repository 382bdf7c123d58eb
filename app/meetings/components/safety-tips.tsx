import "./meetings.css";
import { useSyncExternalStore } from "react";
import { SAFETY_TIPS } from "#app/meetings/meeting-texts.ts";
import { FLAG_SAFETY_TIPS_READ } from "#app/ui/browser-flags.ts";
import { Button } from "#app/ui/button.tsx";
import { useScripted } from "#app/ui/use-scripted.ts";

const readers = new Set<() => void>();

function subscribe(changed: () => void): () => void {
  readers.add(changed);
  return () => void readers.delete(changed);
}

function wereRead(): boolean {
  try {
    return localStorage.getItem(FLAG_SAFETY_TIPS_READ) === "true";
  } catch {
    return false;
  }
}

function dismiss(): void {
  try {
    localStorage.setItem(FLAG_SAFETY_TIPS_READ, "true");
  } catch {
    // The browser stores nothing. The tips show again on the next page.
  }
  for (const changed of readers) changed();
}

/** How to meet safely. They show until somebody dismisses them on this device. */
export function SafetyTips() {
  const isDismissed = useSyncExternalStore(subscribe, wereRead, () => false);
  const isScripted = useScripted();
  if (isDismissed) return null;
  return (
    <aside className="card stack stack--tight meeting-tips" aria-label="Meet safely">
      <strong>Meet safely</strong>
      <ul>
        {SAFETY_TIPS.map((tip) => (
          <li key={tip}>{tip}</li>
        ))}
      </ul>
      {isScripted && (
        <div>
          <Button size="small" variant="soft" tone="gray" onClick={dismiss}>
            Got It
          </Button>
        </div>
      )}
    </aside>
  );
}
