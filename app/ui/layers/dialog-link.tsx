import type { KeyboardEvent, MouseEvent } from "react";
import { LinkButton, type LinkButtonProps } from "#app/ui/button.tsx";

interface DialogLinkProps extends LinkButtonProps {
  /** Opens the dialog. */
  onOpen: () => void;
}

/** A button that opens a dialog over the page. Without scripts it leads to `to`, a page with the same content. */
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
      onClick={open}
      onKeyDown={(event) => event.key === " " && open(event)}
    />
  );
}
