import "./meetings.css";
import { later } from "#app/ui/later.tsx";

/** `MeetingPanel`, whose script loads when somebody is about to press one of its buttons. */
export const MeetingPanel = later(async () => (await import("./meeting-panel.tsx")).MeetingPanel);
