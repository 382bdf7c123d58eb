import { retainedTexts } from "#app/platform/retention-rules.ts";
import { brand } from "#app/ui/page/brand.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { TextLink } from "#app/ui/text-link.tsx";

export function meta() {
  return pageMeta("Privacy Policy");
}

export default function Privacy() {
  return (
    <div className="page page--form stack">
      <PageHeader title="Privacy Policy" lead={`What ${brand.name} knows about you, and why.`} />
      <h2>What we keep</h2>
      <ul className="stack stack--tight" role="list">
        <li>
          Your account: name, email, phone, campus, and a scrambled form of your password that nobody can read back. If
          you change your email, also a code made from the earlier one, from which nobody can read the address. If you
          have ever been an admin here, we keep such a code of that email for good.
        </li>
        <li>The student ID or business document, if you upload one.</li>
        <li>Your photo, listings and their photos, orders, meetings, messages, reviews, reports, cart and wishlist.</li>
        <li>Your M-Pesa payments: phone number, amount and receipt. We never see your PIN.</li>
        <li>
          The devices on which you turned on notifications: the browser&apos;s name, and the address that it gave us for
          them.
        </li>
        <li>
          For a short time, the network address of your device, to stop people from guessing passwords or flooding the
          site.
        </li>
      </ul>
      <p>We show no ads, use no trackers and sell no data.</p>
      <h2>Who sees it</h2>
      <ul className="stack stack--tight" role="list">
        <li>Anyone who can see your listings sees your name and campus.</li>
        <li>Members see the emails of sellers. The seller of an order sees what they need to hand the item over.</li>
        <li>
          Anyone can read the published reviews of sellers, and members those of buyers. They show only the first name
          of the person who wrote them.
        </li>
        <li>Only you and our team can open your documents. Our team reads reported conversations.</li>
        <li>
          Safaricom handles payments, Cloudflare runs our servers, and an email service delivers our emails. Google is
          involved only if you log in with Google. The maker of your browser delivers notifications to your device, and
          can&apos;t read them.
        </li>
      </ul>
      <h2>Cookies</h2>
      <p>
        We use cookies only to keep you logged in, to recognize a device you have logged in on, to show messages once,
        and to remember a few things: what you wanted to buy or ask while you log in (for an hour), your theme, your
        choice of Data saver, that your browser is too old for our scripts, which styles your browser has already
        loaded, and the email you sign up with until you have confirmed it.
      </p>
      <p>
        Where you stay logged in, your browser also keeps a copy of your latest orders with their handover codes, and of
        your open sales, so that you can read them without a connection. Logging out removes it.
      </p>
      <h2>How long we keep it</h2>
      <p>
        As long as you have an account. When you delete your account in Settings, we erase your name, phone, documents,
        messages and the words of your reviews. We keep orders and payment records without your name, because our
        accounts must stay complete. The buyer of something you sold can still read what you promised. Where our team
        has upheld a report, we also keep the codes made from your email and from the earlier ones.
      </p>
      <p>These go sooner:</p>
      <ul className="stack stack--tight" role="list">
        {retainedTexts()
          .filter(({ isPersonal }) => isPersonal)
          .map(({ what, period, since }) => (
            <li key={what}>
              {what}: {period} after {since}.
            </li>
          ))}
      </ul>
      <h2>Your rights</h2>
      <p>
        You can see, change and download your data in Settings, and <TextLink to="/support">ask us</TextLink> for the
        rest. Kenya's Data Protection Act gives you the right to see, correct and delete your data, and to complain to
        the Office of the Data Protection Commissioner. You can find the rules of the marketplace in the{" "}
        <TextLink to="/terms">Terms of Service</TextLink>.
      </p>
    </div>
  );
}
