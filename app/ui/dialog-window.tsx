/** Radix Themes' dialogs. A chunk of its own, loaded when the first dialog is about to open (dialog.tsx). */
import "./styles/radix-dialog.css";
import "./dialog.css";
import { AlertDialog as RadixAlertDialog, Dialog as RadixDialog, Theme } from "@radix-ui/themes";
import { useLayoutEffect, useRef, type ReactNode } from "react";
import { Button, IconButton } from "./button.tsx";
import { classNames } from "./class-names.ts";
import type { ConfirmDialogProps, DialogProps } from "./dialog.tsx";
import { useBackToClose } from "./use-back-to-close.ts";

function OverlayTheme({ children }: { children: ReactNode }) {
  return (
    <Theme
      className="overlay-theme"
      accentColor="gold"
      grayColor="sand"
      radius="large"
      panelBackground="solid"
      hasBackground={false}
    >
      {children}
    </Theme>
  );
}

/** Returns the focus to the element that had it. Radix does so only for its own triggers. */
function useReturnFocus(open: boolean) {
  const opener = useRef<Element>(null);
  useLayoutEffect(() => {
    if (open) opener.current = document.activeElement;
  }, [open]);
  return (event: Event) => {
    event.preventDefault();
    if (opener.current instanceof HTMLElement) opener.current.focus();
  };
}

export function DialogWindow({ open, onOpenChange, title, description, wide, children }: DialogProps) {
  const returnFocus = useReturnFocus(open);
  useBackToClose(open, () => onOpenChange(false));
  return (
    <OverlayTheme>
      <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
        <RadixDialog.Content
          className={classNames("dialog", wide && "dialog--wide")}
          onCloseAutoFocus={returnFocus}
          {...(!description && { "aria-describedby": undefined })}
        >
          <RadixDialog.Title className="dialog__title">{title}</RadixDialog.Title>
          {description && (
            <RadixDialog.Description className="dialog__description">{description}</RadixDialog.Description>
          )}
          <div className="dialog__body">{children}</div>
          <RadixDialog.Close>
            <IconButton className="dialog__close" variant="ghost" icon="x" label="Close" />
          </RadixDialog.Close>
        </RadixDialog.Content>
      </RadixDialog.Root>
    </OverlayTheme>
  );
}

export function ConfirmWindow({
  open,
  onOpenChange,
  title,
  description,
  confirmLabel,
  cancelLabel,
  destructive,
  onConfirm,
}: ConfirmDialogProps) {
  const returnFocus = useReturnFocus(open);
  useBackToClose(open, () => onOpenChange(false));
  return (
    <OverlayTheme>
      <RadixAlertDialog.Root open={open} onOpenChange={onOpenChange}>
        <RadixAlertDialog.Content className="dialog" onCloseAutoFocus={returnFocus}>
          <RadixAlertDialog.Title className="dialog__title">{title}</RadixAlertDialog.Title>
          <RadixAlertDialog.Description className="dialog__description">{description}</RadixAlertDialog.Description>
          <div className="dialog__actions">
            <RadixAlertDialog.Cancel>
              <Button variant="soft" tone="gray">
                {cancelLabel ?? "Cancel"}
              </Button>
            </RadixAlertDialog.Cancel>
            <RadixAlertDialog.Action>
              <Button tone={destructive ? "red" : "gold"} onClick={onConfirm}>
                {confirmLabel}
              </Button>
            </RadixAlertDialog.Action>
          </div>
        </RadixAlertDialog.Content>
      </RadixAlertDialog.Root>
    </OverlayTheme>
  );
}
