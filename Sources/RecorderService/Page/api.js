import { texts } from "./texts.js";

/** What the gateway refused, with its own words. */
class Refusal extends Error {
  constructor(status, body) {
    super(body?.error?.message ?? texts.refusedWithoutReason(status));
    this.status = status;
  }
}

/** How long a question may take; an order takes as long as its recorder does, while there is a connection. */
const PATIENCE = 8000;

/** Orders whose answers are awaited. */
const orders = new Set();
let isReached = false;

/**
 * The gateway is reached, or no more: then all orders that are not answered are taken back, and those that are
 * given all the same are not tried for long. A browser would deliver what has not left yet as soon as the network
 * is back, be it minutes later: nobody means it then.
 */
export function reach(isConnected) {
  isReached = isConnected;
  if (!isConnected) for (const order of orders) order.abort();
}

async function ask(method, path, body, signal = AbortSignal.timeout(PATIENCE)) {
  const options = { method, headers: {}, cache: "no-store", signal };
  if (body !== undefined) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  const response = await fetch(`/api/v1${path}`, options).catch(() => {
    // A browser's own words tell nobody who is meant.
    throw new Error(texts.noAnswer);
  });
  const value = response.status === 204 ? null : await response.json().catch(() => null);
  if (!response.ok) throw new Refusal(response.status, value);
  return value;
}

/** Whoever is left without an answer does not know what has become of the order, and is told so. */
async function order(path, values) {
  const control = new AbortController();
  orders.add(control);
  const timer = isReached ? null : setTimeout(() => control.abort(), PATIENCE);
  try {
    return await ask("POST", path, values, control.signal);
  } catch (error) {
    throw error instanceof Refusal ? error : new Error(texts.unanswered);
  } finally {
    clearTimeout(timer);
    orders.delete(control);
  }
}

export const api = {
  session: () => ask("GET", "/session"),
  enter: (token) => ask("POST", "/session", { token }),
  channels: () => ask("GET", "/channels"),
  takes: (channel) => ask("GET", `/channels/${encodeURIComponent(channel)}/takes`),
  runningTake: (channel) => ask("GET", `/channels/${encodeURIComponent(channel)}/takes/running`),
  job: (channel, take, job) =>
    ask("POST", `/channels/${encodeURIComponent(channel)}/takes/${take}/${job}`, {}),
  presets: () => ask("GET", "/presets"),
  order: (channel, action, values = {}) => order(`/channels/${encodeURIComponent(channel)}/${action}`, values),
  orderAll: (action, values = {}) => order(`/${action}`, values),
};

const SHORTEST = 300;
const LONGEST = 3000;
/** The gateway says something at least every five seconds. */
const SILENCE = 7000;
const LOOK = 1000;
const pass = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/**
 * A WebSocket that comes back: `open` and `close` are told. `message` gets what comes, a text as the value
 * of its JSON; `refused` the words where the gateway does not do what was asked. `logIn` goes before each
 * time that it comes back: a token that is no longer good is not tried over and over.
 *
 * One that has gone silent is as good as closed: where a network is cut, or a machine has slept, nothing else
 * tells.
 */
export class Stream {
  constructor(path, { logIn, open = () => {}, close = () => {}, message, refused = () => {} }) {
    this.path = path;
    this.handlers = { logIn, open, close, message, refused };
    this.pause = SHORTEST;
    this.timer = setInterval(() => this.look(), LOOK);
    this.connect();
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/v1${this.path}`);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.hear();
      this.handlers.open(this);
    };
    socket.onmessage = ({ data }) => {
      this.hear();
      this.take(typeof data === "string" ? JSON.parse(data) : data);
    };
    socket.onclose = () => this.lose();
    this.socket = socket;
    this.hear();
  }

  /** Something has come. */
  hear() {
    [this.heardAt, this.isSuspect] = [Date.now(), false];
  }

  /** By the clock of the day, which goes on while the machine sleeps, and may be set back. */
  look() {
    if (!this.socket || Math.abs(Date.now() - this.heardAt) < SILENCE) return;
    // A page that was held has its messages still to read: it looks once more.
    if (this.isSuspect) this.lose();
    this.isSuspect = true;
  }

  lose() {
    const { socket } = this;
    this.socket = null;
    // Its end may take minutes, and is no news then.
    [socket.onopen, socket.onmessage, socket.onclose] = [null, null, null];
    socket.close();
    if (this.isEnded) return;
    this.handlers.close();
    this.comeBack();
  }

  take(message) {
    if (message.error) return this.handlers.refused(message.error.message);
    // Whoever is turned away was let in first: only what is served tells that all is well.
    this.pause = SHORTEST;
    if (message.event !== "alive") this.handlers.message(message);
  }

  async comeBack() {
    await pass(this.pause);
    this.pause = Math.min(this.pause * 1.6, LONGEST);
    if (this.isEnded) return;
    const isIn = await this.handlers.logIn().then(() => true, () => false);
    if (this.isEnded) return;
    if (isIn) this.connect();
    else this.comeBack();
  }

  send(value) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(value));
  }

  end() {
    this.isEnded = true;
    clearInterval(this.timer);
    this.socket?.close();
  }
}
