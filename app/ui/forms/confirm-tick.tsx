import { Unscripted } from "#app/ui/feedback/unscripted.tsx";

/** Asks where no script runs, and so no dialog can: the browser sends the form only with the tick. */
export function ConfirmTick({ title, description }: { title: string; description?: string | undefined }) {
  return (
    <Unscripted>
      <label className="tick">
        <input type="checkbox" className="tick__box" required />
        <span>{[title, description].filter(Boolean).join(" ")} Yes.</span>
      </label>
    </Unscripted>
  );
}
