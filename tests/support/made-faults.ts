/** Faults of a layout, each made by a rule of style on the feed, with what the look at a screen says of it. */

/** Runs in the page: adds a style sheet, and takes the one before it away. */
export function restyle(rules: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  document.adoptedStyleSheets = [sheet];
}

export const PRICE_COVERED = /^“KES [\d,]+” (is under|stands on) /;
/** As cards once were: WebKit measured the photo against the whole card, and others against its row. */
export const IN_WEBKIT_ALONE = ".photo-card > .photo { align-self: auto; height: calc(100% - 2px); margin-bottom: 0; }";

export const FAULTS: Record<string, [rules: string, finds: RegExp]> = {
  "a photo over the price": [".photo-card > .photo { height: 15rem !important; }", PRICE_COVERED],
  "a bar over the end of the page": [".bottom-bar { height: 20rem !important; }", / is under nav\.bottom-bar/],
  "a text that leaves its box": [
    ".photo-card .chip, .button { width: 2rem !important; white-space: nowrap; }",
    / leaves its box /,
  ],
  "a text that is cut off": [
    "h1 { width: 4rem; overflow: hidden; white-space: nowrap; }",
    / is cut off at the side by h1/,
  ],
  "a line that is cut off": ["h1 { height: 0.75rem; overflow: hidden; }", / is cut off above or below by h1/],
  "two texts over each other": [".photo-card > .facts { margin-top: -1.5rem; }", / lie over each other/],
  "a text beside the edge of a list": [
    "main { max-height: 20rem; flex: none; overflow: auto; } .photo-card { transform: translateX(50vw); }",
    / is beside the edge of main/,
  ],
  "a page that scrolls sideways": ["main { width: 120vw; }", /^the page scrolls sideways by /],
  "a hint that is cut off": [
    "input { width: 4rem !important; flex: none !important; text-overflow: clip !important; }",
    / is cut off in its field/,
  ],
};
