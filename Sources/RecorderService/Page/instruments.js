import { PAINTED } from "./aids.js";
import { fillToggles, make, part, setText } from "./elements.js";
import { readCube } from "./lut.js";
import { drawHistogram, drawParade, drawVectorscope, drawWaveform } from "./scopes.js";
import { texts } from "./texts.js";

const drawn = {
  waveform: (canvas, header, maps) => maps.waveform && drawWaveform(canvas, maps),
  parade: (canvas, header, maps) => maps["parade-red"] && drawParade(canvas, maps),
  vectorscope: (canvas, header, maps) =>
    maps.vectorscope && drawVectorscope(canvas, maps, header.color),
  histogram: (canvas, header) => header.histogram && drawHistogram(canvas, header.histogram),
};

const LARGEST_FILE = 16 << 20;

const scopeCanvases = () => part("scopes").querySelectorAll("canvas");
const aidButton = (name) => part("aid-choices").querySelector(`[data-name=${name}]`);

/**
 * The scopes of the chosen channel, and the choice of scopes, aids and a LUT. `scopesChanged` and `aidsChanged`
 * are called after a choice; the LUT goes to the painter.
 */
export class Instruments {
  constructor(state, painter, { scopesChanged, aidsChanged }) {
    this.state = state;
    this.painter = painter;
    this.scopesChanged = scopesChanged;
    fillToggles(part("scope-choices"), texts.scopeNames, state.scopes, () => this.layOutScopes());
    fillToggles(part("aid-choices"), texts.aidNames, state.aids, aidsChanged);
    // Until a LUT is loaded.
    aidButton("lut").disabled = true;
    if (!painter.isAvailable) {
      for (const name of PAINTED) aidButton(name).disabled = true;
      part("lut-file").disabled = true;
      setText(part("lut-answer"), texts.noGraphics);
    }
    painter.changed = () => setText(part("lut-answer"), painter.isAvailable ? "" : texts.graphicsLost);
    part("lut-file").addEventListener("change", ({ target }) => target.files[0] && this.takeLUT(target.files[0]));
  }

  layOutScopes() {
    part("scopes").replaceChildren(
      ...[...this.state.scopes].map((name) => {
        const figure = make("figure");
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = name === "vectorscope" ? [512, 512] : [640, 512];
        canvas.dataset.scope = name;
        canvas.setAttribute("role", "img");
        canvas.setAttribute("aria-label", texts.scopeNames[name]);
        figure.append(canvas, make("figcaption", texts.scopeNames[name]));
        return figure;
      }));
    this.scopesChanged();
  }

  show(header, maps) {
    // A frame requested without scopes has none.
    if (header.excess) this.state.excess = header.excess;
    for (const canvas of scopeCanvases()) drawn[canvas.dataset.scope](canvas, header, maps);
  }

  /** Marks scopes of an old frame as old, and removes its figures; returns whether there were any. */
  age(isOld) {
    part("scopes").classList.toggle("old", isOld);
    const goes = isOld && this.state.excess !== null;
    if (goes) this.state.excess = null;
    return goes;
  }

  clear() {
    this.state.excess = null;
    for (const canvas of scopeCanvases()) {
      canvas.getContext("2d").clearRect(0, 0, canvas.width, canvas.height);
    }
  }

  async takeLUT(file) {
    try {
      if (file.size > LARGEST_FILE) throw new Error("lutDamaged");
      this.painter.setTable(readCube(await file.text()));
      aidButton("lut").disabled = false;
      if (!this.state.aids.has("lut")) aidButton("lut").click();
      setText(part("lut-answer"), texts.lutTaken(file.name));
    } catch (error) {
      setText(part("lut-answer"), texts.lutErrors[error.message] ?? error.message);
    }
  }
}
