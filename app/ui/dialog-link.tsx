import type { KeyboardEvent, MouseEvent } from "react";
import { LinkButton, type LinkButtonProps } from "./button.tsx";
import { preloadDialog } from "./dialog.tsx";

interface DialogLinkProps extends LinkButtonProps {
  /** Opens the window. */
  onOpen: () => void;
}

/** A button that opens a window over the page. Where scripts do not run it leads to `to`, where the same stands in a page. */
export function DialogLink({ onOpen, ...link }: DialogLinkProps) {
  function open(event: MouseEvent | KeyboardEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onOpen();
  }
  return (
    <LinkButton
      preventScrollReset
      {...link}
      role="button"
      aria-haspopup="dialog"
      onPointerEnter={preloadDialog}
      onFocus={preloadDialog}
      onClick={open}
      onKeyDown={(event) => event.key === " " && open(event)}
    />
  );
}
