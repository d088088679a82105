// Frame lines, in shares of the image, whatever its pixel aspect ratio.

/** The largest width and height of a frame with an aspect ratio, in an image whose aspect ratio is `shape`. */
function fit(ratio, shape) {
  return ratio >= shape ? [1, shape / ratio] : [ratio / shape, 1];
}

/** Boxes, as width and height around the center, and the positions of lines across both axes. */
export function guideLines(aids, shape) {
  const boxes = [];
  if (aids.has("safe")) boxes.push([0.93, 0.93], [0.9, 0.9]);
  if (aids.has("cinema")) boxes.push(fit(2.39, shape));
  if (aids.has("vertical")) boxes.push(fit(9 / 16, shape));
  return { boxes, lines: aids.has("thirds") ? [1 / 3, 2 / 3] : [] };
}

/**
 * Draws frame lines.
 *
 * `shape` is the aspect ratio of the displayed image, desqueezed; `seen` the region of it that fills the canvas,
 * in shares, because frame lines refer to the whole image.
 */
export function drawGuides(canvas, aids, shape, seen = { x: 0, y: 0, width: 1, height: 1 }) {
  const { width, height } = canvas;
  const context = canvas.getContext("2d");
  context.clearRect(0, 0, width, height);
  context.strokeStyle = "rgb(255 255 255 / 80%)";
  context.lineWidth = 1.5;
  const across = (share) => ((share - seen.x) / seen.width) * width;
  const down = (share) => ((share - seen.y) / seen.height) * height;
  // Keep a line on the very edge visible.
  const inside = (place, side) => (Math.abs(place) < 1 ? 1 : Math.abs(place - side) < 1 ? side - 1 : place);
  const { boxes, lines } = guideLines(aids, shape);
  for (const [w, h] of boxes) {
    const [left, right] = [(1 - w) / 2, (1 + w) / 2].map((share) => inside(across(share), width));
    const [top, bottom] = [(1 - h) / 2, (1 + h) / 2].map((share) => inside(down(share), height));
    context.strokeRect(left, top, right - left, bottom - top);
  }
  context.beginPath();
  for (const share of lines) {
    context.moveTo(across(share), 0);
    context.lineTo(across(share), height);
    context.moveTo(0, down(share));
    context.lineTo(width, down(share));
  }
  context.stroke();
}
