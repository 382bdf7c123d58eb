import { Button, buttonClass } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/layers/dialog.tsx";

interface LeavingDialogProps {
  href: string;
  host: string;
  onClose: () => void;
}

/** Asks before a link to another site opens. */
export function LeavingDialog({ href, host, onClose }: LeavingDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="You're leaving Chuoni"
      description="We don't know this site. Never enter your password or M-Pesa PIN there, and pay only through your order on Chuoni."
    >
      <p className="leaving">
        <strong>{host}</strong>
        <span className="quiet small">{href}</span>
      </p>
      <div className="dialog__actions">
        <Button variant="soft" onClick={onClose}>
          Stay Here
        </Button>
        <a
          className={buttonClass({})}
          href={href}
          target="_blank"
          rel="noopener noreferrer nofollow ugc"
          onClick={onClose}
        >
          Open Link
        </a>
      </div>
    </Dialog>
  );
}
