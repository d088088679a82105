import { make, part } from "./elements.js";
import { texts } from "./texts.js";

const isTyping = (target) => ["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName);

/** The keys of the whole page, and the list of them. `choose` is told the name of a channel. */
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

  /** Does what a key stands for; whether it stands for anything. */
  press(event) {
    const key = event.key.toLowerCase();
    if (key === "s") {
      if (!event.repeat) this.steering.hold.begin(event.code);
    } else if (event.repeat) {
      return false;
    } else if (key === "r") {
      if (!part("start").disabled) this.steering.start();
    } else if (key === "l") {
      if (!part("split").disabled) this.steering.split();
    } else if (key === "m") {
      part("note").focus();
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
