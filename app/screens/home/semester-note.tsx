import type { SemesterOffer } from "#app/accounts/profile/semester.ts";
import { LinkButton } from "#app/ui/button.tsx";

/** What the end or the beginning of the semester is good for: the things of the campus, and selling one's own. */
export function SemesterNote({ offer }: { offer: SemesterOffer | null }) {
  if (!offer) return null;
  return (
    <section className="newest card stack" aria-label="The semester">
      <p>{offer.text}</p>
      <div className="row">
        <LinkButton to={offer.list.to} variant="soft" size="small">
          {offer.list.label}
        </LinkButton>
        {offer.sells && (
          <LinkButton to="/add-product" variant="soft" size="small">
            Sell What You Leave
          </LinkButton>
        )}
      </div>
    </section>
  );
}
