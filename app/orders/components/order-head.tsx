import "./order-page.css";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { imageSources, type ShownImage } from "#app/catalogue/photos/image-sources.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { Photo } from "#app/ui/pictures/photo.tsx";

interface OrderHeadProps {
  title: string;
  /** The only thing that it is about; null for several. */
  thing: { productId: string; image: ShownImage | null; removed: number } | null;
  /** The sum, and who the other side is. */
  lead: ReactNode;
  /** The order's number, its day and status. */
  small: ReactNode;
  back: { to: string; label: string };
}

/** The head of an order or a sale: what it is about, with its photo. */
export function OrderHead({ title, thing, lead, small, back }: OrderHeadProps) {
  const photo = thing && <Photo {...imageSources(thing.image, "96px")} alt="" fill />;
  return (
    <>
      <PageHeader
        title={title}
        back={back}
        lead={lead}
        actions={
          thing?.removed === 0 ? (
            <Link className="order-head__photo" to={`/product/${thing.productId}`} aria-label={`See ${title}`}>
              {photo}
            </Link>
          ) : (
            photo && <span className="order-head__photo">{photo}</span>
          )
        }
      />
      <p className="order-head__small">{small}</p>
    </>
  );
}
