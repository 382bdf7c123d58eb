import { isbot } from "isbot";
import { renderToReadableStream } from "react-dom/server.node";
import { type EntryContext, isRouteErrorResponse, type RouterContextProvider, ServerRouter } from "react-router";
import { AnswerContext } from "./ui/page/answer-context.ts";
import { loggedPath } from "#app/request/logged-path.ts";
import { requestContext, servicesContext } from "./request/context.ts";

export const streamTimeout = 5_000;

/**
 * Streams the document. Every inline script carries the request's nonce. Bots get the whole page at once, and so does
 * everybody whose page has no scripts, which React needs to put in what comes later. An answer other than 200 comes
 * whole, because it may be thrown away and asked for again (workers/http.ts): cancelling a render that goes on counts
 * as an error.
 */
export default async function handleRequest(
  request: Request,
  statusCode: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (request.method.toUpperCase() === "HEAD") return new Response(null, { status: statusCode, headers });

  const { publicPage, plain, ...info } = context.get(requestContext);
  const nonce = publicPage ? undefined : info.nonce;
  let status = statusCode;
  let shellRendered = false;
  const body = await renderToReadableStream(
    <AnswerContext value={{ nonce, publicPage, plain }}>
      <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
    </AnswerContext>,
    {
      nonce,
      // React would put a large part of the page in with a script. A page is whole without scripts, too.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      signal: AbortSignal.timeout(streamTimeout + 1000),
      onError(error) {
        status = 500;
        // Before the shell is sent, the error is thrown and logged by the caller.
        if (shellRendered)
          context.get(servicesContext).log({ event: "render_failed", level: "error", error: String(error) });
      },
    },
  );
  shellRendered = true;
  if (publicPage || plain || statusCode !== 200 || isbot(request.headers.get("User-Agent"))) await body.allReady;
  return new Response(body, { status, headers });
}

/**
 * Logs unexpected errors of loaders, actions and middleware with one line. The page shows a calm message. An answer of
 * the router's own below 500, as to a POST where there is no form, is the sender's mistake and no error of ours.
 */
export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
): void {
  if (request.signal.aborted) return;
  if (isRouteErrorResponse(error) && error.status < 500) return;
  const described =
    error instanceof Error
      ? { error: `${error.name}: ${error.message}`, cause: String(error.cause ?? ""), stack: error.stack }
      : { error: isRouteErrorResponse(error) ? `${error.status} ${String(error.data)}` : String(error) };
  context
    .get(servicesContext)
    .log({ event: "page_failed", level: "error", path: loggedPath(new URL(request.url).pathname), ...described });
}
