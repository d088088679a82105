// 3D LUTs in .cube files (Adobe's Cube LUT specification 1.0), which stay in the page.
const LARGEST = 65;

/** Reads a LUT; throws an Error whose message is a key of `texts.lutErrors`. */
export function readCube(text) {
  let size = 0;
  const [low, high, values] = [[0, 0, 0], [1, 1, 1], []];
  for (const line of text.split(/\r?\n/)) {
    const words = line.trim().split(/\s+/);
    if (!words[0] || words[0].startsWith("#") || words[0] === "TITLE") continue;
    const numbers = words.map(Number);
    if (words[0] === "LUT_3D_SIZE") {
      size = numbers[1];
      if (!Number.isInteger(size) || size < 2 || size > LARGEST) throw new Error("lutSize");
    } else if (words[0] === "DOMAIN_MIN" || words[0] === "DOMAIN_MAX") {
      (words[0] === "DOMAIN_MIN" ? low : high).splice(0, 3, ...numbers.slice(1, 4));
    } else if (words[0] === "LUT_1D_SIZE") {
      throw new Error("lutOneDimension");
    } else if (words.length === 3 && numbers.every(Number.isFinite)) {
      values.push(...numbers);
      if (values.length > 3 * LARGEST ** 3) throw new Error("lutDamaged");
    } else {
      throw new Error("lutDamaged");
    }
  }
  const isDomain = low.length === 3 && high.length === 3 && low.every((value, index) => value < high[index]);
  if (!size || values.length !== 3 * size ** 3 || !isDomain) throw new Error("lutDamaged");
  return { size, low, high, values: new Float32Array(values) };
}
