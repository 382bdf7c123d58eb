/** The share menu. A chunk of its own, loaded at the first press (share-button.tsx). */
import { Link } from "react-router";
import { LinkField } from "#app/ui/sharing/link-field.tsx";
import { Dialog } from "#app/ui/layers/dialog.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { type Shareable, shareText, whatsAppLink } from "./share-texts.ts";
import { toast } from "#app/ui/feedback/toast.ts";

interface ShareDialogProps {
  shared: Shareable;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function ShareDialog({ shared, open, onOpenChange }: ShareDialogProps) {
  const url = location.origin + shared.path;

  async function shareOnDevice(): Promise<void> {
    try {
      await navigator.share({ title: shared.name, text: shareText(shared), url });
      onOpenChange(false);
    } catch (error) {
      // The person closed the device's share sheet.
      if (error instanceof DOMException && error.name === "AbortError") return;
      toast.error("Your device's share menu didn't open. Copy the link instead.");
    }
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={titleOf(shared)}
      description="Anyone can open this link, even without an account."
    >
      <div className="stack">
        <div>
          {"share" in navigator && (
            <button type="button" className="menu__item" onClick={() => void shareOnDevice()}>
              <Icon name="share-2" />
              Share…
            </button>
          )}
          <a className="menu__item" href={whatsAppLink(shared, url)} target="_blank" rel="noreferrer">
            <Icon name="message-circle" />
            WhatsApp
          </a>
          {shared.posterPath !== null && (
            <Link className="menu__item" to={shared.posterPath} onClick={() => onOpenChange(false)}>
              <Icon name="printer" />
              Print a poster
            </Link>
          )}
        </div>
        <LinkField url={url} label="Link" />
      </div>
    </Dialog>
  );
}

function titleOf({ price, title }: Shareable): string {
  if (title !== undefined) return title;
  return price === null ? "Share this shop" : "Share this product";
}
