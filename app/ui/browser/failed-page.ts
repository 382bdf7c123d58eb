/** A further page of a list that couldn't be loaded: the connection or the server failed. */
export interface FailedPage {
  failed: true;
}

export function isFailedPage(page: object | undefined): page is FailedPage {
  return page !== undefined && "failed" in page;
}
