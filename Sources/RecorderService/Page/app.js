import { api, Stream } from "./api.js";
import { Hold } from "./hold.js";
import { logIn } from "./login.js";
import { Monitor } from "./monitor.js";
import { drawGuides, Painter, PAINTED } from "./aids.js";
import { readCube } from "./lut.js";
import { drawLoudness, drawMeters } from "./meters.js";
import { drawHistogram, drawParade, drawVectorscope, drawWaveform } from "./scopes.js";
import { AlarmSound } from "./sound.js";
import { TakeList } from "./takes.js";
import { texts } from "./texts.js";

const part = (id) => document.getElementById(id);

const state = {
  role: "view",
  channels: new Map(),
  chosen: null,
  scopes: new Set(["waveform"]),
  aids: new Set(),
  excess: null,
  desqueeze: 1,
  zoom: 1,
  center: [0.5, 0.5],
  isConnected: false,
};

// MARK: Words

for (const element of document.querySelectorAll("[data-text]")) {
  element.textContent = texts[element.dataset.text];
}
for (const element of document.querySelectorAll("[data-label]")) {
  element.setAttribute("aria-label", texts[element.dataset.label]);
}
part("key-list").replaceChildren(
  ...texts.keyList.flatMap(([key, text]) => [make("dt", key), make("dd", text)]));

function make(name, text, className) {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  if (className) element.className = className;
  return element;
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function clock(seconds) {
  const whole = Math.floor(seconds);
  const two = (value) => String(value).padStart(2, "0");
  return `${two(Math.floor(whole / 3600))}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

// MARK: Channels

const wishFor = (name) =>
  name === state.chosen
    ? { pictureRate: 15, scopes: [...state.scopes], levels: true, region: regionWanted() }
    : { pictureRate: 4, scopes: [], levels: false, region: null };

function addChannel(status) {
  const entry = { status, tile: make("button", undefined, "tile"), frames: 0 };
  entry.tile.type = "button";
  entry.canvas = document.createElement("canvas");
  [entry.canvas.width, entry.canvas.height] = [320, 180];
  entry.word = make("span", "", "word");
  entry.tile.append(entry.canvas, make("span", status.title, "name"), entry.word);
  entry.tile.addEventListener("click", () => choose(status.name));
  part("channels").append(entry.tile);
  entry.monitor = new Monitor(status.name, wishFor(status.name), {
    logIn: identify,
    picture: (parts) => showPicture(status.name, parts),
    levels: (levels, loudness) => showLevels(status.name, levels, loudness),
    refused: (message) => showRefusal(status.name, message),
  });
  state.channels.set(status.name, entry);
}

function removeChannel(name) {
  const entry = state.channels.get(name);
  if (!entry) return;
  entry.monitor.end();
  entry.tile.remove();
  state.channels.delete(name);
  journal(`${entry.status.title}: ${texts.removed}`);
  if (state.chosen === name) choose([...state.channels.keys()][0]);
  render();
}

/** Nobody tells of channels that went while nothing came: the list has those that are left. */
async function removeGone() {
  const known = [...state.channels.keys()];
  const { channels } = await api.channels();
  const served = new Set(channels.map(({ name }) => name));
  for (const name of known) if (!served.has(name)) removeChannel(name);
}

/** Nothing of a channel that is not shown any more, or of a recorder that is gone, looks like now. */
function clearShown() {
  for (const canvas of [part("canvas"), ...part("scopes").querySelectorAll("canvas")]) {
    canvas.getContext("2d").clearRect(0, 0, canvas.width, canvas.height);
  }
  setText(part("timecode"), "");
  setText(part("levels-text"), "");
  state.excess = null;
  drawMeters(part("meters"), []);
  drawLoudness(part("loudness-bar"), null);
  showLoudness(null);
  part("no-picture").hidden = false;
}

/** Shows a channel; nothing of one where there is none. */
function choose(name = null) {
  hold.cancel();
  if (state.chosen !== name) clearShown();
  state.chosen = name;
  for (const [key, entry] of state.channels) {
    entry.monitor.want(wishFor(key));
    entry.tile.setAttribute("aria-pressed", String(key === name));
  }
  part("canvas").dataset.frames = "0";
  if (name === null) part("snapshot").removeAttribute("href");
  else part("snapshot").href = `/api/v1/channels/${encodeURIComponent(name)}/snapshot.jpg`;
  part("no-picture").hidden = false;
  render();
  loadTakes();
}

const chosen = () => state.channels.get(state.chosen);

// MARK: Pictures

const painter = new Painter();

/** The stretch of the source that fills the frame, a pixel of it for one of the screen; null for all of it. */
function regionWanted() {
  if (state.zoom !== 0 || !state.source) return null;
  const { clientWidth, clientHeight } = part("frame");
  const scale = window.devicePixelRatio || 1;
  const size = [clientWidth, clientHeight].map((side, axis) =>
    Math.max(2, Math.min(Math.round(side * scale) & ~1, state.source[axis], [1920, 1080][axis])));
  state.center = state.center.map((place, axis) => {
    const half = size[axis] / 2 / state.source[axis];
    return Math.max(half, Math.min(1 - half, place));
  });
  const [x, y] = state.center.map((place, axis) => Math.round(place * state.source[axis] - size[axis] / 2));
  return { x, y, width: size[0], height: size[1] };
}

/** The frame's shape, and the part of the picture that is seen in it. */
function layOutFrame() {
  part("frame").style.aspectRatio = String((state.aspect ?? 16 / 9) * state.desqueeze);
  if (state.zoom === 0) {
    for (const id of ["canvas", "guides"]) part(id).style.transform = "";
    part("frame").tabIndex = 0;
    return;
  }
  const [x, y] = state.center.map((place) => Math.max(0.5 / state.zoom, Math.min(1 - 0.5 / state.zoom, place)));
  state.center = [x, y];
  const shift = (place) => `${(100 * (0.5 - place) * state.zoom).toFixed(3)}%`;
  for (const id of ["canvas", "guides"]) {
    part(id).style.transform = state.zoom === 1 ? "" : `translate(${shift(x)}, ${shift(y)}) scale(${state.zoom})`;
  }
  part("frame").tabIndex = state.zoom === 1 ? -1 : 0;
}

function showPicture(name, { header, bitmap, maps }) {
  const entry = state.channels.get(name);
  if (!entry) return;
  entry.refusal = null;
  if (!header.region) entry.canvas.getContext("2d").drawImage(bitmap, 0, 0, entry.canvas.width, entry.canvas.height);
  if (name !== state.chosen) return;
  const [sourceWidth, sourceHeight] = state.source ?? [];
  state.source = [header.sourceWidth, header.sourceHeight];
  // Of another channel, or of a signal that has changed.
  if (state.zoom === 0 && (sourceWidth !== header.sourceWidth || sourceHeight !== header.sourceHeight)) lookCloser();
  const canvas = part("canvas");
  const [ratioWidth, ratioHeight] = header.pixelAspectRatio.split(":").map(Number);
  // A stretch fills the frame of the whole picture.
  if (!header.region) state.aspect = (header.width * (ratioWidth / ratioHeight || 1)) / header.height;
  if (canvas.width !== header.width || canvas.height !== header.height) {
    for (const element of [canvas, part("guides")]) {
      [element.width, element.height] = [header.width, header.height];
    }
    layOutFrame();
    drawGuides(part("guides"), state.aids);
  }
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.save();
  if (state.aids.has("flip")) context.setTransform(-1, 0, 0, -1, canvas.width, canvas.height);
  const moves = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  context.drawImage(painter.paint(bitmap, state.aids, moves ? header.number : 0), 0, 0);
  context.restore();
  canvas.dataset.frames = String(Number(canvas.dataset.frames ?? 0) + 1);
  canvas.dataset.number = String(header.number);
  canvas.dataset.region = header.region ? JSON.stringify(header.region) : "";
  // For who measures how late a picture is.
  canvas.dataset.captured = String(header.captureTime);
  canvas.dataset.shown = String((performance.timeOrigin + performance.now()) / 1000);
  part("no-picture").hidden = true;
  setText(part("timecode"), header.timecode ?? "");
  if (header.excess) state.excess = header.excess;
  showScopes(header, maps);
}

/** The gateway does not show what was asked for: a stretch of the source, or anything. */
function showRefusal(name, message) {
  const entry = state.channels.get(name);
  if (!entry) return;
  if (wishFor(name).region) {
    setText(part("answer"), message);
    return zoomTo(1);
  }
  entry.refusal = message;
  // What was shown last is not now.
  entry.canvas.getContext("2d").clearRect(0, 0, entry.canvas.width, entry.canvas.height);
  if (name === state.chosen) clearShown();
  render();
}

const drawn = {
  waveform: (canvas, header, maps) => maps.waveform && drawWaveform(canvas, maps),
  parade: (canvas, header, maps) => maps["parade-red"] && drawParade(canvas, maps),
  vectorscope: (canvas, header, maps) =>
    maps.vectorscope && drawVectorscope(canvas, maps, header.color),
  histogram: (canvas, header) => header.histogram && drawHistogram(canvas, header.histogram),
};

function showScopes(header, maps) {
  for (const canvas of part("scopes").querySelectorAll("canvas")) {
    drawn[canvas.dataset.scope](canvas, header, maps);
  }
}

/** Loudness in words, in the order of EBU R128. */
function showLoudness(loudness) {
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

function showLevels(name, levels, loudness) {
  if (name !== state.chosen) return;
  drawMeters(part("meters"), levels);
  drawLoudness(part("loudness-bar"), loudness);
  showLoudness(loudness);
  const now = performance.now();
  if (now - (state.levelsAt ?? 0) < 1000) return;
  state.levelsAt = now;
  const peaks = levels.map((level) => level.held).filter((value) => value != null);
  const clips = levels.reduce((sum, level) => sum + level.clips, 0);
  const loudest = peaks.length ? `${Math.max(...peaks).toFixed(1)} dBFS` : texts.silent;
  setText(
    part("levels-text"),
    texts.levelsText(loudest) + (clips ? `, ${texts.clipped(clips)}` : ""));
}

// MARK: State

/** What the page shows where there is no channel. */
const NO_CHANNEL = { title: texts.title, connection: "none", alarms: [] };

const isRecording = (status) => ["recording"].includes(status?.recorder?.state);

function stateWord(status) {
  if (status.connection === "away") return texts.states.away;
  if (status.connection === "none") return texts.states.none;
  if (!status.recorder) return texts.states.connecting;
  if (status.recorder.armed) return texts.armedFor(new Date(status.recorder.armed.date).toLocaleTimeString());
  return texts.states[status.recorder.state] ?? status.recorder.state;
}

function alarmsOf(status) {
  const words = status.alarms.map((name) => texts.alarmNames[name] ?? name);
  const recorder = status.recorder;
  if (status.connection === "away") words.push(texts.alarmNames.away(status.message ?? ""));
  if (recorder?.message) words.push(recorder.message);
  if (recorder?.source && !recorder.source.hasSignal) words.push(texts.alarmNames.noSignal);
  const progress = recorder?.progress;
  if (isRecording(status) && progress?.dropped) words.push(texts.alarmNames.dropped(progress.dropped));
  if (progress?.isDiskBehind) words.push(texts.alarmNames.diskBehind);
  // Until the next take begins.
  const mishap = state.channels.get(status.name)?.mishap;
  if (mishap) words.push(mishap);
  const minutes = progress?.secondsLeft == null ? null : progress.secondsLeft / 60;
  if (minutes != null && minutes < 10) words.push(texts.alarmNames.diskLow(Math.floor(minutes)));
  return words;
}

function render() {
  hearAlarms();
  for (const { status, tile, word } of state.channels.values()) {
    setText(word, stateWord(status));
    tile.classList.toggle("recording", isRecording(status));
    tile.classList.toggle("alarm", alarmsOf(status).length > 0);
  }
  const many = state.channels.size > 1;
  part("channels").hidden = !many;
  part("all").hidden = !many || state.role !== "operate";
  const status = chosen()?.status ?? NO_CHANNEL;
  const recording = isRecording(status);
  document.body.classList.toggle("recording", recording);
  takeList.recording(recording ? status.recorder.take : null);
  document.title = `${recording ? "● " : ""}${status.title}: ${stateWord(status)}`;
  setText(part("tally-word"), stateWord(status).toUpperCase());
  setText(part("elapsed"), recording ? clock(status.recorder.progress?.duration ?? 0) : "");
  part("canvas").setAttribute("aria-label", texts.pictureLabel(status.title, stateWord(status)));
  setText(part("no-picture"), whyNoPicture(status));
  renderAlarms(status);
  renderFigures(status);
  const may = state.role === "operate" && status.connection === "connected";
  const ready = ["idle", "standingBy", "armed"].includes(status.recorder?.state);
  part("start").disabled = !may || !ready;
  part("stop").disabled = !may || !(recording || status.recorder?.armed);
  part("split").disabled = !may || !recording;
  if (part("stop").disabled) hold.cancel();
  part("standby").disabled = !may;
  part("standby").setAttribute("aria-pressed", String(Boolean(status.recorder?.standsBy)));
  for (const element of document.querySelectorAll("#mark-form button, #note")) {
    element.disabled = !may || !recording;
  }
  for (const element of document.querySelectorAll("#slate input, #slate select")) {
    element.disabled = !may || recording;
  }
}

function whyNoPicture(status) {
  if (status.connection === "away") return texts.away;
  if (status.connection === "none") return texts.states.none;
  return chosen().refusal ?? texts.noPicture;
}

/** A figure that grows is one alarm, and not a new one each time. */
function hearAlarms() {
  const all = [...state.channels.values()].flatMap(({ status }) =>
    alarmsOf(status).map((text) => `${status.name} ${text.replace(/\d+/g, "")}`));
  sound.hear(state.isConnected ? all : [...all, "connection"]);
  part("sound").dataset.sounded = String(sound.count);
}

function renderAlarms(status) {
  const words = alarmsOf(status);
  if (!state.isConnected) words.unshift(texts.alarmNames.connection);
  const shown = [...part("alarms").children].map((item) => item.textContent);
  if (shown.join("\n") === words.join("\n")) return;
  part("alarms").replaceChildren(...words.map((word) => make("li", word)));
}

function renderFigures(status) {
  const { recorder } = status;
  const progress = recorder?.progress;
  const words = texts.figures;
  const rows = [
    [words.source, recorder?.source ? `${recorder.source.deviceName}, ${recorder.source.format}` : texts.unknown],
    [words.preset, recorder?.source ? `${recorder.source.preset}, ${recorder.source.codec}` : texts.unknown],
  ];
  if (progress) {
    rows.push(
      [words.file, recorder.take?.path ?? texts.unknown],
      [words.frames, String(progress.frames)],
      [words.dropped, String(progress.dropped)],
      [words.repeated, String(progress.repeated)],
      [words.damaged, String(progress.damaged)],
      [words.queue, texts.ofQueue(progress.queue, progress.queueDepth)],
      [words.disk, progress.secondsLeft == null ? texts.unknown : texts.minutes(progress.secondsLeft / 60)]);
  }
  const excess = state.excess;
  if (excess && state.scopes.size) {
    const percent = (count, all) => `${((100 * count) / Math.max(1, all)).toFixed(2)} %`;
    // Two samples of luma have one color.
    rows.push(
      [words.outside, percent(excess.lumaBelow + excess.lumaAbove, excess.samples)],
      [words.gamut, percent(excess.gamutOutside, excess.samples / 2)]);
  }
  const list = part("figures");
  const key = rows.map(([name]) => name).join();
  if (list.dataset.key !== key) {
    list.dataset.key = key;
    list.replaceChildren(...rows.flatMap(([name]) => [make("dt", name), make("dd")]));
  }
  const values = list.querySelectorAll("dd");
  rows.forEach(([name, value], index) => {
    setText(values[index], value);
    values[index].classList.toggle("bad", name === words.dropped && value !== "0");
  });
}

function journal(text) {
  const time = new Date().toLocaleTimeString();
  part("journal").prepend(make("li", `${time}  ${text}`));
  while (part("journal").children.length > 100) part("journal").lastChild.remove();
}

/** What is to be told of a take that did not end as it was to; undefined for nothing. */
const outcomeOf = (take) => texts.outcomes[take.outcome]?.(take.message, take);

function takeLine(take) {
  const name = take.path.split("/").pop();
  return [texts.finished(name, take.duration, take.dropped), outcomeOf(take)].filter(Boolean).join(". ");
}

const takeList = new TakeList({ mayOperate: () => state.role === "operate" });

async function loadTakes() {
  const name = state.chosen;
  const { takes } = name === null ? { takes: [] } : await api.takes(name).catch(() => ({ takes: [] }));
  if (name === state.chosen) takeList.list(name, takes);
}

function takeUpdate(message) {
  const entry = state.channels.get(message.channel);
  if (message.event === "channel") {
    const goes = entry?.status.connection !== "away" && message.status.connection === "away";
    if (goes && message.channel === state.chosen) clearShown();
    if (entry) entry.status = message.status;
    else addChannel(message.status);
    if (!state.channels.has(state.chosen)) choose(message.channel);
    render();
    return;
  }
  if (message.event === "removed") return removeChannel(message.channel);
  if (message.event === "take") return takeList.update(message.channel, message.take);
  const { detail } = message;
  const title = entry?.status.title ?? message.channel;
  if (detail.message) journal(`${title}: ${detail.message}`);
  if (message.event === "marker" && detail.marker) journal(`${title}: ${texts.marked(detail.marker.frame)} ${detail.marker.note ?? ""}`);
  if (message.event === "takeStarted" && detail.take) journal(`${title}: ${texts.started(detail.take.path)}`);
  if (message.event === "takeStarted" && entry) entry.mishap = null;
  if (message.event === "takeFinished" && detail.finished) {
    journal(`${title}: ${takeLine(detail.finished)}`);
    const outcome = outcomeOf(detail.finished);
    if (entry && outcome) entry.mishap = texts.lastTake(detail.finished.path.split("/").pop(), outcome);
    render();
  }
}

// MARK: Steering

async function order(action, values, channel = state.chosen) {
  try {
    const reply = await api.order(channel, action, values);
    setText(part("answer"), reply.notes?.join("; ") || texts.done);
  } catch (error) {
    setText(part("answer"), error.message);
  }
}

async function orderAll(action, values) {
  setText(part("answer"), texts.underWay);
  try {
    const { at, results } = await api.orderAll(action, values);
    const failed = results.filter((result) => result.error);
    setText(
      part("answer"),
      failed.length
        ? failed.map((result) => `${result.channel}: ${result.error.message}`).join("; ")
        : at
          ? texts.allBegun(results.length, at, Math.max(...results.map(({ start }) => Math.abs(start?.late ?? 0))))
          : texts.allDone(results.length));
  } catch (error) {
    setText(part("answer"), error.message);
  }
}

function slate() {
  const values = {};
  for (const name of ["scene", "reel"]) if (part(name).value) values[name] = part(name).value;
  if (part("take").value) values.take = Number(part("take").value);
  part("take").value = "";
  return values;
}

const start = () => {
  const at = part("at").value;
  part("at").value = "";
  // A browser leaves seconds out where they are none.
  return order("start", at ? { ...slate(), at: at.length === 5 ? `${at}:00` : at } : slate());
};

const stop = (channel) => order("stop", {}, channel);

const hold = new Hold(part("stop"), {
  subject: () => state.chosen,
  held: stop,
  pressed: (channel) => {
    part("confirm").dataset.channel = channel;
    part("confirm").showModal();
  },
});

part("start").addEventListener("click", start);
part("split").addEventListener("click", () => order("split"));
part("standby").addEventListener("click", () =>
  order("standby", { isOn: !chosen()?.status.recorder?.standsBy }));
part("confirm-stop").addEventListener("click", () => {
  part("confirm").close();
  stop(part("confirm").dataset.channel);
});
part("confirm-cancel").addEventListener("click", () => part("confirm").close());
part("start-all").addEventListener("click", () => orderAll("start", slate()));
part("stop-all").addEventListener("click", () => orderAll("stop"));
part("mark-form").addEventListener("submit", (event) => {
  event.preventDefault();
  order("marker", { note: part("note").value });
  part("note").value = "";
});
part("slate").addEventListener("submit", (event) => event.preventDefault());
part("snapshot").addEventListener("click", ({ target }) => {
  const time = new Date().toLocaleString("sv").replace(/:/g, "-");
  target.download = texts.snapshotName(chosen()?.status.title ?? state.chosen, time);
});
part("preset").addEventListener("change", (event) => {
  if (event.target.value) order("preset", { preset: event.target.value });
});
part("help-button").addEventListener("click", () => part("help").showModal());
part("help-close").addEventListener("click", () => part("help").close());
part("theme").addEventListener("click", () => {
  const isDark = getComputedStyle(document.documentElement).colorScheme.startsWith("dark");
  document.documentElement.dataset.theme = isDark ? "light" : "dark";
});

const isTyping = (target) => ["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName);

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (document.querySelector("dialog[open]")) return;
  const key = event.key.toLowerCase();
  if (key === "s") {
    if (!event.repeat) hold.begin(event.code);
  } else if (event.repeat) {
    return;
  } else if (key === "r") {
    if (!part("start").disabled) start();
  } else if (key === "l") {
    if (!part("split").disabled) order("split");
  } else if (key === "m") {
    part("note").focus();
  } else if (key === "f") {
    part("picture").requestFullscreen?.();
  } else if (/^[1-9]$/.test(key)) {
    const name = [...state.channels.keys()][Number(key) - 1];
    if (name !== undefined) choose(name);
  } else {
    return;
  }
  event.preventDefault();
});

// MARK: Choices

function toggles(container, names, selected, changed) {
  for (const [name, text] of Object.entries(names)) {
    const button = make("button", text);
    button.type = "button";
    button.dataset.name = name;
    button.setAttribute("aria-pressed", String(selected.has(name)));
    button.addEventListener("click", () => {
      if (!selected.delete(name)) selected.add(name);
      button.setAttribute("aria-pressed", String(selected.has(name)));
      changed();
    });
    container.append(button);
  }
}

function layOutScopes() {
  part("scopes").replaceChildren(
    ...[...state.scopes].map((name) => {
      const figure = make("figure");
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = name === "vectorscope" ? [512, 512] : [640, 512];
      canvas.dataset.scope = name;
      canvas.setAttribute("role", "img");
      canvas.setAttribute("aria-label", texts.scopeNames[name]);
      figure.append(canvas, make("figcaption", texts.scopeNames[name]));
      return figure;
    }));
  chosen()?.monitor.want(wishFor(state.chosen));
}

toggles(part("scope-choices"), texts.scopeNames, state.scopes, layOutScopes);
toggles(part("aid-choices"), texts.aidNames, state.aids, () => drawGuides(part("guides"), state.aids));

const aidButton = (name) => part("aid-choices").querySelector(`[data-name=${name}]`);
aidButton("lut").disabled = true;
if (!painter.isAvailable) {
  for (const name of PAINTED) aidButton(name).disabled = true;
  part("lut-file").disabled = true;
  setText(part("lut-answer"), texts.noGraphics);
}

part("lut-file").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  if (!file) return;
  try {
    if (file.size > 16 << 20) throw new Error("lutDamaged");
    painter.setTable(readCube(await file.text()));
    aidButton("lut").disabled = false;
    if (!state.aids.has("lut")) aidButton("lut").click();
    setText(part("lut-answer"), texts.lutTaken(file.name));
  } catch (error) {
    setText(part("lut-answer"), texts.lutErrors[error.message] ?? error.message);
  }
});

function choices(select, values, changed) {
  select.replaceChildren(
    ...values.map(([value, text]) => {
      const option = make("option", text);
      option.value = String(value);
      return option;
    }));
  select.addEventListener("change", () => changed(Number(select.value)));
}

choices(part("desqueeze"), texts.desqueezes, (value) => {
  state.desqueeze = value;
  layOutFrame();
});
choices(part("zoom"), texts.zooms, zoomTo);

function zoomTo(value) {
  const wasCloser = state.zoom === 0;
  [state.zoom, state.center] = [value, [0.5, 0.5]];
  part("zoom").value = String(value);
  layOutFrame();
  if (value === 0 || wasCloser) lookCloser();
}

/** Asks for the stretch that is to be seen, once for all movements between two pictures of the screen. */
function lookCloser() {
  if (state.isLooking) return;
  state.isLooking = true;
  requestAnimationFrame(() => {
    state.isLooking = false;
    chosen()?.monitor.want(wishFor(state.chosen));
  });
}
window.addEventListener("resize", () => state.zoom === 0 && lookCloser());

function move(x, y) {
  const region = regionWanted();
  const share = region ? [region.width / state.source[0], region.height / state.source[1]] : [1 / state.zoom, 1 / state.zoom];
  state.center = [state.center[0] + x * share[0], state.center[1] + y * share[1]];
  layOutFrame();
  if (region) lookCloser();
}
part("frame").addEventListener("keydown", (event) => {
  const step = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] }[event.key];
  if (!step || state.zoom === 1) return;
  event.preventDefault();
  move(...step);
});
part("frame").addEventListener("pointermove", (event) => {
  if (state.zoom === 1 || !(event.buttons & 1)) return;
  const { width, height } = part("frame").getBoundingClientRect();
  move(-event.movementX / width, -event.movementY / height);
});

const sound = new AlarmSound();
part("sound").addEventListener("click", () => {
  sound.turn(!sound.isOn);
  part("sound").setAttribute("aria-pressed", String(sound.isOn));
  part("sound").dataset.sounded = String(sound.count);
});

// MARK: The beginning

async function loadPresets() {
  const { presets } = await api.presets();
  const none = make("option", texts.presetAsIs);
  none.value = "";
  part("preset").replaceChildren(
    none,
    ...presets.map((preset) => {
      const option = make("option", `${preset.name}  ${preset.summary}`);
      option.value = preset.name;
      return option;
    }));
}

/** Has the gateway know who this is; the role may be another one than before. */
async function identify() {
  const { role } = await logIn();
  state.role = role;
  setText(part("role"), role === "operate" ? texts.roleOperate : texts.roleView);
  document.body.dataset.role = role;
}

function enter(channels) {
  part("main").hidden = false;
  for (const status of channels) addChannel(status);
  choose(channels[0]?.name);
  layOutScopes();
  loadPresets().catch(() => {});
  new Stream("/events", {
    logIn: identify,
    open: () => {
      state.isConnected = true;
      setText(part("connection"), texts.connected);
      document.body.classList.remove("lost");
      render();
      loadTakes();
      removeGone().catch(() => {});
    },
    close: () => {
      state.isConnected = false;
      setText(part("connection"), texts.disconnected);
      document.body.classList.add("lost");
      render();
    },
    message: takeUpdate,
  });
}

async function begin() {
  let channels;
  try {
    await identify();
    ({ channels } = await api.channels());
  } catch (error) {
    setText(part("connection"), error.message);
    setTimeout(begin, 2000);
    return;
  }
  enter(channels);
}

begin();
