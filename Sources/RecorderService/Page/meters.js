const FLOOR = -60;
// The "EBU +9" scale of Tech 3341: 0 LU is the target, -23 LUFS.
const TARGET = -23;
const [SCALE_LOW, SCALE_HIGH] = [-18, 9];
const share = (level) => Math.max(0, Math.min(1, 1 - (level ?? FLOOR) / FLOOR));

/** The minimum size of text. */
const FONT = "12px system-ui, sans-serif";

/**
 * Gives a canvas one pixel for each device pixel, so that text has the same size on a phone as on a desktop.
 * Drawing then uses CSS pixels; returns the width in these.
 */
function fit(canvas, height) {
  const scale = devicePixelRatio || 1;
  const width = canvas.clientWidth || 640;
  const size = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
  const context = canvas.getContext("2d");
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.fillStyle = "#0b0d10";
  context.fillRect(0, 0, width, height);
  return { context, width };
}

/** Writes a mark centered below a position, but inside the canvas. */
function write(context, text, place, width, y) {
  const half = context.measureText(text).width / 2;
  context.fillText(text, Math.max(0, Math.min(width - 2 * half, place - half)), y);
}

/** Draws a bar for each channel: RMS, peak, held peak, and a mark if full scale was reached. */
export function drawMeters(canvas, levels) {
  const bar = levels.length > 8 ? 8 : 14;
  const height = Math.max(24, levels.length * (bar + 2)) + 16;
  const { context, width: whole } = fit(canvas, height);
  const width = whole - 16;
  levels.forEach((level, index) => {
    const y = index * (bar + 2);
    const end = share(level.peak) * width;
    const parts = [[-60, -20, "#2fa35a"], [-20, -9, "#d9b233"], [-9, 0, "#e0452f"]];
    for (const [from, to, color] of parts) {
      const [first, last] = [share(from) * width, Math.min(share(to) * width, end)];
      if (last <= first) continue;
      context.fillStyle = color;
      context.fillRect(first, y, last - first, bar);
    }
    context.fillStyle = "rgb(255 255 255 / 35%)";
    context.fillRect(0, y + bar / 2 - 1, share(level.rms) * width, 2);
    if (level.held != null) {
      context.fillStyle = "#fff";
      context.fillRect(share(level.held) * width - 1, y, 2, bar);
    }
    if (level.clips > 0) {
      context.fillStyle = "#ff3b30";
      context.fillRect(width + 3, y, 12, bar);
    }
  });
  context.fillStyle = "#a9b4bf";
  context.font = FONT;
  for (const mark of [-40, -20, -9, 0]) {
    write(context, `${mark}`, share(mark) * width, whole, height - 3);
  }
}

/** Draws momentary loudness as a bar, with lines for short-term loudness and the target. */
export function drawLoudness(canvas, loudness) {
  const height = 34;
  const { context, width } = fit(canvas, height);
  const bar = height - 16;
  const place = (lufs) =>
    width * Math.max(0, Math.min(1, (lufs - TARGET - SCALE_LOW) / (SCALE_HIGH - SCALE_LOW)));
  if (loudness?.momentary != null) {
    context.fillStyle = "#2fa35a";
    context.fillRect(0, 0, place(Math.min(loudness.momentary, TARGET)), bar);
    context.fillStyle = "#d9b233";
    context.fillRect(place(TARGET), 0, Math.max(0, place(loudness.momentary) - place(TARGET)), bar);
  }
  if (loudness?.shortTerm != null) {
    context.fillStyle = "#fff";
    context.fillRect(place(loudness.shortTerm) - 1, 0, 3, bar);
  }
  context.fillStyle = "rgb(255 255 255 / 60%)";
  context.fillRect(place(TARGET), 0, 1, bar);
  context.fillStyle = "#a9b4bf";
  context.font = FONT;
  for (const mark of [-15, -9, 0, 6]) {
    write(context, mark > 0 ? `+${mark} LU` : `${mark} LU`, place(TARGET + mark), width, height - 3);
  }
}
