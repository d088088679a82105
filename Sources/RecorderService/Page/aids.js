// Aids are made of the preview's 8 bits, on the page alone.

// The upper ends in percent of luma, and the color to show.
const FALSE_COLORS = [
  [2, [110, 40, 160]], [10, [30, 60, 200]], [38, null], [43, [50, 170, 70]], [52, null],
  [57, [240, 150, 170]], [78, null], [90, [235, 215, 60]], [97, [245, 140, 30]], [101, [225, 30, 30]],
];

/** Changes the picture on a canvas: false color, or a zebra on what is brighter than 95 %. */
export function paint(context, width, height, aids, phase) {
  if (!aids.has("falseColor") && !aids.has("zebra")) return;
  const pixels = context.getImageData(0, 0, width, height);
  const data = pixels.data;
  for (let place = 0; place < data.length; place += 4) {
    const luma = (0.2126 * data[place] + 0.7152 * data[place + 1] + 0.0722 * data[place + 2]) / 2.55;
    if (aids.has("falseColor")) {
      const color = FALSE_COLORS.find(([end]) => luma < end)?.[1];
      const gray = luma * 2.55;
      [data[place], data[place + 1], data[place + 2]] = color ?? [gray, gray, gray];
    } else if (luma >= 95) {
      const pixel = place / 4;
      const stripe = ((pixel % width) + Math.floor(pixel / width) + phase) % 12;
      if (stripe < 6) [data[place], data[place + 1], data[place + 2]] = [20, 20, 20];
    }
  }
  context.putImageData(pixels, 0, 0);
}

/** Draws frame lines. */
export function drawGuides(canvas, aids) {
  const { width, height } = canvas;
  const context = canvas.getContext("2d");
  context.clearRect(0, 0, width, height);
  context.strokeStyle = "rgb(255 255 255 / 80%)";
  context.lineWidth = 1.5;
  const box = (w, h) => context.strokeRect((width - w) / 2, (height - h) / 2, w, h);
  if (aids.has("safe")) {
    box(width * 0.93, height * 0.93);
    box(width * 0.9, height * 0.9);
  }
  if (aids.has("thirds")) {
    context.beginPath();
    for (const part of [1 / 3, 2 / 3]) {
      context.moveTo(width * part, 0);
      context.lineTo(width * part, height);
      context.moveTo(0, height * part);
      context.lineTo(width, height * part);
    }
    context.stroke();
  }
  if (aids.has("cinema")) box(width - 2, width / 2.39);
  if (aids.has("vertical")) box((height * 9) / 16, height - 2);
}
