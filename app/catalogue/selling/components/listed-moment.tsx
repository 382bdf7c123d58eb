import { imageSources } from "#app/catalogue/photos/image-sources.ts";
import type { ProductDetail } from "#app/catalogue/product/product-page.server.ts";
import { shareableProduct } from "#app/catalogue/product/share-product.ts";
import { AskForPush } from "#app/notifications/components/ask-for-push.tsx";
import { buttonClass } from "#app/ui/button.tsx";
import { Moment } from "#app/ui/feedback/moment.tsx";
import { formatPrice } from "#app/ui/money.ts";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { Photo } from "#app/ui/pictures/photo.tsx";
import { whatsAppLink } from "#app/ui/sharing/share-texts.ts";

interface ListedMomentProps {
  title: string;
  product: Pick<ProductDetail, "id" | "name" | "price" | "images">;
  /** The address of the site, without a path. */
  origin: string;
}

/** The page of a listing that is live from now on. */
export function ListedMoment({ title, product, origin }: ListedMomentProps) {
  const shared = shareableProduct(product);
  return (
    <Moment
      kind="listed"
      title={<h2>{title}</h2>}
      sum={formatPrice(product.price)}
      sentence="Share it in the groups of your campus: that's where most things sell."
      photo={<Photo {...imageSources(product.images[0] ?? null, "140px")} alt="" fill />}
      action={
        <a
          className={buttonClass({})}
          href={whatsAppLink(shared, origin + shared.path)}
          target="_blank"
          rel="noreferrer"
        >
          <Icon name="share-2" />
          Share on WhatsApp
        </a>
      }
    >
      <AskForPush reason="listing" />
    </Moment>
  );
}
