/**
 * State shared by the parts of the page, which get it when they are made. Whoever changes it redraws what
 * depends on it.
 */
export class PageState {
  constructor() {
    this.role = "view";
    // To the gateway; whether a recorder is reached is its channel's status.
    this.isConnected = false;
    // Once it has been tried in vain, or has ended: a page that has just been opened has lost nothing.
    this.isLost = false;
    // By name, in the order of their tiles: the `status` that was told last, the parts of the tile, the
    // `monitor`; why there is no picture (`refusal`), and when the latest one came (`pictureAt`);
    // when a take was told to be longer (`grownAt`), and for how many seconds it has got no frame (`stillFor`).
    this.channels = new Map();
    // The name of the channel that is shown large; null for none.
    this.chosen = null;
    this.scopes = new Set(["waveform"]);
    this.aids = new Set();
    // How much of the picture is outside the legal range, as it was told last.
    this.excess = null;
  }

  /** The channel that is shown large; undefined for none. */
  get entry() {
    return this.channels.get(this.chosen);
  }
}

/** Seconds for which a picture, or levels, are of now. */
export const FRESH = 3;

export const isRecording = (status) => status?.recorder?.state === "recording";

/** The date of the start that is set; null for none. */
export const startDate = (status) => status?.recorder?.armed?.date ?? null;

/** The number of the take that is recorded; 0 for none. */
export const takeNumber = (status) => (isRecording(status) ? status.recorder.take?.number ?? 0 : 0);
