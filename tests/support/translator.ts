/** Plays Chrome's translator, for browser tests of what it does to a page. */
import type { Page } from "@playwright/test";

interface Translation {
  /** Whether it begins with the page's first texts, before React takes the page over. */
  early?: boolean;
}

/**
 * Every page that this window opens is translated, and so is each text that appears or changes later. A translated text
 * ends with "~".
 */
export async function translatePages(page: Page, { early = false }: Translation = {}): Promise<void> {
  await page.addInitScript(translate, early);
}

/** Runs in the page. */
function translate(early: boolean): void {
  // A translator has a world of its own, where what the page's scripts change in prototypes doesn't count.
  const { insertBefore, removeChild } = Node.prototype;

  function wrap(text: Text): void {
    const parent = text.parentElement;
    if (!parent || parent.closest("script, style, textarea, font, [translate=no]") || !/\p{L}/u.test(text.data)) return;
    const [outer, inner] = [document.createElement("font"), document.createElement("font")];
    inner.append(text.data.replace(/\s*$/, (space) => `~${space}`));
    outer.appendChild(inner);
    insertBefore.call(parent, outer, text);
    removeChild.call(parent, text);
  }

  function wrapAll(root: Node): void {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found: Text[] = [];
    for (let text = texts.nextNode(); text; text = texts.nextNode()) found.push(text as Text);
    if (root instanceof Text) found.push(root);
    for (const text of found) wrap(text);
  }

  function begin(): void {
    const isTakenOver = [...document.querySelectorAll("body > .document, main *")].every((element) =>
      Object.keys(element).some((key) => key.startsWith("__reactProps")),
    );
    if (!early && !isTakenOver) return void requestAnimationFrame(begin);
    document.documentElement.classList.add("translated-ltr");
    wrapAll(document.body);
    new MutationObserver((changes) => {
      for (const { target, addedNodes, type } of changes)
        for (const node of type === "characterData" ? [target] : addedNodes) if (document.contains(node)) wrapAll(node);
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
  }
  document.addEventListener("DOMContentLoaded", begin);
}
