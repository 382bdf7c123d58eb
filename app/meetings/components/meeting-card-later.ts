import "./meetings.css";
import { later } from "#app/ui/later.tsx";

/** `MeetingCard`, whose script loads when somebody is about to press one of its buttons. */
export const MeetingCard = later(async () => (await import("./meeting-card.tsx")).MeetingCard);
