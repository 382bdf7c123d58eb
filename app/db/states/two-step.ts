/** What happened to the second step of a login: a code for the email to its owner. */
export type TwoStepChange =
  | "app_added"
  | "app_removed"
  | "passkey_added"
  | "passkey_removed"
  | "recovery_used"
  | "recovery_renewed"
  | "codes_wrong"
  | "codes_closed"
  | "reset";
