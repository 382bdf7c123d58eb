import { useState } from "react";
import { Button } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { PartMissing } from "#app/ui/feedback/part-missing.tsx";
import { Skeleton } from "#app/ui/feedback/skeleton.tsx";
import { Spinner } from "#app/ui/feedback/spinner.tsx";
import { EmptyState, ErrorState } from "#app/ui/feedback/state.tsx";
import { toast } from "#app/ui/feedback/toast.ts";
import { DialogLink } from "#app/ui/layers/dialog-link.tsx";
import { ConfirmDialog, Dialog } from "#app/ui/layers/dialog.tsx";
import { Menu, MenuItem } from "#app/ui/layers/menu.tsx";
import { iconNames } from "#app/ui/pictures/icon-names.ts";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { TONES } from "#app/ui/tone.ts";
import { Row, Sample } from "./sample-parts.tsx";

const TOASTS = ["success", "info", "warning", "error"] as const;

export function FeedbackSamples() {
  return (
    <Sample name="Feedback">
      {TONES.map((tone) => (
        <Callout key={tone} tone={tone} title={`A callout in ${tone}`}>
          It says what has happened, and what to do next.
        </Callout>
      ))}
      <EmptyState
        icon="heart"
        title="Nothing here yet"
        sentence="An empty list says what to do next."
        action={
          <Button variant="soft" onClick={() => toast.info("You pressed it.")}>
            The next step
          </Button>
        }
      />
      <ErrorState
        title="We couldn't load this"
        sentence="A failure says so, and offers to try again."
        action={
          <Button variant="soft" icon="refresh-cw" onClick={() => toast.info("You pressed it.")}>
            Try Again
          </Button>
        }
      />
      <PartMissing />
      <div className="stack stack--tight" aria-busy="true">
        <Skeleton shape="title" />
        <Skeleton shape="text" />
        <Skeleton shape="text" />
      </div>
      <Row>
        <Spinner />
        {TOASTS.map((kind) => (
          <Button key={kind} size="small" variant="soft" onClick={() => toast[kind](`A message: ${kind}`)}>
            {kind}
          </Button>
        ))}
      </Row>
    </Sample>
  );
}

export function LayerSamples() {
  const [open, setOpen] = useState<"dialog" | "question" | null>(null);
  const close = () => setOpen(null);
  return (
    <Sample name="Layers and icons">
      <Row>
        <DialogLink to="/sandbox/components" variant="soft" onOpen={() => setOpen("dialog")}>
          Open a dialog
        </DialogLink>
        <Button variant="soft" onClick={() => setOpen("question")}>
          Ask a question
        </Button>
        <Menu label="Open a menu" className="button button--soft" face="Open a menu">
          <MenuItem icon="pencil" onClick={() => toast.info("You pressed it.")}>
            Edit
          </MenuItem>
          <MenuItem icon="trash-2" destructive onClick={() => toast.info("You pressed it.")}>
            Delete
          </MenuItem>
        </Menu>
      </Row>
      <Dialog
        open={open === "dialog"}
        onOpenChange={close}
        title="A dialog"
        description="On phones it rises from below."
      >
        <p>It closes on Escape, on a press outside, and on Back.</p>
      </Dialog>
      <ConfirmDialog
        open={open === "question"}
        onOpenChange={close}
        title="Delete this listing?"
        description="Buyers won't find it any more. You can't undo this."
        confirmLabel="Delete"
        destructive
        onConfirm={() => toast.success("Deleted")}
      />
      <Row>
        {iconNames.map((name) => (
          <Icon key={name} name={name} />
        ))}
      </Row>
    </Sample>
  );
}
