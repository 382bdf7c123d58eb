/** What somebody reads whom the seller asked to hand an item over. */
import type { HandoverWords } from "#app/catalogue/types/handover-word-rules.ts";
import { CODE_DIGITS } from "./code-length-rules.ts";
import type { HandoverLinkState } from "./handover-link-rules.ts";

interface LinkWords {
  title: string;
  sentence: string;
}

/** The page behind a link. The names stand inside sentences, `day` is "Sat 28 Nov 2026". */
export function linkWords(
  state: HandoverLinkState,
  { byLink, dont }: Pick<HandoverWords, "byLink" | "dont">,
  { name, buyer, seller, day }: { name: string; buyer: string; seller: string; day: string },
): LinkWords {
  // A title has no full stop.
  const stop = dont.slice(0, -1);
  switch (state) {
    case "open":
      return {
        title: byLink.title(name, buyer),
        sentence: `${byLink.first(buyer)} Then ask for their ${CODE_DIGITS}-digit code, and enter it here. ${byLink.last}`,
      };
    case "early":
      return {
        title: `Not yet: ${day}`,
        sentence: `On that day you can enter ${buyer}'s code for ${name} here.`,
      };
    case "done":
      return {
        title: byLink.done,
        sentence: `${name} belongs to ${buyer} now. Thank you for helping ${seller}.`,
      };
    case "code_closed":
      return {
        title: stop,
        sentence: `Too many wrong codes were entered, so this link no longer works. Call ${seller}.`,
      };
    case "ended":
      return {
        title: stop,
        sentence: `This link is over: its day has passed, or the meeting or the sale has changed. Ask ${seller} for a new one.`,
      };
  }
}

export const HANDOVER_TEXTS = {
  held: "But our team is looking at this sale. Call the seller before you hand it over.",
  too_many: "Too many wrong codes were entered today. Call the seller.",
  not_open: "This link doesn't work now. Call the seller before you hand it over.",
  lost: "We don't know whether your code arrived. Send it again before you hand it over.",
  made: "Send the link to whoever hands it over.",
  stopped: "Stopped. The link no longer works.",
  too_many_links: "You've made many links today. Please try again tomorrow.",
} as const;
