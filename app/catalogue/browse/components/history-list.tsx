import { useState } from "react";
import { forgetHistory, readHistory } from "#app/catalogue/browse/browsing-history.ts";
import { cardSources } from "#app/catalogue/photos/image-sources.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { formatDate } from "#app/ui/dates.ts";
import { Photo } from "#app/ui/pictures/photo.tsx";
import { Price } from "#app/ui/price.tsx";
import { PhotoCard, photoShape, ProductGrid, ProductGridSkeleton } from "#app/ui/product-grid.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { Unscripted } from "#app/ui/feedback/unscripted.tsx";
import { useScripted } from "#app/ui/browser/use-scripted.ts";

/** What the viewer looked at on this device. The server doesn't know it. */
export function HistoryList() {
  // Read after the page has loaded, because the server can't render what it doesn't know.
  if (useScripted()) return <Viewed />;
  return (
    <>
      <div className="scripted">
        <ProductGridSkeleton />
      </div>
      <Unscripted>
        <EmptyState
          icon="clock"
          title="Your browsing history isn't here"
          sentence="Only your device keeps it, and it needs scripts. They are off in this browser."
        />
      </Unscripted>
    </>
  );
}

function Viewed() {
  const [viewed, setViewed] = useState(readHistory);
  if (viewed.length === 0) {
    return (
      <EmptyState
        icon="clock"
        title="Your browsing history will appear here"
        action={<LinkButton to="/studentmarketplace">Start Shopping</LinkButton>}
      />
    );
  }
  function clear() {
    forgetHistory();
    setViewed([]);
  }
  return (
    <section className="stack" aria-labelledby="history">
      <div className="row row--apart">
        <h2 id="history" className="visually-hidden">
          History
        </h2>
        <p className="quiet small">Kept only on this device.</p>
        <Button variant="ghost" icon="trash-2" onClick={clear}>
          Clear
        </Button>
      </div>
      <ProductGrid label="Products you viewed">
        {viewed.map((product, index) => (
          <PhotoCard
            key={product.id}
            level={3}
            discover={index === 0}
            to={`/product/${product.id}`}
            name={product.name}
            shape={photoShape(product.image?.width, product.image?.height)}
            photo={<Photo {...cardSources(product.image)} alt="" bare />}
            price={<Price amount={product.price} />}
            fact={`Viewed ${formatDate(product.viewedAt)}`}
          />
        ))}
      </ProductGrid>
    </section>
  );
}
