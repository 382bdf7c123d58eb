import type { KindData, Undoable } from "#app/notifications/kinds.ts";
import type { AdminRole } from "#app/db/states/admin.ts";
import type { TwoStepChange } from "#app/db/states/two-step.ts";
import { formatDateTime } from "#app/ui/dates.ts";
import { brand } from "#app/ui/page/brand.ts";
import type { Words } from "./words.ts";

const CHANGES: Record<TwoStepChange, { heading: string; happened: string }> = {
  app_added: {
    heading: "An authenticator app was added",
    happened: "Your account now asks for a second step when you log in. Your other devices are logged out.",
  },
  app_removed: {
    heading: "An authenticator app was removed",
    happened: "Codes of this app no longer open your account. Your other devices are logged out.",
  },
  passkey_added: {
    heading: "A passkey was added",
    happened: "Your account now asks for a second step when you log in. Your other devices are logged out.",
  },
  passkey_removed: {
    heading: "A passkey was removed",
    happened: "This passkey no longer opens your account. Your other devices are logged out.",
  },
  recovery_used: {
    heading: "A recovery code was used",
    happened: "Somebody opened your account with one of your recovery codes. It doesn't work again.",
  },
  recovery_renewed: {
    heading: "You have new recovery codes",
    happened: "Ten new recovery codes were made. The earlier ones no longer work.",
  },
  codes_wrong: {
    heading: "Wrong codes were entered at your login",
    happened:
      "Somebody got past the first step of your login, and then entered five wrong codes. For 15 minutes, no code opens your account.",
  },
  codes_closed: {
    heading: "Your login takes no codes for a day",
    happened:
      "Somebody got past the first step of your login, and then entered many wrong codes. No code opens your account for a day, or until you choose a new password by an emailed link. A passkey still does.",
  },
  reset: {
    heading: "Two-step login was turned off",
    happened: "Our team has turned off two-step login for your account, and logged it out everywhere.",
  },
};

const NEW_PASSWORD = { label: "Choose a New Password", path: "/auth/forgot" };
export const SETTINGS = { label: "Open Settings", path: "/profile?tab=settings" };

/**
 * A change of an account, for its owner, who may not have made it. `otherwise`: where the button leads without a link
 * that undoes the change.
 */
export function changeMail(
  { at, undo }: Undoable,
  change: Pick<Words, "subject" | "heading"> & { happened: string[]; otherwise?: Words["action"] },
): Words {
  const { subject, heading, happened, otherwise = NEW_PASSWORD } = change;
  const [first = "", ...others] = happened;
  const when = `${first} This was on ${formatDateTime(at)}.`;
  const isYou = "Was it you? Then you don't need to do anything.";
  if (undo === null) {
    const isNot =
      otherwise === NEW_PASSWORD ? ["If it wasn't you, choose a new password now. That logs out everybody else."] : [];
    return { subject, heading, paragraphs: [when, ...others, isYou, ...isNot], action: otherwise };
  }
  return {
    subject,
    heading,
    paragraphs: [
      when,
      ...others,
      isYou,
      `If it wasn't you, press the button. Your email, M-Pesa number and second step are again as they were on ${formatDateTime(undo.since)}, everybody is logged out, and you choose a new password. Until then, we send no payouts.`,
    ],
    action: { label: "It Wasn't Me", path: "/auth/undo" },
    notes: [
      `The button works until ${formatDateTime(undo.until)}. It first shows what it does, and asks you to press once more.`,
    ],
  };
}

export function twoStepMail({ change, ...data }: KindData["two_step_changed"]): Words {
  const { heading, happened } = CHANGES[change];
  return changeMail(data, { subject: `${heading} (${brand.name})`, heading, happened: [happened] });
}

const ROLES: Record<AdminRole, string> = { support: "support", finance: "finance", owner: "owner" };

export function roleMail({ role, by, isNew }: KindData["admin_role_changed"]): Words {
  if (role === null)
    return {
      subject: `You no longer have a role in the team of ${brand.name}`,
      heading: "Your role was taken away",
      paragraphs: [`${by} has taken away your role in our team. Your own account stays as it is.`],
      action: { label: "Contact Support", path: "/support" },
    };
  return {
    subject: `Your role in the team of ${brand.name}: ${ROLES[role]}`,
    heading: `Your role in our team is ${ROLES[role]}`,
    paragraphs: [
      `${by} has given you this role. Log in, and open Admin in your account menu. The first time, you set up a second step for your login.`,
      ...(isNew ? ["For 7 days, whatever you do with money must be confirmed by another admin."] : []),
    ],
    action: { label: "Open the Admin Pages", path: "/admin" },
    notes: ["You didn't expect this? Please write to us."],
  };
}

export function roleGivenMail({ role, who, by }: KindData["admin_role_given"]): Words {
  return {
    subject: `${who} now has the role ${ROLES[role]} in the team of ${brand.name}`,
    heading: "Somebody got a role in our team",
    paragraphs: [
      `${by} has given ${who} the role ${ROLES[role]}.`,
      "If this is a mistake, take the role away now, or ask the operator to.",
    ],
    action: { label: "Open Admins", path: "/admin/admins" },
  };
}

export function loginAddedMail({ domain, issuer, by }: KindData["login_added"]): Words {
  return {
    subject: `A login for people at ${domain} was added`,
    heading: "A university's login was added",
    paragraphs: [
      `${by} lets ${issuer} log people in who have an address at ${domain}.`,
      "If this is a mistake, remove the login now, or ask the operator to.",
    ],
    action: { label: "Open Universities", path: "/admin/universities" },
  };
}

export function stepResetMail({ who, by }: KindData["admin_step_reset"]): Words {
  return {
    subject: `Two-step login of ${who} was turned off`,
    heading: "An admin's two-step login was turned off",
    paragraphs: [
      `${by} has turned off the two-step login of ${who}, who logs in with the password alone until they set it up again.`,
      "If this is a mistake, take the role away now, or ask the operator to.",
    ],
    action: { label: "Open Admins", path: "/admin/admins" },
  };
}
