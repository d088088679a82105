// Scopes are drawn from the gateway's counts of 10-bit samples. A level of a map is four codes:
// level 16 is black (64), level 235 nominal white (940).
const LEVELS = 256;

function prepare(canvas, width, height) {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const context = canvas.getContext("2d");
  context.globalCompositeOperation = "source-over";
  context.imageSmoothingEnabled = false;
  context.fillStyle = "#0b0d10";
  context.fillRect(0, 0, width, height);
  return context;
}

/** A map as an image, with the lowest level at the bottom. */
function image(context, map, [red, green, blue]) {
  const pixels = context.createImageData(map.width, map.height);
  for (let y = 0; y < map.height; y += 1) {
    const row = (map.height - 1 - y) * map.width;
    for (let x = 0; x < map.width; x += 1) {
      // Keep few samples visible beside many.
      const value = map.values[row + x] && 70 + (map.values[row + x] * 185) / 255;
      const place = 4 * (y * map.width + x);
      pixels.data[place] = (value * red) / 255;
      pixels.data[place + 1] = (value * green) / 255;
      pixels.data[place + 2] = (value * blue) / 255;
      pixels.data[place + 3] = value ? 255 : 0;
    }
  }
  const part = document.createElement("canvas");
  part.width = map.width;
  part.height = map.height;
  part.getContext("2d").putImageData(pixels, 0, 0);
  return part;
}

function line(context, color, points, isDashed = false) {
  context.strokeStyle = color;
  context.lineWidth = 1.5;
  context.setLineDash(isDashed ? [4, 4] : []);
  context.beginPath();
  points.forEach(([x, y], index) => (index ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.stroke();
  context.setLineDash([]);
}

/** The height of text in scope pixels, at least 12 CSS pixels on the screen. */
function wordHeight(canvas) {
  const shown = Math.min(canvas.clientWidth / canvas.width, canvas.clientHeight / canvas.height);
  return shown > 0 ? Math.max(18, Math.ceil(12 / shown)) : 18;
}

/** Lines at luma codes; solid at the limits of the legal range. */
function levelGraticule(context, width, height) {
  const size = wordHeight(context.canvas);
  context.font = `${size}px system-ui, sans-serif`;
  for (const code of [64, 283, 502, 721, 940]) {
    const y = height - (code / 1024) * height;
    const isLimit = code === 64 || code === 940;
    line(context, isLimit ? "#f5b83d" : "#4a5560", [[0, y], [width, y]], !isLimit);
    context.fillStyle = isLimit ? "#f5b83d" : "#a9b4bf";
    context.fillText(`${code}`, 4, code === 940 ? y + size : y - 5);
  }
}

export function drawWaveform(canvas, maps) {
  const context = prepare(canvas, 640, 512);
  if (maps.waveform) context.drawImage(image(context, maps.waveform, [190, 255, 200]), 0, 0, 640, 512);
  levelGraticule(context, 640, 512);
}

const PARADE = [
  ["parade-red", [255, 90, 80]],
  ["parade-green", [90, 255, 110]],
  ["parade-blue", [110, 150, 255]],
];

export function drawParade(canvas, maps) {
  const context = prepare(canvas, 640, 512);
  PARADE.forEach(([name, color], index) => {
    if (maps[name]) context.drawImage(image(context, maps[name], color), index * 214, 0, 212, 512);
  });
  levelGraticule(context, 640, 512);
}

/** The luma weights of red and blue for H.273's matrix code. */
function weights(color) {
  const matrix = Number((color ?? "").split("-")[2]);
  if (matrix === 5 || matrix === 6) return [0.299, 0.114];
  if (matrix === 7) return [0.212, 0.087];
  if (matrix === 9 || matrix === 10) return [0.2627, 0.0593];
  return [0.2126, 0.0722];
}

/** The target of a color of 75 % bars, as levels of blue and red difference. */
export function target(rgb, color) {
  const [kr, kb] = weights(color);
  const [r, g, b] = rgb.map((part) => 0.75 * part);
  const y = kr * r + (1 - kr - kb) * g + kb * b;
  return [128 + (224 * (b - y)) / (2 * (1 - kb)), 128 + (224 * (r - y)) / (2 * (1 - kr))];
}

export function drawVectorscope(canvas, maps, color) {
  const size = 2 * LEVELS;
  const context = prepare(canvas, size, size);
  line(context, "#4a5560", [[LEVELS, 0], [LEVELS, size]]);
  line(context, "#4a5560", [[0, LEVELS], [size, LEVELS]]);
  context.strokeStyle = "#4a5560";
  context.beginPath();
  context.arc(LEVELS, LEVELS, 224, 0, 2 * Math.PI);
  context.stroke();
  if (maps.vectorscope) {
    context.drawImage(image(context, maps.vectorscope, [200, 230, 255]), 0, 0, size, size);
  }
  context.font = `${wordHeight(canvas)}px system-ui, sans-serif`;
  const targets = { R: [1, 0, 0], Y: [1, 1, 0], G: [0, 1, 0], C: [0, 1, 1], B: [0, 0, 1], M: [1, 0, 1] };
  for (const [name, rgb] of Object.entries(targets)) {
    const [x, level] = target(rgb, color);
    context.strokeStyle = "#f5b83d";
    context.strokeRect(2 * x - 9, size - 2 * level - 9, 18, 18);
    context.fillStyle = "#f5b83d";
    context.fillText(name, 2 * x + 13, size - 2 * level + 6);
  }
}

export function drawHistogram(canvas, histogram) {
  const context = prepare(canvas, 512, 160);
  if (histogram) {
    const top = Math.sqrt(
      Math.max(1, ...histogram.luma, ...histogram.red, ...histogram.green, ...histogram.blue));
    context.globalCompositeOperation = "lighter";
    const parts = [
      [histogram.red, "rgb(170 40 40)"],
      [histogram.green, "rgb(30 130 50)"],
      [histogram.blue, "rgb(50 70 190)"],
    ];
    for (const [counts, color] of parts) {
      context.fillStyle = color;
      counts.forEach((count, level) => {
        const height = (Math.sqrt(count) / top) * 156;
        context.fillRect(2 * level, 160 - height, 2, height);
      });
    }
    context.globalCompositeOperation = "source-over";
    line(context, "#e8edf2", histogram.luma.map((count, level) => [2 * level + 1, 160 - (Math.sqrt(count) / top) * 156]));
  }
  for (const level of [16, 235]) line(context, "#f5b83d", [[2 * level, 0], [2 * level, 160]]);
}
