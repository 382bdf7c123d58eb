import { type PhotoServices } from "#app/catalogue/photos/photos.server.ts";
import { sweepPhotos } from "#app/catalogue/photos/sweep-photos.server.ts";
import { PROOF_SHOWS_PHOTO } from "#app/catalogue/serials/stolen-serials.server.ts";
import { PROBLEM_SHOWS_PHOTO } from "#app/deals/problems/problem-photos.server.ts";
import { MESSAGE_SHOWS_PHOTO } from "#app/messaging/photo-use.server.ts";
import { COPY_SHOWS_PHOTO } from "#app/moderation/photo-use.server.ts";
import { ORDER_SHOWS_PHOTO } from "#app/orders/photo-use.server.ts";
import { REVIEW_SHOWS_PHOTO } from "#app/reviews/photo-use.server.ts";

const USES = [
  COPY_SHOWS_PHOTO,
  ORDER_SHOWS_PHOTO,
  MESSAGE_SHOWS_PHOTO,
  PROBLEM_SHOWS_PHOTO,
  PROOF_SHOWS_PHOTO,
  REVIEW_SHOWS_PHOTO,
];

/** `sweepPhotos`, which asks every folder that shows photos. */
export function sweepUnusedPhotos(services: PhotoServices, untilMs?: number): ReturnType<typeof sweepPhotos> {
  return sweepPhotos(services, USES, untilMs);
}
