import sharp from "sharp";

/** Writes a photo as a phone takes it, large and turned, and returns its path. */
export async function takePhoto(path: string, background: string): Promise<string> {
  const photo = sharp({ create: { width: 2400, height: 1800, channels: 3, background } });
  await photo.withMetadata({ orientation: 6 }).jpeg().toFile(path);
  return path;
}
