import { later } from "#app/ui/later.tsx";

/** `HolidayNotice`, whose script loads when somebody is about to end the holiday. */
export const HolidayNotice = later(async () => (await import("./holiday-form.tsx")).HolidayNotice);
