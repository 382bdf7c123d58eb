import "./meetings.css";
import { MEETING_TEXTS } from "#app/meetings/meeting-texts.ts";
import { Icon } from "#app/ui/pictures/icon.tsx";

/** The mark of a meeting point where a guard or a camera is. */
export function Guarded() {
  return (
    <strong className="guarded amount">
      <Icon name="shield-check" size="small" /> {MEETING_TEXTS.guarded}
    </strong>
  );
}
