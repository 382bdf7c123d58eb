import { Unscripted } from "#app/ui/feedback/unscripted.tsx";

/**
 * Asks where no script runs, and so no dialog can: the browser sends the form only with the tick. Some don't check it,
 * so the server does, by these names (workers/api/form-guard.ts).
 */
export function ConfirmTick({ title, description }: { title: string; description?: string | undefined }) {
  return (
    <Unscripted>
      <input type="hidden" name="asks" value="1" />
      <label className="tick">
        <input type="checkbox" name="sure" className="tick__box" required />
        <span>{[title, description].filter(Boolean).join(" ")} Yes.</span>
      </label>
    </Unscripted>
  );
}
