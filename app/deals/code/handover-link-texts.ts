/** What somebody reads whom the seller asked to hand an item over. */
import { CODE_DIGITS } from "./code-length-rules.ts";
import type { HandoverLinkState } from "./handover-link-rules.ts";

interface LinkWords {
  title: string;
  sentence: string;
}

/** The page behind a link. The names stand inside sentences, `day` is "Sat 28 Nov 2026". */
export function linkWords(
  state: HandoverLinkState,
  { name, buyer, seller, day }: { name: string; buyer: string; seller: string; day: string },
): LinkWords {
  switch (state) {
    case "open":
      return {
        title: `Hand over ${name}`,
        sentence: `Let ${buyer} look at it first. Then ask for their ${CODE_DIGITS}-digit code, and enter it here. Give it away only when the code is accepted.`,
      };
    case "early":
      return {
        title: `Not yet: ${day}`,
        sentence: `You can hand over ${name}, and enter ${buyer}'s code here, on that day.`,
      };
    case "done":
      return {
        title: "It's handed over",
        sentence: `${name} belongs to ${buyer} now. Thank you for helping ${seller}.`,
      };
    case "code_closed":
      return {
        title: "Don't hand it over",
        sentence: `Too many wrong codes were entered, so this link no longer works. Call ${seller}.`,
      };
    case "ended":
      return {
        title: "Don't hand it over",
        sentence: `This link is over: its day has passed, or the meeting or the sale has changed. Ask ${seller} for a new one.`,
      };
  }
}

export const HANDOVER_TEXTS = {
  right: "You can hand it over now.",
  held: "But our team is looking at this sale. Call the seller before you hand it over.",
  too_many: "Too many wrong codes were entered today. Call the seller.",
  not_open: "This link doesn't work now. Call the seller before you hand it over.",
  lost: "We don't know whether your code arrived. Send it again before you hand it over.",
  made: "Send the link to whoever hands it over.",
  stopped: "Stopped. The link no longer works.",
  too_many_links: "You've made many links today. Please try again tomorrow.",
} as const;
