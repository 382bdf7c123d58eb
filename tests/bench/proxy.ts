/** Stands between a browser and the app, for what only a network shows. */
import { type IncomingMessage, request as ask, type RequestOptions } from "node:http";
import { createSecureServer, type Http2SecureServer } from "node:http2";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { runCommand, CommandError } from "#scripts/command.ts";
import { makeTemporaryFolder } from "#scripts/folders.ts";

/** What HTTP/2 forbids in an answer. */
const OF_ONE_CONNECTION = new Set(["connection", "keep-alive", "transfer-encoding"]);

/**
 * Calls `run` with an address at which the app speaks HTTP/2, as Cloudflare does. workerd speaks HTTP/1.1 alone, in
 * which a browser has six requests open at once. The certificate is nobody's, so the browser must not check it.
 */
export async function overHttp2<T>(target: string, run: (origin: string) => Promise<T>): Promise<T> {
  const server = createSecureServer({ ...(await makeCertificate()), allowHTTP1: true });
  server.on("request", (incoming, outgoing) => {
    const asked = ask(target, passedOn(incoming, target), (answer) => {
      const kept = Object.entries(answer.headers).filter(([name]) => !OF_ONE_CONNECTION.has(name));
      outgoing.writeHead(answer.statusCode ?? 502, Object.fromEntries(kept));
      answer.pipe(outgoing);
    });
    asked.on("error", () => outgoing.destroy());
    incoming.pipe(asked);
  });
  server.on("upgrade", (incoming: IncomingMessage, socket: Duplex) => connect(incoming, socket, target));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  try {
    return await run(`https://localhost:${(server.address() as AddressInfo).port}`);
  } finally {
    await stop(server);
  }
}

/** @throws CommandError where the machine has no openssl */
async function makeCertificate(): Promise<{ key: Buffer; cert: Buffer }> {
  const folder = makeTemporaryFolder();
  const [key, cert] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const args = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"];
  const made = await runCommand("openssl", [...args, "-keyout", key, "-out", cert]);
  if (!made.ok) throw new CommandError(`The certificate can't be made: ${made.output}`);
  return { key: readFileSync(key), cert: readFileSync(cert) };
}

function stop(server: Http2SecureServer): Promise<void> {
  return new Promise((done) => server.close(() => done()));
}

/** The browser's request, as if the app had been asked directly. */
export function passedOn(
  { method, url, headers }: Pick<IncomingMessage, "method" | "url" | "headers">,
  target: string,
): RequestOptions {
  const { host } = new URL(target);
  // HTTP/2 has the method and the path among its headers.
  const named = Object.entries(headers).filter(([name]) => !name.startsWith(":"));
  return {
    method,
    path: url,
    headers: { ...Object.fromEntries(named), host, ...(headers.origin && { origin: target }) },
  };
}

/** Passes the live connection on. Its few bytes aren't counted. */
export function connect(incoming: IncomingMessage, socket: Duplex, target: string): void {
  const upgrade = ask(target, passedOn(incoming, target));
  upgrade.on("upgrade", (answer, upstream) => {
    const { rawHeaders } = answer;
    const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : []));
    socket.write(["HTTP/1.1 101 Switching Protocols", ...lines, "", ""].join("\r\n"));
    socket.on("error", () => upstream.destroy());
    upstream.on("error", () => socket.destroy());
    upstream.pipe(socket).pipe(upstream);
  });
  upgrade.on("response", () => socket.destroy());
  upgrade.on("error", () => socket.destroy());
  upgrade.end();
}
