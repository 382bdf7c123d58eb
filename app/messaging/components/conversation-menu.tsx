import { useEffect, useState } from "react";
import { useFetcher } from "react-router";
import { REPORT_MAX_LENGTH } from "#app/messaging/message-rules.ts";
import { Button } from "#app/ui/button.tsx";
import { ConfirmDialog, Dialog } from "#app/ui/dialog.tsx";
import { Field } from "#app/ui/field.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Menu, MenuItem } from "#app/ui/menu.tsx";
import { SubmitButton } from "#app/ui/submit-button.tsx";
import { TextArea } from "#app/ui/form-fields.tsx";
import { type ActionResult, useResultToast } from "#app/ui/use-result-toast.ts";

interface ConversationMenuProps {
  otherId: string;
  name: string;
  blocked: boolean;
}

/** The address of these forms, on every page. */
const SAFETY_ACTION = "/conversations/safety";

/** The menu to block, unblock and report a conversation. */
export function ConversationMenu({ otherId, name, blocked }: ConversationMenuProps) {
  const fetcher = useFetcher<ActionResult>();
  const [asking, setAsking] = useState<"block" | "report" | null>(null);
  useResultToast(fetcher.data);
  const send = (fields: Record<string, string>) =>
    void fetcher.submit({ ...fields, otherId }, { method: "post", action: SAFETY_ACTION });
  return (
    <>
      <Menu label="More" className="inbox__menu-button" face={<Icon name="ellipsis" />}>
        <MenuItem icon="ban" onClick={() => (blocked ? send({ intent: "unblock" }) : setAsking("block"))}>
          {blocked ? `Unblock ${name}` : `Block ${name}`}
        </MenuItem>
        <MenuItem icon="flag" onClick={() => setAsking("report")}>
          Report conversation
        </MenuItem>
      </Menu>
      <ConfirmDialog
        open={asking === "block"}
        onOpenChange={(open) => setAsking(open ? "block" : null)}
        title={`Block ${name}?`}
        description={`You won't be able to message each other until you unblock ${name}. Old messages and open orders stay.`}
        confirmLabel="Block"
        destructive
        onConfirm={() => send({ intent: "block" })}
      />
      <ReportDialog
        open={asking === "report"}
        onOpenChange={(open) => setAsking(open ? "report" : null)}
        otherId={otherId}
        name={name}
      />
    </>
  );
}

function ReportDialog({
  open,
  onOpenChange,
  otherId,
  name,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  otherId: string;
  name: string;
}) {
  const fetcher = useFetcher<ActionResult>();
  const [reason, setReason] = useState("");
  useResultToast(fetcher.data?.ok ? fetcher.data : null);
  useEffect(() => {
    if (!fetcher.data?.ok) return;
    setReason("");
    onOpenChange(false);
    // Each answer closes the dialog once.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [fetcher.data]);
  const failure = fetcher.data && !fetcher.data.ok ? fetcher.data.message : null;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Report this conversation"
      description={`Our team will review it. We won't tell ${name}.`}
    >
      <fetcher.Form method="post" action={SAFETY_ACTION} className="stack">
        <input type="hidden" name="intent" value="report" />
        <input type="hidden" name="otherId" value={otherId} />
        <Field label="What's wrong?" error={failure}>
          {(control) => (
            <TextArea
              {...control}
              name="reason"
              rows={4}
              maxLength={REPORT_MAX_LENGTH}
              required
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
        <div className="dialog__actions">
          <Button variant="soft" tone="gray" onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <SubmitButton
            size="medium"
            wide={false}
            disabled={reason.trim() === ""}
            busy={fetcher.state !== "idle"}
            busyLabel="Sending..."
          >
            Send Report
          </SubmitButton>
        </div>
      </fetcher.Form>
    </Dialog>
  );
}
