import { Suspense, useState } from "react";
import { Button } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { lazyPart } from "#app/ui/feedback/lazy-part.tsx";
import { Skeleton } from "#app/ui/feedback/skeleton.tsx";
import { Unscripted } from "#app/ui/feedback/unscripted.tsx";
import { Dialog } from "#app/ui/layers/dialog.tsx";
import type { IssueReportProps } from "./issue-form.tsx";

/** Few orders have an issue, so the form's script comes with the press. */
const IssueForm = import.meta.env.SSR
  ? (await import("./issue-form.tsx")).IssueForm
  : lazyPart(async () => (await import("./issue-form.tsx")).IssueForm);

/**
 * "Report Issue": asks in a dialog what is wrong, and tells the seller or our team. Without scripts the form is on the
 * page.
 */
export function IssueReport({ items, orderId }: IssueReportProps) {
  const [open, setOpen] = useState(false);
  const [done, setDone] = useState("");
  function finish(message: string) {
    setOpen(false);
    setDone(message);
  }
  return (
    <>
      {done && (
        <Callout tone="green" role="alert">
          {done}
        </Callout>
      )}
      <Button className="scripted" variant="soft" icon="circle-alert" onClick={() => setOpen(true)}>
        Report Issue
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Report Issue"
        description={
          items.some(({ canReport }) => canReport)
            ? "Say what is wrong, and the seller or our team helps you."
            : "Tell us what went wrong. We read every report and reply by email."
        }
      >
        <Suspense fallback={<Skeleton shape="text" />}>
          <IssueForm items={items} orderId={orderId} onDone={finish} />
        </Suspense>
      </Dialog>
      <Unscripted>
        <IssueForm items={items} orderId={orderId} unscripted onDone={() => {}} />
      </Unscripted>
    </>
  );
}
