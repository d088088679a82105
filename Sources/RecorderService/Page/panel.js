import { alarmsOf } from "./alarms.js";
import { make, part, setText } from "./elements.js";
import { isRecording } from "./state.js";
import { texts } from "./texts.js";

const FAULTS = [texts.figures.dropped, texts.figures.repeated, texts.figures.damaged];
/** Shown if there is no channel. */
const NO_CHANNEL = { status: { title: texts.title, connection: "none", alarms: [] } };

function clock(seconds) {
  const whole = Math.floor(seconds);
  const two = (value) => String(value).padStart(2, "0");
  return `${two(Math.floor(whole / 3600))}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

function stateWord(status, isLost = false) {
  // The last reported state may be out of date.
  if (isLost) return texts.lastKnown(stateWord(status));
  if (status.connection === "away") return texts.states.away;
  if (status.connection === "none") return texts.states.none;
  if (!status.recorder) return texts.states.connecting;
  const { state, armed, isPaused, takesFinishing } = status.recorder;
  const word = armed ? texts.armedFor(new Date(armed.date).toLocaleTimeString())
    : isRecording(status) && isPaused ? texts.paused : texts.states[state] ?? state;
  // Removing the disk now would lose these movies.
  return takesFinishing && state !== "finishing" ? texts.andCompleting(word, takesFinishing) : word;
}

function whyNoPicture({ status, refusal }) {
  if (status.connection === "away") return texts.away;
  if (status.connection === "none") return texts.states.none;
  return refusal ?? texts.noPicture;
}

/**
 * The recording time left on the disk: at the rate so far, or, until a take has one, at the codec's target
 * rate.
 */
function roomOn({ secondsLeft, worstCaseSecondsLeft }) {
  if (secondsLeft != null) return texts.minutes(secondsLeft / 60);
  return worstCaseSecondsLeft == null ? texts.unknown : texts.atWorst(texts.minutes(worstCaseSecondsLeft / 60));
}

/** Names and values of a recorder's figures. */
function figures({ recorder, notes = [] }, excess) {
  const words = texts.figures;
  const { source, take, progress, disk } = recorder ?? {};
  const rows = [
    [words.source, source ? `${source.deviceName}, ${source.format}` : texts.unknown],
    [words.preset, source ? `${source.preset}, ${source.codec}` : texts.unknown],
  ];
  if (progress) {
    rows.push(
      [words.file, take?.path ?? texts.unknown],
      [words.frames, String(progress.frames)],
      [words.dropped, String(progress.dropped)],
      [words.repeated, String(progress.repeated)],
      [words.damaged, String(progress.damaged)],
      [words.queue, texts.ofQueue(progress.queue, progress.queueDepth)]);
  }
  if (progress || disk) rows.push([words.disk, roomOn({ ...disk, ...progress })]);
  if (notes.length) rows.push([words.note, notes.join("; ")]);
  if (excess) {
    const percent = (count, all) => `${((100 * count) / Math.max(1, all)).toFixed(2)} %`;
    // Two luma samples share one color.
    rows.push(
      [words.outside, percent(excess.lumaBelow + excess.lumaAbove, excess.samples)],
      [words.gamut, percent(excess.gamutOutside, excess.samples / 2)]);
  }
  return rows;
}

function renderFigures(rows) {
  const list = part("figures");
  // Keep the elements while the rows are the same.
  const key = rows.map(([name]) => name).join();
  if (list.dataset.key !== key) {
    list.dataset.key = key;
    list.replaceChildren(...rows.flatMap(([name]) => [make("dt", name), make("dd")]));
  }
  const values = list.querySelectorAll("dd");
  rows.forEach(([name, value], index) => {
    setText(values[index], value);
    values[index].classList.toggle("bad", FAULTS.includes(name) && value !== "0");
  });
}

/** The state of the channels: on the tiles, and for the chosen one as text, alarms, figures and enabled buttons. */
export class Panel {
  constructor(state, { alarms, takeList, hold }) {
    this.state = state;
    [this.alarms, this.takeList, this.hold] = [alarms, takeList, hold];
  }

  render() {
    this.alarms.hear();
    this.renderTiles();
    const entry = this.state.entry ?? NO_CHANNEL;
    const { status } = entry;
    const recording = isRecording(status);
    document.body.classList.toggle("recording", recording);
    this.takeList.recording(recording ? status.recorder.take : null);
    const { isLost } = this.state;
    const word = stateWord(status, isLost);
    document.title = `${isLost ? "⚠ " : recording ? "● " : ""}${status.title}: ${word}`;
    setText(part("tally-word"), word.toUpperCase());
    setText(part("elapsed"), recording ? clock(status.recorder.progress?.duration ?? 0) : "");
    part("canvas").setAttribute("aria-label", texts.pictureLabel(status.title, word));
    setText(part("no-picture"), whyNoPicture(entry));
    this.alarms.render(entry);
    renderFigures(figures(status, this.state.scopes.size ? this.state.excess : null));
    this.enable(status);
  }

  renderTiles() {
    for (const entry of this.state.channels.values()) {
      setText(entry.word, stateWord(entry.status, this.state.isLost));
      entry.tile.classList.toggle("recording", isRecording(entry.status));
      entry.tile.classList.toggle("alarm", alarmsOf(entry).length > 0);
    }
    const many = this.state.channels.size > 1;
    part("channels").hidden = !many;
    part("all").hidden = !many || this.state.role !== "operate";
    part("start-all").disabled = !this.state.isConnected;
  }

  /** Enables what the recorder can do now, and the user is permitted to do. */
  enable(status) {
    const { recorder } = status;
    const recording = isRecording(status);
    const mayOperate = this.state.role === "operate";
    const mayStop = mayOperate && status.connection === "connected";
    // Commands that depend on an outdated state might do harm; a stop is always worth trying.
    const may = mayStop && this.state.isConnected;
    const ready = ["idle", "standingBy", "armed"].includes(recorder?.state);
    part("start").disabled = !may || !ready;
    part("stop").disabled = !mayStop || !(recording || recorder?.armed);
    part("split").disabled = !may || !recording;
    if (part("stop").disabled) this.hold.cancel();
    part("standby").disabled = !may;
    part("standby").setAttribute("aria-pressed", String(Boolean(recorder?.standsBy)));
    part("mark").disabled = !may || !recording;
    // Recorder state does not disable fields: further typed letters would become keyboard
    // shortcuts.
    for (const element of document.querySelectorAll("#note, #slate input, #slate select")) {
      element.disabled = !mayOperate;
    }
  }
}
