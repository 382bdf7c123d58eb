import "./market-preview.css";
import { imageSources } from "#app/catalogue/photos/image-sources.ts";
import type { PreviewedProduct } from "#app/catalogue/browse/market-preview.server.ts";
import { FRONT_PATH, publicProductPath } from "#app/public-links.ts";
import { Icon } from "#app/ui/pictures/icon.tsx";
import type { IconName } from "#app/ui/pictures/icon-names.ts";
import { Photo } from "#app/ui/pictures/photo.tsx";
import { Price } from "#app/ui/price.tsx";

/** The hyphen in "M\u2011Pesa" is one at which no line breaks. */
const STEPS: readonly (readonly [IconName, string])[] = [
  ["smartphone", "Pay with M\u2011Pesa"],
  ["shield-check", "We hold the money"],
  ["package-check", "The seller is paid after handover"],
];

interface MarketPreviewProps {
  products: readonly PreviewedProduct[];
}

/** What Chuoni is, for somebody who has never heard of it: a few things for sale, and how paying works. */
export function MarketPreview({ products }: MarketPreviewProps) {
  return (
    <section className="market-preview" aria-labelledby="market-preview">
      <div className="section-head">
        <h2 className="market-preview__title" id="market-preview">
          Buy and sell on your campus
        </h2>
        <a className="section-head__link" href={FRONT_PATH}>
          See what's new
        </a>
      </div>
      {products.length > 0 && (
        <ul className="market-preview__products" role="list">
          {products.map(({ id, name, price, image }) => (
            <li key={id}>
              <a className="market-preview__product" href={publicProductPath({ id, name })}>
                <span className="market-preview__photo">
                  <Photo {...imageSources(image, "(max-width: 768px) 22vw, 120px")} alt="" fill />
                </span>
                <Price amount={price} />
                <span className="market-preview__name">{name}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
      <ol className="market-preview__steps" aria-label="How paying works">
        {STEPS.map(([icon, text]) => (
          <li key={icon} className="market-preview__step">
            <Icon name={icon} />
            {text}
          </li>
        ))}
      </ol>
    </section>
  );
}
