/**
 * Brings the popovers of our menus to browsers that have none: Chrome below 114, Safari below 17, Firefox below 125.
 * Until it comes, the menus stay closed (menu.css). Other browsers never load it.
 */
if (!import.meta.env.SSR && !("popover" in HTMLElement.prototype))
  import("@oddbird/popover-polyfill/fn")
    .then(({ apply }) => apply({ layerName: "base" }))
    // The connection was lost. The next page tries again.
    .catch(() => {});
