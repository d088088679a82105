import { make, part } from "./elements.js";
import { AlarmSound } from "./sound.js";
import { isRecording } from "./state.js";
import { fileName, outcomeOf } from "./takes.js";
import { texts } from "./texts.js";

/** What is wrong with a channel, in words. */
export function alarmsOf({ status, mishap }) {
  const words = status.alarms.map((name) => texts.alarmNames[name] ?? name);
  const { recorder } = status;
  if (status.connection === "away") words.push(texts.alarmNames.away(status.message ?? ""));
  if (recorder?.message) words.push(recorder.message);
  if (recorder?.source && !recorder.source.hasSignal) words.push(texts.alarmNames.noSignal);
  const progress = recorder?.progress;
  if (isRecording(status) && progress?.dropped) words.push(texts.alarmNames.dropped(progress.dropped));
  if (progress?.isDiskBehind) words.push(texts.alarmNames.diskBehind);
  if (mishap) words.push(mishap);
  const minutes = progress?.secondsLeft == null ? null : progress.secondsLeft / 60;
  if (minutes != null && minutes < 10) words.push(texts.alarmNames.diskLow(Math.floor(minutes)));
  return words;
}

/** What is wrong: a list of it for the chosen channel, and a tone for all of them. */
export class Alarms {
  constructor(state) {
    this.state = state;
    this.sound = new AlarmSound();
    part("sound").addEventListener("click", () => {
      this.sound.turn(!this.sound.isOn);
      part("sound").setAttribute("aria-pressed", String(this.sound.isOn));
      this.showCount();
    });
  }

  // For scripts, which cannot hear it.
  showCount() {
    part("sound").dataset.sounded = String(this.sound.count);
  }

  /** A figure that grows is one alarm, and not a new one each time. */
  hear() {
    const all = [...this.state.channels.values()].flatMap((entry) =>
      alarmsOf(entry).map((text) => `${entry.status.name} ${text.replace(/\d+/g, "")}`));
    this.sound.hear(this.state.isConnected ? all : [...all, "connection"]);
    this.showCount();
  }

  render(entry) {
    const words = alarmsOf(entry);
    if (!this.state.isConnected) words.unshift(texts.alarmNames.connection);
    const shown = [...part("alarms").children].map((item) => item.textContent);
    if (shown.join("\n") === words.join("\n")) return;
    part("alarms").replaceChildren(...words.map((word) => make("li", word)));
  }

  /** A take that did not end as it was to is an alarm of its channel until the next take begins. */
  remember(entry, { event, detail }) {
    if (event === "takeStarted") entry.mishap = null;
    if (event !== "takeFinished" || !detail.finished) return;
    const outcome = outcomeOf(detail.finished);
    if (outcome) entry.mishap = texts.lastTake(fileName(detail.finished), outcome);
  }
}
