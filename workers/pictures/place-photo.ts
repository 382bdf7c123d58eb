/** A rectangle in whole px. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** At least so much of a photo is shown. A photo that is longer than that is shown whole, with a border. */
const SHOWN_MIN = 0.6;

/**
 * Where a photo goes: the part `from` of it fills `to`. It is cropped around its middle to fill the box, unless that
 * would hide too much. Then it stands whole in the middle of the box.
 */
export function placePhoto(photo: { width: number; height: number }, box: Box): { from: Box; to: Box } {
  const cover = Math.max(box.width / photo.width, box.height / photo.height);
  const from = {
    width: Math.min(photo.width, Math.max(1, Math.round(box.width / cover))),
    height: Math.min(photo.height, Math.max(1, Math.round(box.height / cover))),
  };
  if ((from.width * from.height) / (photo.width * photo.height) >= SHOWN_MIN)
    return {
      from: { ...from, x: Math.floor((photo.width - from.width) / 2), y: Math.floor((photo.height - from.height) / 2) },
      to: box,
    };
  const contain = Math.min(box.width / photo.width, box.height / photo.height);
  const width = Math.max(1, Math.round(photo.width * contain));
  const height = Math.max(1, Math.round(photo.height * contain));
  return {
    from: { x: 0, y: 0, width: photo.width, height: photo.height },
    to: {
      x: box.x + Math.floor((box.width - width) / 2),
      y: box.y + Math.floor((box.height - height) / 2),
      width,
      height,
    },
  };
}
