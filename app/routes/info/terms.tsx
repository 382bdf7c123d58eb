import type { Route } from "./+types/terms.ts";
import { MIN_AGE } from "#app/accounts/login/account-rules.ts";
import { HANDOVER_TERMS } from "#app/catalogue/types/handover-rules.ts";
import { checkText, periodText, withinText } from "#app/deals/words/deal-promises.ts";
import { DEAL_HOURS, NEW_SELLER_BUYERS, UNVERIFIED_LIMIT } from "#app/orders/deal-timer-rules.ts";
import { servicesContext } from "#app/request/context.ts";
import { brand } from "#app/ui/page/brand.ts";
import { formatKes } from "#app/ui/money.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { TextLink } from "#app/ui/text-link.tsx";

export function meta() {
  return pageMeta("Terms of Service");
}

export function loader({ context }: Route.LoaderArgs) {
  const { deals, controller } = context.get(servicesContext);
  return { inspectionHours: deals.inspectionHours, controller };
}

/** The rules for sellers (as in `ShopTerms`, the dialog in My Shop) and for buyers. */
export default function Terms({ loaderData: { inspectionHours, controller } }: Route.ComponentProps) {
  return (
    <div className="page page--form stack">
      <PageHeader title="Terms of Service" lead={`The rules for everyone who uses ${brand.name}.`} />
      <h2>Your account</h2>
      <p>
        {brand.name} is for students, and for wholesalers with an access code. You must be {MIN_AGE} or older: a younger
        person&apos;s purchase or sale may not bind them in Kenya. Use your real name and your own email, and keep your
        password to yourself.
      </p>
      <h2>When you buy</h2>
      <p>
        You pay by M-Pesa, and we hold your money. Meet in a public place on campus and check the item. Your order page
        has a handover code: give it to the seller only when you have the item and it's fine, because we then pay the
        seller at once. We can't help with payments made outside {brand.name}.
      </p>
      <p>
        {inspectionHours > 0 ? (
          <>
            If the seller marks the item as delivered without your code, you can report a problem on the order page:
            with a thing for {checkText("thing", inspectionHours)}, with{" "}
            <TextLink to="/help/kinds">rooms, tickets, services and food</TextLink> for times of their own. After that,
            or when you say that everything is OK, we pay the seller.
          </>
        ) : (
          "If the seller marks the item as delivered without your code, we pay the seller then."
        )}{" "}
        If a thing hasn't arrived {periodText(HANDOVER_TERMS.thing.arrival)} after it was shipped, you can report that
        as a problem.
      </p>
      <p>
        You can cancel until you agree to the handover. After that, you can ask the seller to cancel. If they don't
        answer within {periodText(DEAL_HOURS.answerCancel)}, we cancel the item. We also cancel an item that isn't
        handed over or shipped within {withinText("thing")} of your payment. When an item is cancelled, you get all your
        money back. <TextLink to="/help/kinds">Rooms, tickets, services and food</TextLink> have times of their own.
      </p>
      <h2>When you sell</h2>
      <p>
        Sell only what is yours, describe it honestly, and keep the price you post. Message your buyer and hand the item
        over. When you enter the buyer's handover code, we send the money at once to the M-Pesa number in your profile.
        If you hand over only against the code, you're always paid. A service fee may be taken: we show it before you
        list, order or pay, and an order keeps the fee that it was placed with.
      </p>
      <p>
        Without the code, mark the item as delivered only when the buyer has it.{" "}
        {inspectionHours > 0 && (
          <>
            We pay you when the buyer says that everything is OK, or when the time to report a problem is over: for a
            thing {periodText(inspectionHours)}, or {periodText(2 * inspectionHours)} until you have sold to{" "}
            {NEW_SELLER_BUYERS} different buyers, for items above {formatKes(UNVERIFIED_LIMIT)} while you aren't
            verified, and for 24 hours after your M-Pesa number changes;{" "}
            <TextLink to="/help/kinds">rooms, tickets, services and food</TextLink> have times of their own.{" "}
          </>
        )}
        You can cancel a sale until you ship it.
      </p>
      <p>Taxes on what you earn are yours to pay.</p>
      <p>Paid plans run for the time you pay for and don't renew automatically.</p>
      <h2>What isn't allowed</h2>
      <p>
        Anything illegal or unsafe: stolen goods, weapons, drugs, exam leaks, fakes sold as originals. Rooms of
        university halls, and work that somebody hands in as their own. Pretending to be someone else. Insults, threats
        and spam. Asking people to pay outside {brand.name}.
      </p>
      <h2>When something goes wrong</h2>
      <p>
        When a problem is reported, the money for the item stays with us until it's settled. The seller has{" "}
        {periodText(DEAL_HOURS.answerProblem)} to answer, and can give all the money back, offer a part, or say why they
        don't agree. If the seller doesn't agree or doesn't answer, or you two don't settle it within{" "}
        {periodText(DEAL_HOURS.agree)}, our team hears both sides and decides. We can take down listings and suspend
        accounts that break these rules, and we tell you why. Refunds go to the M-Pesa number that paid.
      </p>
      <h2>What we don't promise</h2>
      <p>
        Buyers and sellers trade with each other. We don't own or inspect the items, and we can't promise that the
        service is always available.
      </p>
      <h2>Leaving, and changes to these rules</h2>
      {controller.name !== "" && (
        <p>
          {brand.name} is run by {[controller.name, controller.address].filter((part) => part !== "").join(", ")}.
          Kenya&apos;s law holds, and nothing here takes away a right that it gives you.
        </p>
      )}
      <p>
        You can delete your account in Settings once all your payments and deliveries are complete. If these rules
        change, we update this page. Questions? <TextLink to="/support">Contact support</TextLink>. How we use your data
        is in the <TextLink to="/privacy">Privacy Policy</TextLink>.
      </p>
    </div>
  );
}
