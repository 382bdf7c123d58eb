import { type FormEvent, useState } from "react";
import { useRevalidator } from "react-router";
import { managePath } from "#app/catalogue/catalogue-rules.ts";
import { type Lowering, LOWERING_TEXTS } from "#app/catalogue/selling/lower-price-rules.ts";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { Button } from "#app/ui/button.tsx";
import { toast } from "#app/ui/feedback/toast.ts";
import { postForm } from "#app/ui/forms/post-form.ts";
import { formatKes } from "#app/ui/money.ts";

/** Makes a listing cheaper in one press, for those who saved it. They are told as of any lower price. */
export function LowerPrice({
  productId,
  lowering: { from, to, savers, fee },
}: {
  productId: string;
  lowering: Lowering;
}) {
  const { revalidate } = useRevalidator();
  const [isBusy, setIsBusy] = useState(false);

  async function press(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    setIsBusy(true);
    const fields = { intent: "lower", seen: String(from) };
    const answer = await postForm<{ ok: boolean; message: string }>(managePath(productId), fields);
    if (answer?.ok) toast.success(answer.message);
    else toast.error(answer?.message ?? LOWERING_TEXTS.failed);
    await revalidate();
    setIsBusy(false);
  }
  return (
    <form method="post" action={managePath(productId)} className="stack stack--tight" onSubmit={press}>
      <input type="hidden" name="intent" value="lower" />
      <input type="hidden" name="seen" value={from} />
      <input type="hidden" name="from" value={`/product/${productId}`} />
      <Button type="submit" variant="soft" icon="heart" busy={isBusy} wide>
        {`Lower to ${formatKes(to)} and tell ${savers === 1 ? "1 person" : `${savers} people`}`}
      </Button>
      <p className="quiet small">They saved it. It is about 10% less than {formatKes(from)}, once in three days.</p>
      {fee && <p className="quiet small">{withWholeAmounts(fee)}</p>}
    </form>
  );
}
