import { useEffect, useState, type ReactNode } from "react";
import { sayPartMissing } from "./part-missing.tsx";
import { useScripted } from "./use-scripted.ts";

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

type DialogModule = typeof import("./dialog-window.tsx");

let loaded: DialogModule | undefined;

/** Loads the dialogs before the press. Call it on pointerenter or focus of the button that opens one. */
export function preloadDialog(): void {
  void load().catch(() => undefined);
}

async function load(): Promise<DialogModule> {
  loaded ??= await import("./dialog-window.tsx");
  return loaded;
}

function useDialogModule(wanted: boolean, onFailure: () => void): DialogModule | undefined {
  const isScripted = useScripted();
  // A part that starts later than its screen first renders what the server did, without dialogs.
  const [module, setModule] = useState(isScripted ? loaded : undefined);
  useEffect(() => {
    if (!wanted || module) return;
    load().then(setModule, onFailure);
    // Asked once for each opening, with the handlers of that render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [wanted, module]);
  return module;
}

/** A dialog over the page. Keeps the focus inside, closes on Escape or a press outside, and returns the focus. */
export function Dialog(props: DialogProps) {
  const module = useDialogModule(props.open, () => {
    props.onOpenChange(false);
    sayPartMissing();
  });
  return module ? <module.DialogWindow {...props} /> : null;
}

/** Asks before something that can't be undone. If it can't be loaded, the browser's own dialog asks. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const module = useDialogModule(props.open, () => {
    props.onOpenChange(false);
    if (window.confirm(props.description)) props.onConfirm();
  });
  return module ? <module.ConfirmWindow {...props} /> : null;
}
