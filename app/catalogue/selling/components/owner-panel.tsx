import type { HiddenListing } from "#app/catalogue/products.server.ts";
import type { Lowering } from "#app/catalogue/selling/lower-price-rules.ts";
import { SOLD_OUT } from "#app/catalogue/selling/listing-stock-rules.ts";
import type { ProductStatus } from "#app/catalogue/catalogue-rules.ts";
import { AskForPush } from "#app/notifications/components/ask-for-push.tsx";
import { buttonClass, LinkButton } from "#app/ui/button.tsx";
import { useLateNavigate } from "#app/ui/browser/use-late-navigate.ts";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { HiddenBadge } from "./hidden-listing.tsx";
import { ListingBadge } from "./listing-badge.tsx";
import { useListingState } from "./listing-state.ts";
import { LowerPrice } from "./lower-price.tsx";
import { OwnerActions } from "./owner-controls.tsx";
import { StockStepper } from "./stock-stepper.tsx";

interface Owned {
  id: string;
  name: string;
  price: number;
  status: ProductStatus;
  stock: number | null;
  updatedAt?: number;
  hidden?: HiddenListing;
}

interface OwnerPanelProps {
  product: Owned;
  /** What "Tell those who saved it" would do; null where it can't be pressed now. */
  lowering: Lowering | null;
  /** The main button stands elsewhere. */
  isQuiet: boolean;
}

/** On the product's own page, instead of the buttons to buy it. */
export function OwnerPanel({ product, lowering, isQuiet }: OwnerPanelProps) {
  const navigate = useLateNavigate();
  const { status } = useListingState(product);
  return (
    <>
      <section className="card stack" aria-label="Your listing">
        <div className="row row--apart">
          <h2 className="owner-panel__title">This is your listing.</h2>
          {product.hidden ? (
            <HiddenBadge hidden={product.hidden} />
          ) : (
            <ListingBadge status={status} label={status === "active" || product.stock !== 0 ? null : SOLD_OUT} />
          )}
        </div>
        {status === "unconfirmed" && (
          <p>
            Buyers find it in no list, because you didn't say whether it is still available.{" "}
            <TextLink to="/myshop/still-available">Bring it back</TextLink>
          </p>
        )}
        <div className="row row--apart">
          <span>In stock</span>
          <StockStepper product={product} />
        </div>
        {lowering && <LowerPrice productId={product.id} lowering={lowering} />}
        <div className="sticky-bar">
          <OwnerActions
            product={product}
            className={buttonClass({ variant: "soft" }, "owner-panel__manage")}
            face={
              <>
                <Icon name="ellipsis" />
                Manage
              </>
            }
            onDeleted={() => navigate("/myshop", { replace: true })}
          />
          <LinkButton to={`/product/${product.id}/edit`} icon="pencil" variant={isQuiet ? "soft" : "solid"}>
            Edit
          </LinkButton>
        </div>
      </section>
      {product.status === "active" && !isQuiet && <AskForPush reason="listing" />}
    </>
  );
}
