import { brand } from "#app/ui/brand.ts";
import { PageHeader } from "#app/ui/page-header.tsx";
import { pageTitle } from "#app/ui/page-title.ts";
import { TextLink } from "#app/ui/text-link.tsx";

export function meta() {
  return [{ title: pageTitle("Terms of Service") }];
}

/** The rules for sellers (as in `ShopTerms`, the dialog in My Shop) and for buyers. */
export default function Terms() {
  return (
    <div className="page page--form stack">
      <PageHeader title="Terms of Service" lead={`The rules for everyone who uses ${brand.name}.`} />
      <h2>Your account</h2>
      <p>
        {brand.name} is for students, and for wholesalers with an access code. Use your real name and your own email,
        and keep your password to yourself.
      </p>
      <h2>When you buy</h2>
      <p>
        You pay by M-Pesa. We hold your money until the seller marks the item as delivered, and then send it to the
        seller. Meet in a public place on campus and check the item. If something is wrong, report it on the order page.
        We can't help with payments made outside {brand.name}.
      </p>
      <h2>When you sell</h2>
      <p>
        Sell only what is yours, describe it honestly, and keep the price you post. Message your buyer, hand the item
        over, and mark it as delivered only when the buyer has it. We then send the money to the M-Pesa number in your
        profile. Paid plans run for the time you pay for and don't renew automatically.
      </p>
      <h2>What isn't allowed</h2>
      <p>
        Anything illegal or unsafe: stolen goods, weapons, drugs, exam leaks, fakes sold as originals. Pretending to be
        someone else. Insults, threats and spam. Asking people to pay outside {brand.name}.
      </p>
      <h2>When something goes wrong</h2>
      <p>
        Our team hears both sides before it decides. We can take down listings and suspend accounts that break these
        rules, and we tell you why. Refunds go to the M-Pesa number that paid.
      </p>
      <h2>What we don't promise</h2>
      <p>
        Buyers and sellers trade with each other. We don't own or inspect the items, and we can't promise that the
        service is always available.
      </p>
      <h2>Leaving, and changes to these rules</h2>
      <p>
        You can delete your account in Settings once all your payments and deliveries are complete. If these rules
        change, we update this page. Questions? <TextLink to="/support">Contact support</TextLink>. How we use your data
        is in the <TextLink to="/privacy">Privacy Policy</TextLink>.
      </p>
    </div>
  );
}
