import { listMarketPreview, type PreviewedProduct } from "#app/catalogue/browse/market-preview.server.ts";
import type { Services } from "#app/request/services.ts";

/**
 * A few real products for visitors; none where they cannot be read, because the form beside them must come all the
 * same.
 */
export async function loadMarketPreview({ db, log }: Pick<Services, "db" | "log">): Promise<PreviewedProduct[]> {
  try {
    return await listMarketPreview(db);
  } catch (error) {
    log({ event: "market_preview_failed", level: "error", error: String(error) });
    return [];
  }
}
