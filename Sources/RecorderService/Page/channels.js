import { api } from "./api.js";
import { make, part, setText } from "./elements.js";
import { Monitor } from "./monitor.js";
import { FRESH, isRecording } from "./state.js";
import { texts } from "./texts.js";

/**
 * How far a take has progressed; null without a recorder. Ignores figures that change without new frames: disk
 * space, audio, clock.
 */
function reached({ recorder }) {
  if (!recorder) return null;
  const { sessionID, state, isPaused, take, progress } = recorder;
  // A take whose source is away has no figures.
  return [sessionID, state, isPaused, take?.number, progress?.frames].join();
}

/** The seconds for which a take may go without a new frame. */
function patienceWith(status) {
  if (!isRecording(status) || status.recorder.isPaused) return Infinity;
  const [frames, seconds = 1] = (status.recorder.source?.frameRate ?? "25").split("/").map(Number);
  return Math.max(FRESH, (3 * seconds) / frames);
}

/**
 * The served channels: a tile and a monitor for each. One channel is chosen; the frame, the instruments and the
 * levels show it.
 *
 * `leave` is called before a channel, or none, is chosen, and `chosen` afterwards; `removed` gets the title of a
 * channel that is no longer served; `changed` means that something must be redrawn.
 */
export class ChannelList {
  constructor(state, { frame, instruments, levels }, { logIn, leave, chosen, removed, changed }) {
    this.state = state;
    [this.frame, this.instruments, this.levels] = [frame, instruments, levels];
    this.handlers = { logIn, leave, chosen, removed, changed };
    // When levels last arrived; null if none are shown.
    this.levelsAt = null;
    setInterval(() => this.age(performance.now()), 1000);
    document.addEventListener("visibilitychange", () => {
      for (const [name, entry] of state.channels) entry.monitor.want(this.wishFor(name));
    });
  }

  // MARK: Channels

  add(status) {
    const { name } = status;
    const entry = { status, grownAt: performance.now(), stillFor: 0, tile: make("button", undefined, "tile") };
    entry.tile.type = "button";
    entry.canvas = document.createElement("canvas");
    [entry.canvas.width, entry.canvas.height] = [320, 180];
    [entry.title, entry.word] = [make("span", status.title, "name"), make("span", "", "word")];
    entry.tile.append(entry.canvas, entry.title, entry.word);
    entry.tile.addEventListener("click", () => this.choose(name));
    part("channels").append(entry.tile);
    entry.monitor = new Monitor(name, this.wishFor(name), {
      logIn: this.handlers.logIn,
      picture: (parts) => this.showPicture(name, parts),
      failed: () => this.tellFailure(entry),
      levels: (levels, loudness) => this.showLevels(name, levels, loudness),
      refused: (message) => this.showRefusal(name, message),
    });
    this.state.channels.set(name, entry);
  }

  /** Adds or updates a channel. */
  update(name, status) {
    const { channels, chosen } = this.state;
    const entry = channels.get(name);
    const goes = entry?.status.connection !== "away" && status.connection === "away";
    if (goes && name === chosen) this.clearShown();
    if (entry) {
      const before = reached(entry.status);
      entry.status = status;
      if (before === null || reached(status) !== before) [entry.grownAt, entry.stillFor] = [performance.now(), 0];
      // A reload of the configuration may change the title.
      setText(entry.title, status.title);
    } else {
      this.add(status);
    }
    if (!channels.has(chosen)) this.choose(name);
    this.handlers.changed();
  }

  remove(name) {
    const { channels, chosen } = this.state;
    const entry = channels.get(name);
    if (!entry) return;
    entry.monitor.end();
    entry.tile.remove();
    channels.delete(name);
    this.handlers.removed(entry.status.title);
    if (chosen === name) this.choose([...channels.keys()][0]);
    this.handlers.changed();
  }

  /** Removes channels that disappeared while disconnected, which nobody reported. */
  async removeGone() {
    const known = [...this.state.channels.keys()];
    const { channels } = await api.channels();
    const served = new Set(channels.map(({ name }) => name));
    for (const name of known) if (!served.has(name)) this.remove(name);
  }

  // MARK: Display

  /** Shows a channel, or none. */
  choose(name = null) {
    this.handlers.leave();
    if (this.state.chosen !== name) this.clearShown();
    this.state.chosen = name;
    for (const [key, entry] of this.state.channels) {
      entry.monitor.want(this.wishFor(key));
      entry.tile.setAttribute("aria-pressed", String(key === name));
    }
    this.frame.expect(name);
    this.handlers.chosen();
  }

  wishFor(name) {
    // A hidden page requests no frames. Its alarms continue.
    if (document.hidden) return { pictureRate: 0, scopes: [], levels: false, region: null };
    return name === this.state.chosen
      ? { pictureRate: 15, scopes: [...this.state.scopes], levels: true, region: this.frame.regionWanted() }
      : { pictureRate: 4, scopes: [], levels: false, region: null };
  }

  /** Requests other scopes, or another region, of the chosen channel. */
  wishAgain() {
    this.state.entry?.monitor.want(this.wishFor(this.state.chosen));
  }

  /** Clears what belongs to a channel no longer shown, or to a recorder that is away. */
  clearShown() {
    this.levelsAt = null;
    this.frame.clear();
    this.instruments.clear();
    this.levels.clear();
  }

  /** Marks stale frames as old, and removes stale levels and figures. */
  age(now) {
    let changes = false;
    for (const entry of this.state.channels.values()) {
      const { tile, status, pictureAt } = entry;
      tile.classList.toggle("old", pictureAt != null && (now - pictureAt) / 1000 > FRESH);
      // Without a connection, a lack of progress means nothing.
      if (!this.state.isConnected) entry.grownAt = now;
      const seconds = Math.floor((now - entry.grownAt) / 1000);
      const stillFor = seconds > patienceWith(status) ? seconds : 0;
      changes ||= stillFor !== entry.stillFor;
      entry.stillFor = stillFor;
    }
    if (this.instruments.age(this.frame.age(now)) || changes) this.handlers.changed();
    if (this.levelsAt === null || (now - this.levelsAt) / 1000 <= FRESH) return;
    this.levelsAt = null;
    this.levels.clear();
  }

  showPicture(name, { header, bitmap, maps }) {
    const entry = this.state.channels.get(name);
    if (!entry) return;
    entry.refusal = null;
    entry.pictureAt = performance.now();
    const { width, height } = entry.canvas;
    if (!header.region) entry.canvas.getContext("2d").drawImage(bitmap, 0, 0, width, height);
    if (name !== this.state.chosen) return;
    this.frame.show(header, bitmap);
    this.instruments.show(header, maps);
  }

  /** Explains why there is no video, if no frame was shown; a shown frame stays, and grows old. */
  tellFailure(entry) {
    entry.refusal = texts.notShown;
    this.handlers.changed();
  }

  showLevels(name, levels, loudness) {
    if (name !== this.state.chosen) return;
    this.levelsAt = performance.now();
    this.levels.show(levels, loudness);
  }

  /** The gateway refused to show a region, or anything at all. */
  showRefusal(name, message) {
    const entry = this.state.channels.get(name);
    if (!entry) return;
    if (this.wishFor(name).region) return this.frame.refuseRegion(message);
    [entry.refusal, entry.pictureAt] = [message, null];
    // The last frame is not current.
    entry.canvas.getContext("2d").clearRect(0, 0, entry.canvas.width, entry.canvas.height);
    if (name === this.state.chosen) this.clearShown();
    this.handlers.changed();
  }
}
