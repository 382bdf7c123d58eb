import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { Button, IconButton } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { placeToasts } from "#app/ui/feedback/toast-place.ts";
import { useBackToClose } from "./use-back-to-close.ts";

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}

export interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** The question: what will happen, and whether it can be undone. */
  description: string;
  confirmLabel: string;
  cancelLabel?: string;
  /** Red button, because something is lost. */
  destructive?: boolean;
  onConfirm: () => void;
}

/** A dialog over the page. Keeps the focus inside, closes on Escape or a press outside, and returns the focus. */
export function Dialog({ open, onOpenChange, children, ...window }: DialogProps) {
  if (!open) return null;
  const close = () => onOpenChange(false);
  return (
    <Modal {...window} closedby="any" onClose={close}>
      <div className="dialog__body">{children}</div>
      <IconButton className="dialog__close" variant="ghost" icon="x" label="Close" onClick={close} />
    </Modal>
  );
}

/** Asks before something that can't be undone. A press outside is no answer. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  description,
  confirmLabel,
  cancelLabel,
  destructive,
  onConfirm,
}: ConfirmDialogProps) {
  if (!open) return null;
  const close = () => onOpenChange(false);
  return (
    <Modal role="alertdialog" title={title} description={description} closedby="closerequest" onClose={close}>
      <div className="dialog__actions">
        <Button variant="soft" onClick={close}>
          {cancelLabel ?? "Cancel"}
        </Button>
        <Button
          danger={destructive}
          onClick={() => {
            onConfirm();
            close();
          }}
        >
          {confirmLabel}
        </Button>
      </div>
    </Modal>
  );
}

/**
 * The browser moves the focus to the first control. If that stands at the end of a long text, or only closes what is
 * still loading, people read from the start. WebKit scrolls to the control only later.
 */
function readFromStart(dialog: HTMLDialogElement): void {
  const first = document.activeElement;
  const isInView = (first?.getBoundingClientRect().bottom ?? 0) <= dialog.getBoundingClientRect().bottom;
  if (dialog.scrollTop === 0 && isInView && !first?.matches(".dialog__close")) return;
  dialog.focus({ preventScroll: true });
  dialog.scrollTop = 0;
}

/**
 * For browsers that do not do it by themselves. Somebody who marks text may let go outside, so the press counts, too.
 */
function closeOnPressOutside(dialog: HTMLDialogElement): void {
  let isPressed = false;
  const isOutside = ({ target, clientX: x, clientY: y }: MouseEvent) => {
    const { left, top, right, bottom } = dialog.getBoundingClientRect();
    return target === dialog && (x < left || x > right || y < top || y > bottom);
  };
  dialog.addEventListener("pointerdown", (event) => {
    isPressed = isOutside(event);
  });
  dialog.addEventListener("click", (event) => isPressed && isOutside(event) && dialog.close());
}

interface ModalProps extends Pick<DialogProps, "title" | "description" | "wide" | "children"> {
  role?: "alertdialog";
  /** Which presses close it, besides its own buttons. */
  closedby: "any" | "closerequest";
  onClose: () => void;
}

/** The browser's own modal dialog, open as long as it is rendered. */
function Modal({ role, title, description, wide, closedby, onClose, children }: ModalProps) {
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  useBackToClose(true, onClose);
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    if (dialog) readFromStart(dialog);
    if (dialog && closedby === "any" && !("closedBy" in dialog)) closeOnPressOutside(dialog);
    placeToasts();
    return () => {
      // Removing it alone would not return the focus.
      dialog?.close();
      placeToasts();
    };
  }, [closedby]);
  return createPortal(
    <dialog
      ref={ref}
      className={classNames("dialog", wide && "dialog--wide")}
      role={role}
      tabIndex={-1}
      closedby={closedby}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      onClose={({ currentTarget }) => !currentTarget.open && onClose()}
    >
      <h2 className="dialog__title" id={`${id}-title`}>
        {title}
      </h2>
      {description && (
        <p className="dialog__description" id={`${id}-description`}>
          {withWholeAmounts(description)}
        </p>
      )}
      {children}
    </dialog>,
    // Not where it is rendered: a closed menu or a hidden part of the page would hide it, too.
    document.querySelector(".document") ?? document.body,
  );
}
