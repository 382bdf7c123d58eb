/**
 * Keeps a page working that the browser or an extension translates. Root imports it, because it must run before React.
 *
 * A translator replaces each text by an element of its own, and React doesn't know. Later React removes the text or
 * inserts something before it, which throws, or it changes the text, which is no longer on the page. So a text is put
 * back when React uses it again. The translator finds it there and translates it once more.
 *
 * We watch for texts that are replaced, and not for a mark on <html>, because each translator leaves a different one. A
 * text that is missing for another reason is our own mistake, and still throws.
 */

/** The translator's element for each text that it replaced. */
const standIns = new WeakMap<Node, Node>();

function putBack(text: Node | null | undefined): void {
  const standIn = text && standIns.get(text);
  if (!standIn) return;
  standIns.delete(text);
  standIn.parentNode?.replaceChild(text, standIn);
}

if (!import.meta.env.SSR) {
  const observer = new MutationObserver((changes) => {
    for (const { type, target, addedNodes, removedNodes, previousSibling } of changes) {
      if (type === "characterData") putBack(target);
      if (removedNodes.length === 0) continue;
      // Chrome puts its element before the text and then removes the text. Others replace it in one step.
      const standIn = [...addedNodes, previousSibling].find((each) => each?.nodeName === "FONT");
      if (!standIn) continue;
      for (const node of removedNodes) {
        if (node.nodeType !== Node.TEXT_NODE || node.parentNode === target) continue;
        standIns.set(node, standIn);
        observer.observe(node, { characterData: true });
      }
    }
  });
  observer.observe(document, { childList: true, subtree: true });

  // React calls these with a text, or with what is to stand before it.
  for (const name of ["appendChild", "insertBefore", "removeChild"] as const) {
    const act = Node.prototype[name] as (...nodes: (Node | null)[]) => Node;
    Object.assign(Node.prototype, {
      [name](this: Node, ...nodes: (Node | null)[]) {
        for (const node of nodes) putBack(node);
        return act.apply(this, nodes);
      },
    });
  }
}
