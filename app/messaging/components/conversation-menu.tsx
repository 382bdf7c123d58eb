import { useEffect, useState } from "react";
import { useFetcher } from "react-router";
import { REPORT_MAX_LENGTH } from "#app/messaging/rules.ts";
import { Button } from "#app/ui/button.tsx";
import { ConfirmDialog, Dialog, preloadDialog } from "#app/ui/dialog.tsx";
import { Field } from "#app/ui/field.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { SubmitButton } from "#app/ui/submit-button.tsx";
import { TextArea } from "#app/ui/text-field.tsx";
import { type ActionResult, useResultToast } from "#app/ui/use-result-toast.ts";

interface ConversationMenuProps {
  otherId: string;
  name: string;
  blocked: boolean;
}

const MENU = "conversation-menu";
/** Where these forms go, from whichever page. */
const SAFETY_ACTION = "/conversations/safety";

function close() {
  document.getElementById(MENU)?.hidePopover();
}

/** Block, unblock and report, in the browser's own popover. */
export function ConversationMenu({ otherId, name, blocked }: ConversationMenuProps) {
  const fetcher = useFetcher<ActionResult>();
  const [asking, setAsking] = useState<"block" | "report" | null>(null);
  useResultToast(fetcher.data);
  const send = (fields: Record<string, string>) => void fetcher.submit({ ...fields, otherId }, { method: "post", action: SAFETY_ACTION });
  return (
    <>
      <button type="button" className="inbox__menu-button" popoverTarget={MENU} aria-label="More" onPointerEnter={preloadDialog}>
        <Icon name="ellipsis" />
      </button>
      <div className="menu menu--here" id={MENU} popover="auto">
        <button
          type="button"
          className="menu__item"
          onClick={() => {
            close();
            if (blocked) send({ intent: "unblock" });
            else setAsking("block");
          }}
        >
          <Icon name="ban" />
          {blocked ? `Unblock ${name}` : `Block ${name}`}
        </button>
        <button
          type="button"
          className="menu__item"
          onClick={() => {
            close();
            setAsking("report");
          }}
        >
          <Icon name="flag" />
          Report conversation
        </button>
      </div>
      <ConfirmDialog
        open={asking === "block"}
        onOpenChange={(open) => setAsking(open ? "block" : null)}
        title={`Block ${name}?`}
        description={`Neither of you can write to the other until you unblock ${name}. What was written stays, and orders between you go on.`}
        confirmLabel="Block"
        destructive
        onConfirm={() => send({ intent: "block" })}
      />
      <ReportDialog open={asking === "report"} onOpenChange={(open) => setAsking(open ? "report" : null)} otherId={otherId} name={name} />
    </>
  );
}

function ReportDialog({ open, onOpenChange, otherId, name }: { open: boolean; onOpenChange: (open: boolean) => void; otherId: string; name: string }) {
  const fetcher = useFetcher<ActionResult>();
  const [reason, setReason] = useState("");
  useResultToast(fetcher.data?.ok ? fetcher.data : null);
  useEffect(() => {
    if (!fetcher.data?.ok) return;
    setReason("");
    onOpenChange(false);
    // The answer closes the window once.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [fetcher.data]);
  const failure = fetcher.data && !fetcher.data.ok ? fetcher.data.message : null;
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Report this conversation" description={`An admin reads it and decides what happens. ${name} is not told.`}>
      <fetcher.Form method="post" action={SAFETY_ACTION} className="stack">
        <input type="hidden" name="intent" value="report" />
        <input type="hidden" name="otherId" value={otherId} />
        <Field label="What is wrong?" error={failure}>
          {(control) => (
            <TextArea {...control} name="reason" rows={4} maxLength={REPORT_MAX_LENGTH} required value={reason} onChange={(event) => setReason(event.target.value)} />
          )}
        </Field>
        <div className="dialog__actions">
          <Button variant="soft" tone="gray" onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <SubmitButton size="medium" wide={false} disabled={reason.trim() === ""} busy={fetcher.state !== "idle"} busyLabel="Sending...">
            Send Report
          </SubmitButton>
        </div>
      </fetcher.Form>
    </Dialog>
  );
}
