/** `alarms.name`. What each means is in `app/admin/operations/alarm-rules.ts`. */
export const ALARM_NAMES = [
  "job_silent",
  "prompts_dead",
  "payments_failing",
  "money_stopped",
  "transfers_late",
  "transfers_parked",
  "books_off",
  "emails_failing",
  "storage_full",
  "credential_old",
] as const;
export type AlarmName = (typeof ALARM_NAMES)[number];
