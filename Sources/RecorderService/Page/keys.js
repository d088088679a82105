import { make, part, say } from "./elements.js";
import { texts } from "./texts.js";

const isTyping = (target) => ["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName);

/** The keyboard shortcuts, and the list of them. `choose` gets the name of a channel. */
export class Keys {
  constructor(state, steering, { choose }) {
    this.state = state;
    this.steering = steering;
    this.choose = choose;
    part("key-list").replaceChildren(
      ...texts.keyList.flatMap(([key, text]) => [make("dt", key), make("dd", text)]));
    part("help-button").addEventListener("click", () => part("help").showModal());
    part("help-close").addEventListener("click", () => part("help").close());
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector("dialog[open]")) return;
      if (this.press(event)) event.preventDefault();
    });
  }

  /** Does the work of an element, or says why that is not possible: a key cannot look disabled. */
  use(id, name, work) {
    if (!part(id).disabled) return work();
    say(texts.notNow(name, this.state.role === "operate" ? part("tally-word").textContent : texts.roleView));
  }

  /** Handles a key; returns whether it has a meaning. */
  press(event) {
    const key = event.key.toLowerCase();
    if (event.repeat) return key === "s";
    if (key === "s") {
      this.use("stop", texts.confirmStop.yes, () => this.steering.hold.begin(event.code));
    } else if (key === "r") {
      this.use("start", texts.start, () => this.steering.start());
    } else if (key === "l") {
      this.use("split", texts.split, () => this.steering.split());
    } else if (key === "m") {
      this.use("note", texts.mark, () => part("note").focus());
    } else if (key === "f") {
      part("picture").requestFullscreen?.();
    } else if (/^[1-9]$/.test(key)) {
      const name = [...this.state.channels.keys()][Number(key) - 1];
      if (name !== undefined) this.choose(name);
    } else {
      return false;
    }
    return true;
  }
}
