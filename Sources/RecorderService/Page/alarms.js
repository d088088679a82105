import { make, part } from "./elements.js";
import { AlarmSound } from "./sound.js";
import { isRecording } from "./state.js";
import { fileName, outcomeOf } from "./takes.js";
import { texts } from "./texts.js";

/** What a take has lost so far. A missing frame may have been replaced by repeating another one. */
function faultsOf({ dropped, repeated, damaged }) {
  const names = texts.alarmNames;
  return [
    dropped ? names.dropped(dropped) : repeated ? names.repeated(repeated) : "",
    damaged ? names.damaged(damaged) : "",
  ].filter(Boolean);
}

/** A channel's alarms, in words. */
export function alarmsOf({ status, stillFor }) {
  const words = status.alarms.map((name) => texts.alarmNames[name] ?? name);
  const { recorder } = status;
  if (status.connection === "away") words.push(texts.alarmNames.away(status.message ?? ""));
  if (recorder?.message) words.push(recorder.message);
  if (recorder?.source && !recorder.source.hasSignal) words.push(texts.alarmNames.noSignal);
  const progress = recorder?.progress;
  if (stillFor) words.push(texts.alarmNames.still(stillFor));
  if (isRecording(status) && progress) words.push(...faultsOf(progress));
  if (recorder?.take && progress?.lostPlace) words.push(texts.alarmNames.lostPlace(progress.lostPlace));
  if (progress?.isDiskBehind) words.push(texts.alarmNames.diskBehind);
  if (status.flawedTake) {
    words.push(texts.lastTake(fileName(status.flawedTake), outcomeOf(status.flawedTake, { inFull: true })));
  }
  // Between takes, the write rate of the next one is unknown.
  const seconds = progress?.secondsLeft ?? progress?.worstCaseSecondsLeft ?? recorder?.disk?.worstCaseSecondsLeft;
  const minutes = seconds == null ? null : seconds / 60;
  if (minutes != null && minutes < 10) words.push(texts.alarmNames.diskLow(Math.floor(minutes)));
  return words;
}

/** Alarms: a list for the chosen channel; new ones of any channel are also announced, with a tone if enabled. */
export class Alarms {
  constructor(state) {
    this.state = state;
    // The alarms already announced.
    this.known = new Set();
    this.sound = new AlarmSound();
    part("sound").addEventListener("click", () => {
      this.sound.turn(!this.sound.isOn);
      part("sound").setAttribute("aria-pressed", String(this.sound.isOn));
      this.showCount();
    });
  }

  // For test scripts, which cannot hear the tone.
  showCount() {
    part("sound").dataset.sounded = String(this.sound.count);
  }

  /** A growing figure is one alarm, not a new one each time: a screen reader would read nothing else. */
  hear() {
    const all = new Map([...this.state.channels.values()].flatMap((entry) =>
      alarmsOf(entry).map((text) =>
        [`${entry.status.name} ${text.replace(/\d+/g, "")}`, `${entry.status.title}: ${text}`])));
    if (this.state.isLost) all.set("connection", texts.alarmNames.connection);
    const news = [...all].filter(([key]) => !this.known.has(key)).map(([, text]) => text);
    this.known = new Set(all.keys());
    if (news.length) {
      part("alarm-news").textContent = news.join(". ");
      this.sound.ring();
    }
    this.showCount();
  }

  render(entry) {
    const words = alarmsOf(entry);
    if (this.state.isLost) words.unshift(texts.alarmNames.connection);
    const shown = [...part("alarms").children].map((item) => item.textContent);
    if (shown.join("\n") === words.join("\n")) return;
    part("alarms").replaceChildren(...words.map((word) => make("li", word)));
  }
}
