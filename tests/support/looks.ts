/** How many looks a screen has: its type, and its buttons. */

export interface Looks {
  /** Each pair of size in px and weight that a text is painted in, as "16/400". */
  type: string[];
  /** Each look of a button: "solid, 48 px". */
  buttons: string[];
  /** The labels of the main buttons: the solid ones. */
  main: string[];
}

/** Runs in the page: the looks of what is painted, also below the fold. */
export function readLooks(): Looks {
  const isPainted = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    // What assistive technology alone reads is a pixel large.
    return width > 1 && height > 1 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  const type = new Set<string>();
  for (const element of document.querySelectorAll("body *:not(script, style, noscript, svg *)")) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
    if (!hasText || !isPainted(element)) continue;
    const { fontSize, fontWeight } = getComputedStyle(element);
    type.add(`${Number.parseFloat(fontSize)}/${fontWeight}`);
  }
  const buttons = new Set<string>();
  const main: string[] = [];
  for (const button of document.querySelectorAll<HTMLElement>(".button:not(.icon-button)")) {
    if (!isPainted(button)) continue;
    const [kind = ""] = /solid|soft|ghost/.exec(button.className) ?? [];
    const isDanger = button.classList.contains("button--danger");
    const size = kind === "ghost" ? "" : `, ${button.offsetHeight} px`;
    buttons.add(`${isDanger ? "danger " : ""}${kind}${size}`);
    if (kind === "solid" && !isDanger) main.push(button.textContent.trim());
  }
  return { type: [...type].toSorted(), buttons: [...buttons].toSorted(), main };
}
