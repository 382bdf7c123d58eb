/**
 * Who else gets people's data, for what and where. The Privacy Policy shows those of its deployment, and
 * docs/for-universities.md all of them.
 */

export interface Processor {
  name: string;
  /** "… delivers our emails": what follows the name. */
  does: string;
  place: string;
}

export const PROCESSORS = {
  cloudflare: {
    name: "Cloudflare",
    does: "runs our servers, and keeps the database and the files",
    place: "Western Europe; pages pass through data centers near you. The company is in the USA",
  },
  cloudflare_email: { name: "Cloudflare", does: "delivers our emails", place: "the USA" },
  resend: { name: "Resend", does: "delivers our emails", place: "the USA" },
  safaricom: { name: "Safaricom", does: "makes M-Pesa payments, payouts and refunds", place: "Kenya" },
  browser_maker: {
    name: "The maker of your browser",
    does: "delivers notifications to devices on which you turned them on, and can't read them",
    place: "the USA: Google, Apple, Mozilla or Microsoft",
  },
  google: { name: "Google", does: "tells us who you are, only if you log in with Google", place: "the USA" },
  university: {
    name: "Your university",
    does: "tells us who you are, only if you log in with its login",
    place: "where it keeps its accounts",
  },
} as const satisfies Record<string, Processor>;

/** What a deployment uses besides Cloudflare and Safaricom. */
export interface UsedParts {
  /** `MAIL_TRANSPORT`. The sandbox's emails stay on its machine. */
  mail: "resend" | "cloudflare" | "sandbox";
  hasPush: boolean;
  hasGoogle: boolean;
  /** A university's login is turned on. */
  hasUniversity: boolean;
}

export function processorsOf({ mail, hasPush, hasGoogle, hasUniversity }: UsedParts): Processor[] {
  return [
    PROCESSORS.cloudflare,
    ...(mail === "resend" ? [PROCESSORS.resend] : []),
    ...(mail === "cloudflare" ? [PROCESSORS.cloudflare_email] : []),
    PROCESSORS.safaricom,
    ...(hasPush ? [PROCESSORS.browser_maker] : []),
    ...(hasGoogle ? [PROCESSORS.google] : []),
    ...(hasUniversity ? [PROCESSORS.university] : []),
  ];
}
