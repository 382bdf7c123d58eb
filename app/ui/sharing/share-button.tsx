import { type ReactNode, useState } from "react";
import type { LinkButtonProps } from "#app/ui/button.tsx";
import { DialogLink } from "#app/ui/layers/dialog-link.tsx";
import type { Shareable } from "./share-texts.ts";
import { sayPartMissing } from "#app/ui/feedback/part-missing.tsx";

type ShareDialog = typeof import("./share-dialog.tsx").ShareDialog;

interface ShareButtonProps extends Omit<LinkButtonProps, "to"> {
  shared: Shareable;
  /** Shows only the icon. */
  compact?: boolean;
}

/**
 * Opens the share menu: the device's share sheet, WhatsApp, a poster, and the link to copy. Without scripts it leads to
 * the poster, which shows the link, or to the public page.
 */
export function ShareButton({ shared, compact, ...button }: ShareButtonProps) {
  const { show, dialog } = useShareDialog(shared);
  return (
    <>
      <DialogLink variant="soft" icon="share-2" {...button} to={shared.posterPath ?? shared.path} onOpen={show}>
        {!compact && "Share"}
        <span className="visually-hidden">{` ${compact ? "Share " : ""}${shared.name}`}</span>
      </DialogLink>
      {dialog}
    </>
  );
}

/** The share menu for other buttons: a function that opens it, and the menu, to be rendered beside the button. */
export function useShareDialog(shared: Shareable): { show: () => void; dialog: ReactNode } {
  const [Loaded, setLoaded] = useState<ShareDialog>();
  const [open, setOpen] = useState(false);

  async function show(): Promise<void> {
    try {
      const { ShareDialog } = await import("./share-dialog.tsx");
      setLoaded(() => ShareDialog);
      setOpen(true);
    } catch {
      sayPartMissing();
    }
  }
  return {
    show: () => void show(),
    dialog: Loaded && <Loaded shared={shared} open={open} onOpenChange={setOpen} />,
  };
}
