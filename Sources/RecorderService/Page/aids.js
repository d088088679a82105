// Viewing aids are rendered in the page from the 8-bit preview, by the graphics processor if there
// is one.

// Upper limits in percent of luma, with the color to show; null for gray.
const FALSE_COLORS = [
  [2, [110, 40, 160]], [10, [30, 60, 200]], [38, null], [43, [50, 170, 70]], [52, null],
  [57, [240, 150, 170]], [78, null], [90, [235, 215, 60]], [97, [245, 140, 30]], [101, [225, 30, 30]],
];

/** Aids that change pixels. */
export const PAINTED = ["falseColor", "zebra", "peaking", "lut"];

const VERTICES = `#version 300 es
out vec2 place;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;
  place = vec2(corner.x, 1.0 - corner.y);
  gl_Position = vec4(corner * 2.0 - 1.0, 0, 1);
}`;

const POINTS = `#version 300 es
precision highp float;
precision highp sampler3D;
uniform sampler2D picture;
uniform sampler3D table;
uniform vec2 size;
uniform float phase;
uniform vec3 low, high;
uniform float tableSize;
uniform bool falseColor, zebra, peaking, lut;
uniform float ends[${FALSE_COLORS.length}];
uniform vec4 shades[${FALSE_COLORS.length}];
in vec2 place;
out vec4 color;

float luma(vec2 at) { return dot(texture(picture, at).rgb, vec3(0.2126, 0.7152, 0.0722)); }

float edge() {
  vec2 s = 1.0 / size;
  float a = luma(place + s * vec2(-1, -1)), b = luma(place + s * vec2(0, -1)), c = luma(place + s * vec2(1, -1));
  float d = luma(place + s * vec2(-1, 0)), f = luma(place + s * vec2(1, 0));
  float g = luma(place + s * vec2(-1, 1)), h = luma(place + s * vec2(0, 1)), i = luma(place + s * vec2(1, 1));
  return length(vec2(c + 2.0 * f + i - a - 2.0 * d - g, g + 2.0 * h + i - a - 2.0 * b - c));
}

void main() {
  vec3 shown = texture(picture, place).rgb;
  float y = luma(place);
  if (falseColor) {
    vec4 shade = vec4(0);
    for (int index = ${FALSE_COLORS.length - 1}; index >= 0; index--) if (y < ends[index]) shade = shades[index];
    shown = mix(vec3(y), shade.rgb, shade.a);
  } else if (lut) {
    vec3 at = clamp((shown - low) / (high - low), 0.0, 1.0);
    shown = texture(table, (at * (tableSize - 1.0) + 0.5) / tableSize).rgb;
  }
  // Zebra and peaking judge the image before the LUT is applied.
  if (zebra && !falseColor && y >= 0.95 && mod(floor(place.x * size.x) + floor(place.y * size.y) + phase, 12.0) < 6.0) {
    shown = vec3(20.0 / 255.0);
  }
  if (peaking && edge() > 0.35) shown = vec3(1.0, 0.1, 0.1);
  color = vec4(shown, 1);
}`;

/** Renders aids into images. If the graphics processor is lost or comes back, `changed` is called. */
export class Painter {
  constructor() {
    this.changed = () => {};
    this.cube = { size: 2, low: [0, 0, 0], high: [1, 1, 1], values: new Float32Array(24) };
    this.canvas = document.createElement("canvas");
    this.gl = this.canvas.getContext("webgl2", { antialias: false, preserveDrawingBuffer: true });
    this.isAvailable = Boolean(this.gl) && this.setUp();
    this.canvas.addEventListener("webglcontextlost", (event) => {
      // Without this, the context is never restored.
      event.preventDefault();
      this.isAvailable = false;
      this.changed();
    });
    this.canvas.addEventListener("webglcontextrestored", () => {
      this.isAvailable = this.setUp();
      this.changed();
    });
  }

  /** Creates everything on the graphics processor, also after it was lost; returns whether that worked. */
  setUp() {
    const { gl } = this;
    const program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, VERTICES], [gl.FRAGMENT_SHADER, POINTS]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
      console.warn("aids cannot be painted", gl.getProgramInfoLog(program));
      return false;
    }
    gl.useProgram(program);
    this.place = (name) => gl.getUniformLocation(program, name);
    gl.uniform1fv(this.place("ends"), FALSE_COLORS.map(([end]) => end / 100));
    gl.uniform4fv(
      this.place("shades"),
      FALSE_COLORS.flatMap(([, color]) => (color ? [...color.map((part) => part / 255), 1] : [0, 0, 0, 0])));
    gl.uniform1i(this.place("picture"), 0);
    gl.uniform1i(this.place("table"), 1);
    gl.activeTexture(gl.TEXTURE1);
    this.table = gl.createTexture();
    this.fillTable();
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    for (const [name, value] of [
      [gl.TEXTURE_MIN_FILTER, gl.NEAREST], [gl.TEXTURE_MAG_FILTER, gl.NEAREST],
      [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE],
    ]) gl.texParameteri(gl.TEXTURE_2D, name, value);
    return true;
  }

  /** Sets a 3D LUT, which is kept in case the graphics processor is lost and restored. */
  setTable(cube) {
    this.cube = cube;
    if (this.isAvailable) this.fillTable();
  }

  fillTable() {
    const { gl } = this;
    const { size, low, high, values } = this.cube;
    const points = new Float32Array(size ** 3 * 4).fill(1);
    for (let index = 0; index < size ** 3; index += 1) {
      points.set(values.subarray(3 * index, 3 * index + 3), 4 * index);
    }
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_3D, this.table);
    gl.texImage3D(gl.TEXTURE_3D, 0, gl.RGBA16F, size, size, size, 0, gl.RGBA, gl.FLOAT, points);
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_3D, name, gl.LINEAR);
    for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T, gl.TEXTURE_WRAP_R]) {
      gl.texParameteri(gl.TEXTURE_3D, name, gl.CLAMP_TO_EDGE);
    }
    gl.uniform3fv(this.place("low"), low);
    gl.uniform3fv(this.place("high"), high);
    gl.uniform1f(this.place("tableSize"), size);
    gl.activeTexture(gl.TEXTURE0);
  }

  /** Returns the image with its aids, or the image itself if none are active. */
  paint(bitmap, aids, phase) {
    if (!this.isAvailable || !PAINTED.some((name) => aids.has(name))) return bitmap;
    const { gl, canvas } = this;
    if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
      [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
      gl.viewport(0, 0, bitmap.width, bitmap.height);
    }
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, bitmap);
    gl.uniform2f(this.place("size"), bitmap.width, bitmap.height);
    gl.uniform1f(this.place("phase"), phase % 12);
    for (const name of PAINTED) gl.uniform1i(this.place(name), aids.has(name) ? 1 : 0);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    return canvas;
  }
}
