import { make, part, setText } from "./elements.js";
import { drawLoudness, drawMeters } from "./meters.js";
import { texts } from "./texts.js";

/** Audio levels and loudness of the chosen channel, as bars and in words. */
export class Levels {
  constructor() {
    this.saidAt = 0;
  }

  show(levels, loudness) {
    drawMeters(part("meters"), levels);
    drawLoudness(part("loudness-bar"), loudness);
    this.sayLoudness(loudness);
    // The bars change twenty times a second, too fast for text.
    const now = performance.now();
    if (now - this.saidAt < 1000) return;
    this.saidAt = now;
    this.sayLevels(levels);
  }

  clear() {
    setText(part("levels-text"), "");
    drawMeters(part("meters"), []);
    drawLoudness(part("loudness-bar"), null);
    this.sayLoudness(null);
  }

  sayLevels(levels) {
    const peaks = levels.map((level) => level.held).filter((value) => value != null);
    const clips = levels.reduce((sum, level) => sum + level.clips, 0);
    const loudest = peaks.length ? `${Math.max(...peaks).toFixed(1)} dBFS` : texts.silent;
    setText(
      part("levels-text"),
      texts.levelsText(loudest) + (clips ? `, ${texts.clipped(clips)}` : ""));
  }

  /** Loudness as text, in the order of EBU R128. */
  sayLoudness(loudness) {
    const words = texts.loudnessNames;
    const value = (number, unit) => (number == null ? texts.none : `${number.toFixed(1)} ${unit}`);
    const rows = [
      [words.momentary, value(loudness?.momentary, "LUFS")],
      [words.shortTerm, value(loudness?.shortTerm, "LUFS")],
      [words.integrated, value(loudness?.integrated, "LUFS")],
      [words.range, value(loudness?.range, "LU")],
      [words.truePeak, value(loudness?.truePeak, "dBTP")],
      [words.of, loudness ? texts.loudnessOf(loudness) : texts.none],
    ];
    const list = part("loudness");
    if (!list.children.length) {
      for (const [name] of rows) {
        const row = make("div");
        row.append(make("dt", name), make("dd"));
        list.append(row);
      }
    }
    list.querySelectorAll("dd").forEach((cell, index) => setText(cell, rows[index][1]));
  }
}
