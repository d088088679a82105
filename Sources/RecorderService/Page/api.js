import { texts } from "./texts.js";

/** A refusal by the gateway, with its reason. */
class Refusal extends Error {
  constructor(status, body) {
    super(body?.error?.message ?? texts.refusedWithoutReason(status));
    this.status = status;
  }
}

/** The timeout for queries in milliseconds; while connected, commands wait for as long as their recorder takes. */
const PATIENCE = 8000;

/** Commands still waiting for a reply. */
const orders = new Set();
let isReached = false;

/**
 * Reports whether the gateway is connected. When the connection is lost, all unanswered commands are aborted,
 * and further ones time out soon. A browser would deliver pending requests once the network is back, perhaps
 * minutes later, when nobody wants them any more.
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
    // The browser's own message would mean nothing to the user.
    throw new Error(texts.noAnswer);
  });
  const value = response.status === 204 ? null : await response.json().catch(() => null);
  if (!response.ok) throw new Refusal(response.status, value);
  return value;
}

/** Without an answer, the result of a command is unknown, and the user is told so. */
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
/** The gateway sends something at least every five seconds. */
const SILENCE = 7000;
const LOOK = 1000;
const pass = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/**
 * A WebSocket that reconnects. `open` and `close` are called as it does; `message` gets what arrives, text parsed
 * as JSON; `refused` gets the reason if the gateway refuses a request. `logIn` runs before each reconnection, so
 * that an expired token is not tried over and over.
 *
 * A silent connection is treated as closed: nothing else reveals a broken network, or that the machine slept.
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

  /** Something was received. */
  hear() {
    [this.heardAt, this.isSuspect] = [Date.now(), false];
  }

  /** Uses wall-clock time, which advances while the machine sleeps, but may also be set back. */
  look() {
    if (!this.socket || Math.abs(Date.now() - this.heardAt) < SILENCE) return;
    // A page that was suspended still has messages to read, so check once more.
    if (this.isSuspect) this.lose();
    this.isSuspect = true;
  }

  lose() {
    const { socket } = this;
    this.socket = null;
    // The socket may take minutes to close; its events no longer matter then.
    [socket.onopen, socket.onmessage, socket.onclose] = [null, null, null];
    socket.close();
    if (this.isEnded) return;
    this.handlers.close();
    this.comeBack();
  }

  take(message) {
    if (message.error) return this.handlers.refused(message.error.message);
    // Even a connection that is turned away opens first. Only a served message means that all is
    // well.
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
