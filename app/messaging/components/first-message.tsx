import { type ReactNode, useState } from "react";
import { useSearchParams } from "react-router";
import { Dialog } from "#app/ui/dialog.tsx";
import { DialogLink } from "#app/ui/dialog-link.tsx";

/** The button that begins a conversation, and what its dialog says. */
export interface FirstMessageWords {
  /** The button's words. */
  button: string;
  title: string;
  /** What it is about. */
  description: string;
  /** The one thing to do next is to write. */
  primary: boolean;
}

interface FirstMessageProps extends FirstMessageWords {
  id?: string;
  /** The box to write in. */
  children: ReactNode;
}

/** What the address says where the box stands in the page instead of over it: without scripts. */
const IN_PAGE = "message";

/** Nothing has been written yet: a button, and the dialog to write in (as on a product's page). */
export function FirstMessage({ id, button, title, description, primary, children }: FirstMessageProps) {
  const [open, setOpen] = useState(false);
  const [searchParams] = useSearchParams();
  if (searchParams.has(IN_PAGE)) return children;
  return (
    <>
      <DialogLink
        id={id}
        to={`?${IN_PAGE}`}
        variant={primary ? "solid" : "soft"}
        tone={primary ? undefined : "gray"}
        size={primary ? "large" : undefined}
        wide={primary}
        icon="message-circle"
        onOpen={() => setOpen(true)}
      >
        {button}
      </DialogLink>
      <Dialog open={open} onOpenChange={setOpen} title={title} description={description}>
        <div className="first-message">{children}</div>
      </Dialog>
    </>
  );
}
