/** What a page fetches once it has settled, or when it first says something: once, however often it is asked for. */
import { registerWorker } from "./register-worker.ts";

export { Toaster } from "./toaster.tsx";

registerWorker();
