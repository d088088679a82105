import { api } from "./api.js";
import { fillOptions, part, setText } from "./elements.js";
import { Hold } from "./hold.js";
import { texts } from "./texts.js";

const answer = (text) => setText(part("answer"), text);

/** Whatever has been typed; the number of a take is for one take alone. */
function slate() {
  const values = {};
  for (const name of ["scene", "reel"]) if (part(name).value) values[name] = part(name).value;
  if (part("take").value) values.take = Number(part("take").value);
  part("take").value = "";
  return values;
}

/** What came of an order to all channels, in a line. */
function outcomeOfAll({ at, results }) {
  const failed = results.filter((result) => result.error);
  if (failed.length) return failed.map((result) => `${result.channel}: ${result.error.message}`).join("; ");
  if (!at) return texts.allDone(results.length);
  return texts.allBegun(results.length, at, Math.max(...results.map(({ start }) => Math.abs(start?.late ?? 0))));
}

/** Orders to the recorders, and the buttons that give them. */
export class Steering {
  constructor(state) {
    this.state = state;
    this.hold = new Hold(part("stop"), {
      subject: () => state.chosen,
      held: (channel) => this.stop(channel),
      pressed: (channel) => {
        part("confirm").dataset.channel = channel;
        part("confirm").showModal();
      },
    });
    this.listen();
  }

  listen() {
    part("start").addEventListener("click", () => this.start());
    part("split").addEventListener("click", () => this.split());
    part("standby").addEventListener("click", () =>
      this.order("standby", { isOn: !this.state.entry?.status.recorder?.standsBy }));
    part("confirm-stop").addEventListener("click", () => {
      part("confirm").close();
      this.stop(part("confirm").dataset.channel);
    });
    part("confirm-cancel").addEventListener("click", () => part("confirm").close());
    part("start-all").addEventListener("click", () => this.orderAll("start", slate()));
    part("stop-all").addEventListener("click", () => this.orderAll("stop"));
    part("mark-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.order("marker", { note: part("note").value });
      part("note").value = "";
    });
    part("slate").addEventListener("submit", (event) => event.preventDefault());
    part("preset").addEventListener("change", ({ target }) => {
      if (target.value) this.order("preset", { preset: target.value });
    });
  }

  async order(action, values, channel = this.state.chosen) {
    try {
      const reply = await api.order(channel, action, values);
      answer(reply.notes?.join("; ") || texts.done);
    } catch (error) {
      answer(error.message);
    }
  }

  async orderAll(action, values) {
    answer(texts.underWay);
    try {
      answer(outcomeOfAll(await api.orderAll(action, values)));
    } catch (error) {
      answer(error.message);
    }
  }

  start() {
    const at = part("at").value;
    part("at").value = "";
    // A browser leaves seconds out where they are none.
    return this.order("start", at ? { ...slate(), at: at.length === 5 ? `${at}:00` : at } : slate());
  }

  stop(channel) {
    return this.order("stop", {}, channel);
  }

  split() {
    return this.order("split");
  }

  async loadPresets() {
    const { presets } = await api.presets();
    fillOptions(part("preset"), [
      ["", texts.presetAsIs],
      ...presets.map(({ name, summary }) => [name, `${name}  ${summary}`]),
    ]);
  }
}
