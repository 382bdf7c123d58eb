/** A chunk of its own, because only sales with a meeting have it. */
import { useFetcher } from "react-router";
import { Fold } from "#app/orders/components/fold.tsx";
import { dayBounds } from "#app/platform/east-africa-time.ts";
import { formatWeekday } from "#app/ui/dates.ts";
import { type ActionResult, useResultToast } from "#app/ui/feedback/use-result-toast.ts";
import { pressOf, SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { CopyButton } from "#app/ui/sharing/copy-button.tsx";
import type { SoldItem } from "./sold-item.server.ts";

interface HelperLinkProps {
  itemId: string;
  helper: NonNullable<SoldItem["helper"]>;
  origin: string;
}

/** The link for somebody else who hands it over, on the day of the meeting. */
export function HelperLink({ itemId, helper: { day, path }, origin }: HelperLinkProps) {
  const fetcher = useFetcher<ActionResult>();
  useResultToast(fetcher.data);
  const on = formatWeekday(dayBounds(day).from);
  const button = (intent: string, label: string, busyLabel: string) => (
    <SubmitButton
      name="intent"
      value={intent}
      variant="soft"
      wide={false}
      {...pressOf(fetcher, intent)}
      busyLabel={busyLabel}
    >
      {label}
    </SubmitButton>
  );
  return (
    <Fold label="Does somebody else hand it over?" hint={path === null ? undefined : "Link made"}>
      <p>
        {path === null
          ? `Make a link for them. On ${on} they enter the buyer's code there, without an account, and the money comes to you. They see the thing, the place, the time and first names.`
          : `Send this link to whoever hands it over. It works on ${on}, and with it anybody can enter the buyer's code.`}
      </p>
      {path !== null && (
        <p className="row">
          <a className="text-link" href={path}>
            Open the link
          </a>
          <CopyButton text={origin + path} label="Copy the link" what="the link" size="small" />
        </p>
      )}
      <fetcher.Form method="post" className="row" preventScrollReset>
        <input type="hidden" name="itemId" value={itemId} />
        {button("link", path === null ? "Make a Link" : "Make a New Link", "Making it...")}
        {path !== null && button("stop-link", "Stop This Link", "Stopping it...")}
      </fetcher.Form>
    </Fold>
  );
}
