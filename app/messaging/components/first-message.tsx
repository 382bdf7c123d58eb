import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { Dialog } from "#app/ui/layers/dialog.tsx";
import { DialogLink } from "#app/ui/layers/dialog-link.tsx";

interface FirstMessageProps {
  /** The button's, and on the page the box's. */
  id: string;
  /** The label of the button that opens the dialog. */
  button: string;
  /** The dialog's. */
  title: string;
  /** What the message is about. */
  description: string;
  /** Whether writing is the page's main action now. */
  primary: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The box to write in. */
  children: ReactNode;
}

/** The query parameter that shows the box on the page itself, for browsers without scripts. */
const IN_PAGE = "message";

/** Whether the box stands on the page itself. */
export function useBoxInPage(): boolean {
  const [searchParams] = useSearchParams();
  return searchParams.has(IN_PAGE);
}

/** Before the first message: a button that opens a dialog with the box, as on a product's page. */
export function FirstMessage({
  id,
  button,
  title,
  description,
  primary,
  open,
  onOpenChange,
  children,
}: FirstMessageProps) {
  if (useBoxInPage()) return <div id={id}>{children}</div>;
  return (
    <>
      <DialogLink
        id={id}
        to={`?${IN_PAGE}#${id}`}
        variant={primary ? "solid" : "soft"}
        wide={primary}
        icon="message-circle"
        onOpen={() => onOpenChange(true)}
      >
        {button}
      </DialogLink>
      <Dialog open={open} onOpenChange={onOpenChange} title={title} description={description}>
        <div className="first-message">{children}</div>
      </Dialog>
    </>
  );
}
