// Frame lines, in shares of the picture, whatever shape its points have.

/** How wide and how high a frame of a ratio is, at most, in a picture that is `shape` times as wide as high. */
function fit(ratio, shape) {
  return ratio >= shape ? [1, shape / ratio] : [ratio / shape, 1];
}

/** Boxes, each of its width and height around the middle, and places of lines across both axes. */
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
 * `shape` is width to height of the picture as it is seen, desqueezed; `seen` the stretch of it that fills the
 * canvas, in shares: frame lines are of the picture, and not of the stretch.
 */
export function drawGuides(canvas, aids, shape, seen = { x: 0, y: 0, width: 1, height: 1 }) {
  const { width, height } = canvas;
  const context = canvas.getContext("2d");
  context.clearRect(0, 0, width, height);
  context.strokeStyle = "rgb(255 255 255 / 80%)";
  context.lineWidth = 1.5;
  const across = (share) => ((share - seen.x) / seen.width) * width;
  const down = (share) => ((share - seen.y) / seen.height) * height;
  // A line on the very edge is seen, too.
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
