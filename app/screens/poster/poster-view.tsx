import "./poster.css";
import { largestPath, type ShownImage } from "#app/catalogue/photos/image-sources.ts";
import { brand } from "#app/ui/page/brand.ts";
import { Button } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { formatPrice } from "#app/ui/money.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { QrCode } from "#app/ui/sharing/qr-code.tsx";
import { useScripted } from "#app/ui/browser/use-scripted.ts";
import { BrandMark } from "#app/ui/page/wordmark.tsx";
import type { PosterLink } from "./poster-link.server.ts";

interface PosterViewProps {
  /** The product's or the shop's. */
  name: string;
  /** KES; null for a shop. */
  price: number | null;
  campus: string | null;
  /** One photo fills the width; up to four stand in a grid. */
  photos: ShownImage[];
  link: PosterLink;
  /** What people find behind the code. */
  invitation: string;
  /** The page that the poster was opened from. */
  back: { to: string; label: string };
}

/** A page to print for a notice board: A4, black on white, with a QR code and a link to type. */
export function PosterView({ name, price, campus, photos, link, invitation, back }: PosterViewProps) {
  const scripted = useScripted();
  return (
    <div className="page page--reading stack poster-page">
      <PageHeader
        title="Print a Poster"
        lead="Put it up where students look, or save it as a PDF to send."
        back={back}
        actions={
          scripted && (
            <Button icon="printer" onClick={() => window.print()}>
              Print
            </Button>
          )
        }
      />
      <article className="poster" aria-label="Poster">
        <p className="poster__brand">
          <BrandMark />
          <strong>{brand.name}</strong> {brand.tagline}
        </p>
        {photos.length > 0 && (
          <div className="poster__photos">
            {photos.map((photo) => (
              <img key={photo.key} src={largestPath(photo)} alt="" />
            ))}
          </div>
        )}
        <div className="poster__words">
          <h2>{name}</h2>
          {price !== null && <p className="poster__price">{formatPrice(price)}</p>}
          {campus && (
            <p className="poster__campus">
              <Icon name="map-pin" />
              {campus}
            </p>
          )}
        </div>
        <div className="poster__link">
          <QrCode drawing={link.qr} label="QR code of the link" className="poster__qr" />
          <div>
            <p className="poster__invitation">{invitation}</p>
            <p>Scan the code, or type</p>
            <p>
              <a className="poster__address" href={link.url}>
                {link.shown}
              </a>
            </p>
          </div>
        </div>
      </article>
    </div>
  );
}
