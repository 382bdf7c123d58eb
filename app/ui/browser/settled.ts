/** Loads something once the page has settled or when it is first needed. Only once, however often it is requested. */
import { registerWorker } from "./register-worker.ts";

export { Toaster } from "#app/ui/feedback/toaster.tsx";

registerWorker();
