import { api } from "./api.js";
import { make, part, say } from "./elements.js";
import { texts } from "./texts.js";

const STRIP = 10;

export const fileName = (take) => take.path.split("/").pop();

/** The number of frames that a take serves. A gap left open shows the frame before it. */
const pictureCount = (take) => take.slotCount ?? take.frameCount;

/**
 * What to report about a take with problems; undefined if there are none.
 *
 * `inFull` if dropped frames are not shown beside it.
 */
export const outcomeOf = (take, { inFull = false } = {}) => texts.outcomes[take.outcome]?.(take.message, take, inFull);

/** The result of a take, in one line. */
export function takeLine(take) {
  return [texts.finished(fileName(take), take.duration, take.dropped), outcomeOf(take)].filter(Boolean).join(". ");
}

/** The verification of a take, in one line. */
function verdict(take) {
  const { verification } = take;
  if (!verification) return texts.verification.none;
  if (verification.state !== "done") {
    return texts.verification[verification.state] + (verification.message ? `: ${verification.message}` : "");
  }
  return verification.isValid ? texts.verification.valid : texts.verification.invalid(verification.message);
}

/** The state or result of a take, in one line. */
function facts(take) {
  if (take.isOver) return texts.over(fileName(take));
  if (take.isRunning) return texts.running(take.movie.split("/").pop(), take.duration);
  return takeLine(take);
}

/** The takes of the chosen channel, and a dialog that shows one, frame by frame or as a proxy. */
export class TakeList {
  constructor({ mayOperate }) {
    this.mayOperate = mayOperate;
    this.takes = [];
    // Takes by ID that were reported since a list was requested.
    this.told = new Map();
    part("take-close").addEventListener("click", () => part("take-dialog").close());
    part("take-dialog").addEventListener("close", () => this.leave());
    part("take-slider").addEventListener("input", () => this.show(Number(part("take-slider").value)));
    part("take-before").addEventListener("click", () => this.show(this.frame - 1));
    part("take-after").addEventListener("click", () => this.show(this.frame + 1));
    part("take-newest").addEventListener("click", () => this.show(Infinity));
    part("take-verify").addEventListener("click", () => this.ask("verify"));
    part("take-proxy").addEventListener("click", () => this.ask("proxy"));
    part("take-dialog").addEventListener("keydown", (event) => {
      if (event.target.matches("input, video")) return;
      if (event.key === "ArrowLeft") this.show(this.frame - 1);
      if (event.key === "ArrowRight") this.show(this.frame + 1);
    });
  }

  /** Prepares for a requested list, which may lack takes reported while it is on its way. */
  expect() {
    this.told.clear();
  }

  /** Lists takes, the latest first. */
  list(channel, takes) {
    // The open take's frames come from the list's channel.
    if (channel !== this.channel) {
      part("take-dialog").close();
      this.told.clear();
    }
    this.channel = channel;
    const listed = new Map(takes.map((take) => [take.id, take]));
    this.takes = [...new Map([...listed, ...this.told]).values()];
    this.draw();
  }

  draw() {
    const items = [...this.takes].reverse().map((take) => this.item(take));
    const focused = document.activeElement.closest("#takes") ? document.activeElement.dataset.take : undefined;
    part("takes").replaceChildren(...(this.running ? [this.runningItem()] : []), ...items);
    // The focused element was replaced.
    if (focused !== undefined) this.focus(focused);
  }

  /** Focuses a take's button, or that of the latest take if it is no longer listed. */
  focus(id) {
    const buttons = [...part("takes").querySelectorAll("button")];
    (buttons.find((button) => button.dataset.take === id) ?? buttons[0])?.focus({ preventScroll: true });
  }

  /** Sets the take that the chosen channel is recording; null for none. */
  recording(take) {
    const name = take ? fileName(take) : null;
    if (this.running === name) return;
    this.running = name;
    this.draw();
  }

  /** Adds or updates a take. */
  update(channel, take) {
    if (channel !== this.channel) return;
    this.told.set(take.id, take);
    this.list(channel, this.takes);
    if (this.open?.id !== take.id) return;
    const wasRunning = this.open.isRunning;
    this.open = take;
    if (wasRunning) {
      clearInterval(this.timer);
      this.unroll();
    }
    this.render();
  }

  /** The list item of the running take, for looking back at it. */
  runningItem() {
    const item = make("li", undefined, "take");
    const button = make("button", texts.lookBackShort);
    button.type = "button";
    button.id = "look-back";
    button.dataset.take = "running";
    button.setAttribute("aria-label", texts.lookBack(this.running));
    button.addEventListener("click", () => this.lookBack());
    item.append(button, make("span", texts.started(this.running)));
    return item;
  }

  async lookBack() {
    const { channel } = this;
    try {
      const take = await this.runningTake();
      if (channel !== this.channel) return;
      this.enter(take);
      this.show(Infinity);
      clearInterval(this.timer);
      this.timer = setInterval(() => this.readOn(), 1000);
    } catch (error) {
      say(error.message);
    }
  }

  async runningTake() {
    return { ...(await api.runningTake(this.channel)), isRunning: true, movies: [] };
  }

  /** Updates the running take. If it has ended, its completed form will be listed. */
  async readOn() {
    const before = this.open;
    const take = await this.runningTake().catch((error) => (error.status === 404 ? null : undefined));
    // Nothing is known, or another take is being viewed by now.
    if (take === undefined || this.open !== before || !before?.isRunning) return;
    // A movie that has just begun cannot be read yet.
    if (!take && this.running === fileName(before)) return;
    if (take?.id !== before.id) return this.endLookBack();
    const isAnotherMovie = take.movie !== before.movie;
    this.open = take;
    if (isAnotherMovie) {
      this.unroll();
      this.show(Infinity);
    }
    this.render();
  }

  /** Ends looking back: the take's addresses no longer work, or lead to the next take. */
  endLookBack() {
    clearInterval(this.timer);
    this.open = { ...this.open, isOver: true };
    this.render();
  }

  item(take) {
    const item = make("li", undefined, "take");
    const button = make("button");
    button.type = "button";
    button.dataset.take = String(take.id);
    button.setAttribute("aria-label", texts.openTake(fileName(take)));
    const poster = document.createElement("img");
    poster.alt = "";
    poster.loading = "lazy";
    poster.src = this.address(take, "poster.jpg");
    poster.addEventListener("error", () => poster.remove());
    button.append(poster, make("span", texts.openTakeShort));
    button.addEventListener("click", () => this.enter(take));
    const words = make("span", texts.finished(fileName(take), take.duration, take.dropped));
    if (take.loudness?.integrated != null) words.append(make("small", ` ${texts.loudnessOfTake(take.loudness)}`));
    words.append(make("small", ` ${verdict(take)}`));
    const outcome = outcomeOf(take);
    if (outcome) words.append(make("strong", ` ${outcome}`));
    item.append(button, words);
    return item;
  }

  address(take, rest) {
    const takes = `/api/v1/channels/${encodeURIComponent(this.channel)}/takes`;
    // The next take's frames have the same address; keep the browser from reusing cached images.
    return take.isRunning ? `${takes}/running/${rest}?of=${take.id}-${take.movie}` : `${takes}/${take.id}/${rest}`;
  }

  enter(take) {
    this.open = take;
    this.unroll();
    this.render();
    if (!take.isRunning) this.show(0);
    part("take-dialog").showModal();
  }

  unroll() {
    const take = this.open;
    part("take-strip").replaceChildren(
      ...Array.from({ length: STRIP }, (_, index) => {
        const frame = Math.floor(((pictureCount(take) - 1) * index) / (STRIP - 1));
        const button = make("button");
        button.type = "button";
        button.setAttribute("aria-label", texts.showFrame(frame));
        const picture = document.createElement("img");
        picture.alt = "";
        picture.src = this.address(take, take.isRunning ? `frames/${frame}.jpg` : `strip/${index}.jpg`);
        button.append(picture);
        button.addEventListener("click", () => this.show(frame));
        return button;
      }));
  }

  leave() {
    clearInterval(this.timer);
    // The button that opened the dialog may have been replaced meanwhile, which would lose the
    // focus.
    if (document.activeElement === document.body) this.focus(this.open?.isRunning ? "running" : String(this.open?.id));
    this.open = null;
    part("take-videos").replaceChildren();
  }

  /** Shows a frame. If the slider is faster than loading, skips to the latest frame wanted. */
  async show(frame) {
    const take = this.open;
    if (!take || take.isOver) return;
    this.frame = Math.max(0, Math.min(pictureCount(take) - 1, frame));
    part("take-slider").value = String(this.frame);
    this.renderNumber();
    if (this.isLoading) return;
    this.isLoading = true;
    const wanted = this.frame;
    const picture = part("take-frame");
    picture.alt = texts.frameLabel(fileName(take), wanted);
    picture.src = this.address(take, `frames/${wanted}.jpg`);
    await picture.decode().catch(() => {});
    this.isLoading = false;
    part("take-frame").dataset.frame = String(wanted);
    if (this.open && this.frame !== wanted) this.show(this.frame);
  }

  renderNumber() {
    part("take-number").textContent = texts.frameOf(this.frame ?? 0, pictureCount(this.open));
  }

  render() {
    const take = this.open;
    part("take-slider").max = String(Math.max(0, pictureCount(take) - 1));
    this.renderNumber();
    part("take-title").textContent = fileName(take);
    for (const element of document.querySelectorAll("#take-slider, .frames button, #take-strip button")) {
      element.disabled = Boolean(take.isOver);
    }
    part("take-facts").textContent = `${facts(take)} ${take.startTimecode ?? ""}`;
    part("take-newest").hidden = !take.isRunning;
    part("take-work").hidden = take.isRunning;
    part("take-verdict").textContent = take.isRunning ? "" : verdict(take);
    part("take-proxy-state").textContent = take.isRunning ? "" : take.proxy
      ? texts.proxyStates[take.proxy.state] + (take.proxy.message ? `: ${take.proxy.message}` : "")
      : texts.proxyStates.none;
    const isBusy = (job) => job?.state === "waiting" || job?.state === "running";
    part("take-verify").disabled = !this.mayOperate() || isBusy(take.verification);
    part("take-proxy").disabled = !this.mayOperate() || isBusy(take.proxy) || take.proxy?.state === "done";
    const link = (text, rest, name) => {
      const anchor = make("a", text);
      anchor.href = this.address(take, rest);
      anchor.download = name;
      return anchor;
    };
    const movies = take.movies.map((name, index) =>
      link(texts.download(name.split("/").pop()), `movies/${index + 1}`, name.split("/").pop()));
    const markers = ["csv", "edl", "fcpxml"].map((kind) => link(texts.markersAs(kind), `markers.${kind}`, ""));
    part("take-links").replaceChildren(...(take.isRunning ? [] : [...(this.mayOperate() ? movies : []), ...markers]));
    const videos = part("take-videos");
    const count = take.proxy?.state === "done" ? take.movies.length : 0;
    if (videos.children.length !== count) {
      videos.replaceChildren(
        ...take.movies.slice(0, count).map((name, index) => {
          const video = document.createElement("video");
          [video.controls, video.preload] = [true, "metadata"];
          video.setAttribute("aria-label", texts.proxyOf(name.split("/").pop()));
          video.src = this.address(take, `movies/${index + 1}/proxy.mp4`);
          return video;
        }));
    }
  }

  async ask(job) {
    try {
      await api.job(this.channel, this.open.id, job);
    } catch (error) {
      part(job === "verify" ? "take-verdict" : "take-proxy-state").textContent = error.message;
    }
  }
}
