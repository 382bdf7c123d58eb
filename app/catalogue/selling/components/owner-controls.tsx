import { type FormEvent, useState } from "react";
import { Link, useLocation } from "react-router";
import type { HiddenListing } from "#app/catalogue/products.server.ts";
import { shareableProduct } from "#app/catalogue/product/share-product.ts";
import { LISTING_TEXTS } from "#app/catalogue/selling/listing-texts.ts";
import { managePath, type ProductStatus, STATUS_LABELS } from "#app/catalogue/catalogue-rules.ts";
import { ConfirmDialog } from "#app/ui/layers/dialog.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { closeMenu, Menu, MenuItem } from "#app/ui/layers/menu.tsx";
import { useShareDialog } from "#app/ui/sharing/share-button.tsx";
import { useManageListing } from "./listing-changes.ts";
import { useListingState } from "./listing-state.ts";

/** What a seller can choose. */
const PRODUCT_STATUSES = ["active", "sold", "out_of_stock"] as const satisfies readonly ProductStatus[];

interface Owned {
  id: string;
  name: string;
  /** KES */
  price: number;
  status: ProductStatus;
  updatedAt?: number;
  /** Only its seller sees it, so it can't be shared. */
  hidden?: HiddenListing;
}

/** The menu on an owner's card: status, share, edit and delete. Belongs into `photo-card__corner`. */
export function OwnerMenu({ product }: { product: Owned }) {
  return (
    <OwnerActions
      product={product}
      className="photo-button"
      face={
        <span className="photo-button__face">
          <Icon name="ellipsis" />
        </span>
      }
    />
  );
}

interface OwnerActionsProps {
  product: Owned;
  className: string;
  face: React.ReactNode;
  onDeleted?: () => void;
}

/** The owner's menu: change the status, share, edit, delete. */
export function OwnerActions({ product, className, face, onDeleted }: OwnerActionsProps) {
  const { pathname, search } = useLocation();
  const { status, pending } = useListingState(product);
  const { setStatus, remove } = useManageListing(product);
  const [asking, setAsking] = useState(false);
  const shared = shareableProduct(product);
  const share = useShareDialog(shared);
  const editPath = `/product/${product.id}/edit`;

  function change(event: FormEvent): void {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    const to = submitter instanceof HTMLButtonElement && PRODUCT_STATUSES.find((known) => known === submitter.value);
    if (to) setStatus(to);
  }
  async function confirm(): Promise<void> {
    if (await remove()) onDeleted?.();
  }
  return (
    <>
      <Menu label={`Manage ${product.name}`} className={className} face={face}>
        <form method="post" action={managePath(product.id)} onSubmit={change}>
          <input type="hidden" name="intent" value="status" />
          {product.updatedAt !== undefined && <input type="hidden" name="seen" value={product.updatedAt} />}
          <input type="hidden" name="from" value={pathname + search} />
          {PRODUCT_STATUSES.map((choice) => (
            <MenuItem
              key={choice}
              type="submit"
              name="status"
              value={choice}
              disabled={pending || choice === status}
              current={choice === status}
            >
              {choice === status ? STATUS_LABELS[choice] : `Mark as ${STATUS_LABELS[choice]}`}
            </MenuItem>
          ))}
        </form>
        <hr className="menu__rule" />
        {!product.hidden && (
          <Link
            className="menu__item"
            to={shared.posterPath}
            onClick={(event) => {
              event.preventDefault();
              closeMenu(event.currentTarget);
              share.show();
            }}
          >
            <Icon name="share-2" />
            Share
          </Link>
        )}
        <Link className="menu__item" to={editPath} onClick={({ currentTarget }) => closeMenu(currentTarget)}>
          <Icon name="pencil" />
          Edit
        </Link>
        <Link
          className="menu__item menu__item--destructive"
          to={`${editPath}#delete`}
          onClick={(event) => {
            event.preventDefault();
            closeMenu(event.currentTarget);
            setAsking(true);
          }}
        >
          <Icon name="trash-2" />
          Delete Listing
        </Link>
      </Menu>
      {share.dialog}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Delete Listing"
        description={LISTING_TEXTS.delete_question}
        confirmLabel="Delete Listing"
        destructive
        onConfirm={() => void confirm()}
      />
    </>
  );
}
