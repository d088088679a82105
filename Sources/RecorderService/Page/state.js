/**
 * State shared by the parts of the page, which get it when they are created. Code that changes it redraws what
 * depends on it.
 */
export class PageState {
  constructor() {
    this.role = "view";
    // To the gateway; a recorder's connection is in its channel's status.
    this.isConnected = false;
    // Set once a connection failed or ended: a page just opened has lost nothing.
    this.isLost = false;
    // By name, in the order of their tiles: the last `status`, the parts of the tile, the
    // `monitor`; why there is no video (`refusal`), and when the last one arrived (`pictureAt`);
    // when the take last grew (`grownAt`), and for how many seconds it has had no new frame
    // (`stillFor`).
    this.channels = new Map();
    // The name of the channel shown large; null for none.
    this.chosen = null;
    this.scopes = new Set(["waveform"]);
    this.aids = new Set();
    // The last known share of the frame outside the legal range.
    this.excess = null;
  }

  /** The channel shown large; undefined for none. */
  get entry() {
    return this.channels.get(this.chosen);
  }
}

/** The seconds for which a frame or levels count as current. */
export const FRESH = 3;

export const isRecording = (status) => status?.recorder?.state === "recording";

/** The date of the scheduled start; null for none. */
export const startDate = (status) => status?.recorder?.armed?.date ?? null;

/** The number of the take being recorded; 0 for none. */
export const takeNumber = (status) => (isRecording(status) ? status.recorder.take?.number ?? 0 : 0);
