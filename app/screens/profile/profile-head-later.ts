import "#app/accounts/components/member.css";
import "#app/accounts/components/verified.css";
import { later } from "#app/ui/later.tsx";

/** `ProfileHead`, whose script loads when somebody is about to press one of its links. */
export const ProfileHead = later(async () => (await import("./profile-head.tsx")).ProfileHead);
