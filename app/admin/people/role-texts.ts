/** The messages of the page of admins. */
export const ROLE_TEXTS = {
  give: "Added. We've emailed them.",
  change: "Role changed. It counts at once, and we've emailed them.",
  take: "Role taken away. It counts at once, and we've emailed them.",
  reset: "Turned off. They are logged out everywhere, and we've emailed them.",
  stale: "This changed while you were looking at it, or there was nothing to turn off. Here is the latest.",
  email: "Enter an email address",
  no_account: "Nobody with this email can log in. Ask them to sign up and to confirm their email first.",
  has_role: "They are an admin already. Change their role below.",
  last_owner: "This is the last owner. Make somebody else an owner first.",
  same_role: "That is their role already. Choose another one.",
  owner_stays: "They are an owner. Only they themselves, or the operator, can change that.",
  owner_reset: "They are an owner. Ask the operator to turn off their two-step login.",
  own: "Change your own second step in Settings.",
} as const;
