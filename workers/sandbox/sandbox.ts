import { DurableObject } from "cloudflare:workers";
export class Desk extends DurableObject {}
export default { async fetch(r: Request) { return new Response("sandbox " + new URL(r.url).pathname); } };
