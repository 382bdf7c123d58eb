import { brand } from "#app/ui/brand.ts";
import { PageHeader } from "#app/ui/page-header.tsx";
import { pageTitle } from "#app/ui/page-title.ts";
import { TextLink } from "#app/ui/text-link.tsx";

export function meta() {
  return [{ title: pageTitle("Privacy Policy") }];
}

export default function Privacy() {
  return (
    <div className="page page--form stack">
      <PageHeader title="Privacy Policy" lead={`What ${brand.name} knows about you, and what for.`} />
      <h2>What we keep</h2>
      <ul className="stack stack--tight" role="list">
        <li>
          Your account: name, email, phone, campus, and a scrambled form of your password that nobody can read back.
        </li>
        <li>The student ID or business document you upload, if you do.</li>
        <li>Your listings, photos, orders, messages, reports, cart and wishlist.</li>
        <li>Your M-Pesa payments: phone number, amount and receipt. We never see your PIN.</li>
        <li>
          For a short time, the network address of your device, so that nobody can guess passwords or flood the site.
        </li>
      </ul>
      <p>We show no ads, use no trackers and sell no data.</p>
      <h2>Who sees it</h2>
      <ul className="stack stack--tight" role="list">
        <li>Everybody who can see your listings sees your name and campus.</li>
        <li>Members see the email of sellers. The seller of an order sees what is needed to hand the item over.</li>
        <li>Only you and our team can open your documents. Our team reads reported conversations.</li>
        <li>
          Safaricom handles the payments, Cloudflare runs our servers, and an email service delivers our emails. Google
          takes part only if you log in with Google.
        </li>
      </ul>
      <h2>Cookies</h2>
      <p>
        We use cookies only to keep you logged in, to recognize a device you have logged in on, to show messages once,
        and to remember the theme.
      </p>
      <h2>How long</h2>
      <p>
        As long as you have an account. When you delete it in Settings, we erase your name, phone, documents and
        messages. Orders and payment records stay without your name, because the books have to stay complete.
      </p>
      <h2>Your rights</h2>
      <p>
        You can see and change your data in Settings, and <TextLink to="/support">ask us</TextLink> for the rest.
        Kenya's Data Protection Act gives you the right to see, correct and delete your data, and to complain to the
        Office of the Data Protection Commissioner. The rules of the marketplace are in the{" "}
        <TextLink to="/terms">Terms of Service</TextLink>.
      </p>
    </div>
  );
}
