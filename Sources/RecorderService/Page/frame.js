import { Painter } from "./aids.js";
import { fillOptions, part, say, setText } from "./elements.js";
import { drawGuides } from "./guides.js";
import { FRESH } from "./state.js";
import { texts } from "./texts.js";

// The largest region of the source that the gateway sends.
const LONGEST = [1920, 1080];
const STEPS = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] };

/**
 * The video of the chosen channel, large, in its frame: with aids, desqueezed and zoomed.
 * `regionChanged` is called when another region of the source is to be shown.
 */
export class Frame {
  constructor(state, { regionChanged }) {
    this.state = state;
    this.regionChanged = regionChanged;
    this.painter = new Painter();
    this.desqueeze = 1;
    // 0 shows one source pixel for each screen pixel.
    this.zoom = 1;
    // The center of the visible part, as shares of the image.
    this.center = [0.5, 0.5];
    // Width and height of the source shown; null before the first image.
    this.source = null;
    this.aspect = 16 / 9;
    // The region of the source that is shown, in shares; undefined for all of it.
    this.seen = undefined;
    // When the image shown arrived; null for none.
    this.shownAt = null;
    // The position of the pointer that drags the image; null if it is not dragged.
    this.drag = null;
    this.listen();
  }

  listen() {
    fillOptions(part("desqueeze"), texts.desqueezes);
    part("desqueeze").addEventListener("change", () => {
      this.desqueeze = Number(part("desqueeze").value);
      this.layOut();
      this.drawGuides();
    });
    fillOptions(part("zoom"), texts.zooms);
    part("zoom").addEventListener("change", () => this.zoomTo(Number(part("zoom").value)));
    window.addEventListener("resize", () => this.zoom === 0 && this.lookCloser());
    part("frame").addEventListener("keydown", (event) => {
      const step = STEPS[event.key];
      if (!step || this.zoom === 1) return;
      event.preventDefault();
      this.move(...step);
    });
    this.listenToPointer(part("frame"));
    part("snapshot").addEventListener("click", ({ target }) => {
      const time = new Date().toLocaleString("sv").replace(/:/g, "-");
      target.download = texts.snapshotName(this.state.entry?.status.title ?? this.state.chosen, time);
    });
  }

  /** Touch and pen events have positions, but not all browsers report how far they moved. */
  listenToPointer(frame) {
    frame.addEventListener("pointerdown", ({ button, pointerId, clientX, clientY }) => {
      if (this.zoom === 1 || button !== 0) return;
      this.drag = [clientX, clientY];
      frame.setPointerCapture(pointerId);
    });
    frame.addEventListener("pointermove", ({ clientX, clientY }) => {
      if (this.zoom === 1 || !this.drag) return;
      const { width, height } = frame.getBoundingClientRect();
      const [x, y] = this.drag;
      this.drag = [clientX, clientY];
      this.move((x - clientX) / width, (y - clientY) / height);
    });
    for (const end of ["pointerup", "pointercancel"]) {
      frame.addEventListener(end, () => {
        this.drag = null;
      });
    }
  }

  // MARK: Images

  /** Prepares for the video of another channel, or of none. */
  expect(name) {
    part("canvas").dataset.frames = "0";
    if (name === null) part("snapshot").removeAttribute("href");
    else part("snapshot").href = `/api/v1/channels/${encodeURIComponent(name)}/snapshot.jpg`;
    part("no-picture").hidden = false;
  }

  clear() {
    const canvas = part("canvas");
    canvas.getContext("2d").clearRect(0, 0, canvas.width, canvas.height);
    setText(part("timecode"), "");
    part("no-picture").hidden = false;
    this.shownAt = null;
    this.age(0);
  }

  /**
   * Marks an image as old if no other one has followed, and hides its timecode; returns whether it is old.
   */
  age(now) {
    const seconds = this.shownAt === null ? 0 : (now - this.shownAt) / 1000;
    const isOld = seconds > FRESH;
    part("frame").classList.toggle("old", isOld);
    setText(part("old-picture"), isOld ? texts.oldPicture(Math.floor(seconds)) : "");
    if (isOld) setText(part("timecode"), "");
    return isOld;
  }

  show(header, bitmap) {
    this.takeShape(header);
    const canvas = part("canvas");
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.save();
    if (this.state.aids.has("flip")) context.setTransform(-1, 0, 0, -1, canvas.width, canvas.height);
    const moves = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    context.drawImage(this.painter.paint(bitmap, this.state.aids, moves ? header.number : 0), 0, 0);
    context.restore();
    canvas.dataset.frames = String(Number(canvas.dataset.frames ?? 0) + 1);
    canvas.dataset.number = String(header.number);
    canvas.dataset.region = header.region ? JSON.stringify(header.region) : "";
    // For measuring latency.
    canvas.dataset.captured = String(header.captureTime);
    canvas.dataset.shown = String((performance.timeOrigin + performance.now()) / 1000);
    part("no-picture").hidden = true;
    setText(part("timecode"), header.timecode ?? "");
    this.shownAt = performance.now();
    this.age(this.shownAt);
  }

  takeShape(header) {
    const [width, height] = this.source ?? [];
    this.source = [header.sourceWidth, header.sourceHeight];
    // From another channel, or after a change of signal.
    const isOther = width !== header.sourceWidth || height !== header.sourceHeight;
    if (isOther && this.zoom === 0) this.lookCloser();
    const canvas = part("canvas");
    const before = JSON.stringify([canvas.width, canvas.height, this.aspect, this.seen]);
    const [ratioWidth, ratioHeight] = header.pixelAspectRatio.split(":").map(Number);
    // A region fills the frame of the whole image.
    if (!header.region) this.aspect = (header.width * (ratioWidth / ratioHeight || 1)) / header.height;
    this.seen = header.region ? this.shares(header.region) : undefined;
    if (JSON.stringify([header.width, header.height, this.aspect, this.seen]) === before) return;
    for (const element of [canvas, part("guides")]) {
      [element.width, element.height] = [header.width, header.height];
    }
    this.layOut();
    this.drawGuides();
  }

  shares({ x, y, width, height }) {
    const [w, h] = this.source;
    return { x: x / w, y: y / h, width: width / w, height: height / h };
  }

  drawGuides() {
    const { seen } = this;
    // A flipped image shows the region from its other end.
    const turned = seen && this.state.aids.has("flip")
      ? { ...seen, x: 1 - seen.x - seen.width, y: 1 - seen.y - seen.height } : seen;
    drawGuides(part("guides"), this.state.aids, this.aspect * this.desqueeze, turned);
  }

  /** Lays out the frame's shape, and the visible part of the image. */
  layOut() {
    const { zoom } = this;
    part("frame").classList.toggle("near", zoom !== 1);
    part("frame").style.aspectRatio = String(this.aspect * this.desqueeze);
    if (zoom === 0) {
      for (const id of ["canvas", "guides"]) part(id).style.transform = "";
      part("frame").tabIndex = 0;
      return;
    }
    const [x, y] = this.center.map((place) => Math.max(0.5 / zoom, Math.min(1 - 0.5 / zoom, place)));
    this.center = [x, y];
    const shift = (place) => `${(100 * (0.5 - place) * zoom).toFixed(3)}%`;
    for (const id of ["canvas", "guides"]) {
      part(id).style.transform = zoom === 1 ? "" : `translate(${shift(x)}, ${shift(y)}) scale(${zoom})`;
    }
    part("frame").tabIndex = zoom === 1 ? -1 : 0;
  }

  // MARK: Zoom

  /**
   * The region of the source that fills the frame at one source pixel for each screen pixel; null for the whole
   * image.
   */
  regionWanted() {
    if (this.zoom !== 0 || !this.source) return null;
    const { clientWidth, clientHeight } = part("frame");
    const scale = window.devicePixelRatio || 1;
    const size = [clientWidth, clientHeight].map((side, axis) =>
      Math.max(2, Math.min(Math.round(side * scale) & ~1, this.source[axis], LONGEST[axis])));
    this.center = this.center.map((place, axis) => {
      const half = size[axis] / 2 / this.source[axis];
      return Math.max(half, Math.min(1 - half, place));
    });
    const [x, y] = this.center.map((place, axis) => Math.round(place * this.source[axis] - size[axis] / 2));
    return { x, y, width: size[0], height: size[1] };
  }

  /** The gateway refused the region: show the whole image again. */
  refuseRegion(message) {
    say(message);
    this.zoomTo(1);
  }

  zoomTo(value) {
    const wasCloser = this.zoom === 0;
    [this.zoom, this.center] = [value, [0.5, 0.5]];
    part("zoom").value = String(value);
    this.layOut();
    if (value === 0 || wasCloser) this.lookCloser();
  }

  /** Requests the visible region, once for all movements between two screen refreshes. */
  lookCloser() {
    if (this.isLooking) return;
    this.isLooking = true;
    requestAnimationFrame(() => {
      this.isLooking = false;
      this.regionChanged();
    });
  }

  move(x, y) {
    const region = this.regionWanted();
    const share = region
      ? [region.width / this.source[0], region.height / this.source[1]]
      : [1 / this.zoom, 1 / this.zoom];
    this.center = [this.center[0] + x * share[0], this.center[1] + y * share[1]];
    this.layOut();
    if (region) this.lookCloser();
  }
}
