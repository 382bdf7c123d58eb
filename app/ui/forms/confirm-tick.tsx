import { useScripted } from "#app/ui/browser/use-scripted.ts";
import { Unscripted } from "#app/ui/feedback/unscripted.tsx";

/**
 * Asks where no script runs, and so no dialog can: the browser sends the form only with the tick. Some browsers don't
 * check it, and where scripts are only late there is none. So the server asks, by these names, until a script does
 * (workers/api/form-guard.ts).
 */
export function ConfirmTick({ title, description }: { title: string; description?: string | undefined }) {
  const isScripted = useScripted();
  return (
    <>
      {!isScripted && <input type="hidden" name="asks" value="1" />}
      <Unscripted>
        <label className="tick">
          <input type="checkbox" name="sure" className="tick__box" required />
          <span>{[title, description].filter(Boolean).join(" ")} Yes.</span>
        </label>
      </Unscripted>
    </>
  );
}
