import { useFetcher } from "react-router";
import { CountBadge, FeaturedMark, StatusBadge } from "#app/ui/badge.tsx";
import { DayChart } from "#app/ui/charts/day-chart.tsx";
import { Chip, ChipLink, ChipRow } from "#app/ui/chip.tsx";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { Badge } from "#app/ui/label-badge.tsx";
import { Marked } from "#app/ui/marked.tsx";
import { MoreLink } from "#app/ui/more-link.tsx";
import { BackButton } from "#app/ui/page/back-button.tsx";
import { Breadcrumbs } from "#app/ui/page/breadcrumbs.tsx";
import { TabLinks } from "#app/ui/page/tabs.tsx";
import { Wordmark } from "#app/ui/page/wordmark.tsx";
import { Avatar } from "#app/ui/pictures/avatar.tsx";
import { Photo } from "#app/ui/pictures/photo.tsx";
import { Price } from "#app/ui/price.tsx";
import { PhotoCard, ProductGrid, ProductGridSkeleton } from "#app/ui/product-grid.tsx";
import { Rating } from "#app/ui/rating.tsx";
import { Steps } from "#app/ui/steps.tsx";
import { SummaryRows } from "#app/ui/summary-rows.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { formatKes } from "#app/ui/money.ts";
import { TONES } from "#app/ui/tone.ts";
import { Row, Sample } from "./sample-parts.tsx";

const HERE = "/sandbox/components";

export function TypeSamples() {
  return (
    <Sample name="Type">
      <Wordmark to={HERE} />
      <h2>Heading, 20 px</h2>
      <h3>Heading within a part, 16 px</h3>
      <p>Text, 16 px. A screen&apos;s title has 28 px, as above.</p>
      <p className="small quiet">What stands beside the text, 14 px.</p>
      <p>
        <TextLink to={HERE}>A link within text</TextLink>, <strong>strong words</strong>,{" "}
        <Marked text="words that were searched for" pattern="(searched)" />, and an email:{" "}
        <EmailAddress address="support@chuoni.test" />
      </p>
    </Sample>
  );
}

export function FactSamples() {
  return (
    <Sample name="Facts">
      <Row>
        {TONES.map((tone) => (
          <StatusBadge key={tone} tone={tone}>
            {tone}
          </StatusBadge>
        ))}
      </Row>
      <Row>
        {TONES.map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
        <FeaturedMark />
      </Row>
      <Row>
        <Chip>Used - Good</Chip>
        <Chip>Main Campus</Chip>
        <CountBadge count={4} />
        <CountBadge count={120} />
        <Rating rating={{ average: 4.8, count: 12 }} />
      </Row>
      <Row>
        <Avatar name="Achieng" url={null} />
        <Avatar name="Kanga Corner" url="/art/campus.webp" />
      </Row>
      <Row>
        <Price amount={1500} />
        <Price amount={1500} original={2000} />
        <Price amount={0} />
      </Row>
      <Price amount={1500} original={2000} large />
      <Steps label="Order" steps={["Confirmed", "Processing", "Shipped", "Delivered"]} current={1} />
      <SummaryRows
        rows={[
          { label: "Waiting", value: formatKes(1500) },
          { label: "Paid", value: formatKes(52_000) },
          { label: "All", value: formatKes(53_500), total: true },
        ]}
      />
      <DayChart
        title="Views by day"
        label="Views by day: 56 in 7 days"
        days={[3, 8, 12, 5, 9, 14, 5].map((value, at) => ({ day: 20_786 + at, value, before: (5 * value) % 11 }))}
        write={String}
      />
    </Sample>
  );
}

export function ListSamples() {
  const more = useFetcher();
  return (
    <Sample name="Ways, cards and rows">
      <BackButton otherwise={HERE} />
      <Breadcrumbs crumbs={[{ name: "Home", path: "/home" }]} current="Electronics" />
      <TabLinks
        label="Tabs"
        tabs={[
          { to: HERE, label: "Listings", current: true },
          { to: HERE, label: "Orders", current: false, mark: <CountBadge count={2} /> },
        ]}
      />
      <ChipRow label="Choices">
        <ChipLink to={HERE}>Current</ChipLink>
        <ChipLink to="/category/electronics">Electronics</ChipLink>
        <ChipLink to="/category/fashion">Fashion</ChipLink>
      </ChipRow>
      <div className="card stack stack--tight">
        <div className="section-head">
          <h3>A card</h3>
          <TextLink to={HERE}>See All</TextLink>
        </div>
        <p>It groups what belongs together. A card never stands in a card.</p>
      </div>
      <ProductGrid label="Products">
        <PhotoCard
          to={HERE}
          name="Desk lamp with two arms"
          shape="square"
          level={3}
          photo={<Photo alt="" fill />}
          price={<Price amount={1500} original={2000} />}
          note="Bright, and easy to carry"
          fact="Used - Good"
          moreFacts={["Main Campus", "New seller"]}
          badge={<FeaturedMark />}
        />
        <PhotoCard
          to={HERE}
          name="Kettle"
          shape="tall"
          level={3}
          photo={<Photo alt="" fill />}
          price={<Price amount={0} />}
          fact="New"
        />
      </ProductGrid>
      <ProductGridSkeleton count={2} />
      <Row>
        <MoreLink to={HERE} fetcher={more} />
      </Row>
    </Sample>
  );
}
