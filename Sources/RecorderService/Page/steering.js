import { api } from "./api.js";
import { fillOptions, part, say, setText } from "./elements.js";
import { Hold } from "./hold.js";
import { isRecording, startDate, takeNumber } from "./state.js";
import { texts } from "./texts.js";

/** Milliseconds: two presses within this time count as one. */
const DOUBLE = 700;
const pass = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** The slate as typed; empty fields are left out. */
function slate() {
  const values = {};
  for (const name of ["scene", "reel"]) if (part(name).value) values[name] = part(name).value;
  if (part("take").value) values.take = Number(part("take").value);
  return values;
}

/** Clears fields whose values were used, unless they have been edited meanwhile. */
function clear(taken) {
  for (const [name, value] of Object.entries(taken)) if (part(name).value === value) part(name).value = "";
}

/** The result of a command to all channels, in one line. */
function outcomeOfAll({ at, results }) {
  const failed = results.filter((result) => result.error);
  if (failed.length) {
    const done = results.filter((result) => !result.error).map(({ channel }) => channel);
    const lines = failed.map((result) => `${result.channel}: ${result.error.message}`);
    // Name the channels that succeeded, which may be recording now.
    return [...lines, ...(done.length ? [texts.doneOn(done)] : [])].join("; ");
  }
  if (!at) return texts.allDone(results.length);
  return texts.allBegun(results.length, at, Math.max(...results.map(({ start }) => Math.abs(start?.late ?? 0))));
}

/** Asks before something is stopped. The press that opened the question must not answer it as well. */
class Question {
  constructor() {
    part("confirm-stop").addEventListener("click", () => {
      part("confirm").close();
      this.agreed();
    });
    part("confirm-cancel").addEventListener("click", () => part("confirm").close());
  }

  /** `words` holds the question and its two answers. */
  ask(words, text, agreed) {
    if (part("confirm").open) return;
    this.agreed = agreed;
    setText(part("confirm-title"), words.question);
    setText(part("confirm-stop"), words.yes);
    setText(part("confirm-cancel"), words.no);
    setText(part("confirm-text"), text);
    part("confirm-stop").disabled = true;
    part("confirm").showModal();
    setTimeout(() => {
      part("confirm-stop").disabled = false;
    }, DOUBLE);
  }
}

/** Commands to the recorders, and the buttons for them. */
export class Steering {
  constructor(state) {
    this.state = state;
    this.question = new Question();
    // What was pressed a moment ago, or has not been answered yet.
    this.underWay = new Set();
    // The last known preset of the chosen channel's recorder.
    this.preset = undefined;
    this.hold = new Hold(part("stop"), {
      subject: () => ({
        channel: state.chosen, take: takeNumber(state.entry?.status), start: startDate(state.entry?.status),
        session: state.entry?.status.recorder?.sessionID,
      }),
      held: (subject) => this.stop(subject),
      pressed: (subject) => {
        const title = state.channels.get(subject.channel)?.status.title ?? subject.channel;
        const words = subject.take ? texts.confirmStop : texts.confirmTakeBack;
        this.question.ask(words, title, () => this.stop(subject));
      },
    });
    this.listen();
  }

  listen() {
    part("start").addEventListener("click", () => this.start());
    part("split").addEventListener("click", () => this.split());
    part("standby").addEventListener("click", () =>
      this.order("standby", { isOn: !this.state.entry?.status.recorder?.standsBy }));
    part("start-all").addEventListener("click", () => this.startAll());
    part("stop-all").addEventListener("click", () => {
      const all = [...this.state.channels.values()].map(({ status }) => status);
      const titles = (those) => all.filter(those).map(({ title }) => title);
      const text = texts.channelsToStop(titles(isRecording), titles(startDate));
      this.question.ask(texts.confirmStopAll, text, () => this.orderAll("stop"));
    });
    part("mark-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.mark();
    });
    part("slate").addEventListener("submit", (event) => event.preventDefault());
    part("preset").addEventListener("change", ({ target }) => {
      if (target.value) this.choosePreset(target.value);
    });
  }

  /** Shows the result; returns whether the command succeeded. */
  async order(action, values, channel = this.state.chosen) {
    say(texts.underWay);
    try {
      const reply = await api.order(channel, action, values);
      say(reply.notes?.join("; ") || texts.done);
      return true;
    } catch (error) {
      say(error.message);
      return false;
    }
  }

  async orderAll(action, values) {
    const tell = (text) => {
      say(text);
      setText(part("all-answer"), text);
    };
    tell(texts.underWay);
    try {
      const outcomes = await api.orderAll(action, values);
      tell(outcomeOfAll(outcomes));
      return outcomes.results.every((result) => !result.error);
    } catch (error) {
      tell(error.message);
      return false;
    }
  }

  /** Does work unless the same is already in progress: a second start would replace a scheduled one. */
  async once(name, work) {
    if (this.underWay.has(name)) return;
    this.underWay.add(name);
    await Promise.all([work(), pass(DOUBLE)]);
    this.underWay.delete(name);
  }

  start() {
    const channel = this.state.chosen;
    return this.once(`start ${channel}`, async () => {
      // A take number and a time apply to one take only; they are kept if the start is refused.
      const taken = { take: part("take").value, at: part("at").value };
      // Browsers omit seconds if they are zero.
      const at = taken.at.length === 5 ? `${taken.at}:00` : taken.at;
      if (await this.order("start", at ? { ...slate(), at } : slate(), channel)) clear(taken);
    });
  }

  startAll() {
    return this.once("start all", async () => {
      const taken = { take: part("take").value };
      if (await this.orderAll("start", slate())) clear(taken);
    });
  }

  async mark() {
    const text = part("note").value;
    if (await this.order("marker", { note: text })) clear({ note: text });
  }

  /** The choice shows the preset requested last, unless it was refused. */
  async choosePreset(name) {
    if (!(await this.order("preset", { preset: name })) && part("preset").value === name) part("preset").value = "";
  }

  /** Resets the choice once somebody else selects another preset. */
  followPreset() {
    const preset = this.state.entry?.status.recorder?.source?.preset;
    if (preset === undefined || preset === this.preset) return;
    this.preset = preset;
    if (part("preset").value !== preset) part("preset").value = "";
  }

  /**
   * Stops the take that was meant, or cancels the scheduled start. Meanwhile, that start may have begun its
   * take, or somebody else another one.
   */
  stop({ channel, take, start, session }) {
    const status = this.state.channels.get(channel)?.status;
    const present = takeNumber(status);
    // Another session numbers its takes from 1 again.
    const isSame = present === take && status?.recorder?.sessionID === session;
    const isOfStart = start !== null && status?.recorder?.take?.armed?.date === start;
    if (present && !isSame && !isOfStart) return say(texts.otherTake);
    if (!present && startDate(status) !== null && startDate(status) !== start) return say(texts.otherStart);
    const meant = present || take;
    return this.order("stop", meant ? { ofTake: meant } : {}, channel);
  }

  split() {
    return this.once(`split ${this.state.chosen}`, () => this.order("split"));
  }

  async loadPresets() {
    const { presets } = await api.presets();
    const chosen = part("preset").value;
    fillOptions(part("preset"), [
      ["", texts.presetAsIs],
      ...presets.map(({ name, summary }) => [name, `${name}  ${summary}`]),
    ]);
    if (presets.some(({ name }) => name === chosen)) part("preset").value = chosen;
  }
}
