import { type FormEvent, startTransition, useRef, useState } from "react";
import { useLocation, useRevalidator } from "react-router";
import { WAIT_TEXTS } from "#app/catalogue/stock/stock-waits-rules.ts";
import { reloadIfFailed } from "#app/ui/browser/reload.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { postForm } from "#app/ui/forms/post-form.ts";
import { toast } from "#app/ui/feedback/toast.ts";
import type { ActionResult } from "#app/ui/feedback/use-result-toast.ts";
import { ReservedNotice } from "./reserved-notice.tsx";

interface WaitButtonProps {
  product: Pick<WaitedFor, "id" | "waiting">;
  label: string;
  /** The main thing to do. */
  wide?: boolean;
}

interface WaitedFor {
  id: string;
  reservedByOthers: boolean;
  reservedUntil: number | null;
  payingOrderId: string | null;
  waiting: boolean;
}

/** Why a product that is for sale can't be bought now. Nothing when it can be. `readAt` in ms. */
export function ReservedCallout({ product, readAt }: { product: WaitedFor; readAt: number }) {
  if (product.payingOrderId)
    return (
      <Callout tone="gold">
        <span className="waiting-list__line">
          You're paying for this right now.
          <LinkButton to={`/checkout/${product.payingOrderId}`} size="small" variant="soft">
            Go to the payment
          </LinkButton>
        </span>
      </Callout>
    );
  if (product.reservedByOthers)
    return (
      <Callout tone="orange">
        <span className="waiting-list__line">
          <ReservedNotice reservedUntil={product.reservedUntil} readAt={readAt} />
          <WaitButton product={product} label="Tell me when it's available" />
        </span>
      </Callout>
    );
  return null;
}

/** Joins the waiting list, or leaves it, in one tap. It shows at once, and the last of several quick taps counts. */
export function WaitButton({ product, label, wide }: WaitButtonProps) {
  const { pathname } = useLocation();
  const { revalidate } = useRevalidator();
  const [wish, setWish] = useState<boolean | null>(null);
  const waiting = wish ?? product.waiting;
  const latest = useRef(false);
  const underWay = useRef(false);

  function press(event: FormEvent): void {
    event.preventDefault();
    latest.current = !waiting;
    setWish(!waiting);
    if (!underWay.current) void send();
  }
  async function send(): Promise<void> {
    underWay.current = true;
    let sent: boolean;
    do {
      sent = latest.current;
      const fields = { wait: sent ? "yes" : "no" };
      const answer = await postForm<ActionResult>(waitPath(product.id), fields);
      if (answer?.ok) continue;
      toast.error(answer?.message ?? WAIT_TEXTS.failed);
      setWish(null);
      break;
    } while (latest.current !== sent);
    underWay.current = false;
    await revalidate();
    await reloadIfFailed(revalidate, () => !underWay.current);
    if (!underWay.current) startTransition(() => setWish(null));
  }
  return (
    <form method="post" action={waitPath(product.id)} onSubmit={press} className="waiting-list">
      <input type="hidden" name="from" value={pathname} />
      <input type="hidden" name="wait" value={waiting ? "no" : "yes"} />
      <span className="waiting-list__told" role="status">
        {waiting && (
          <>
            <Icon name="check" size="small" /> We'll tell you
          </>
        )}
      </span>
      <Button type="submit" size={wide ? undefined : "small"} variant={wide && !waiting ? "solid" : "soft"}>
        {waiting ? "Stop waiting" : label}
      </Button>
    </form>
  );
}

function waitPath(id: string): string {
  return `/product/${id}/wait`;
}
