import { texts } from "./texts.js";

/** What the gateway refused, with its own words. */
class Refusal extends Error {
  constructor(status, body) {
    super(body?.error?.message ?? `${texts.disconnected} (${status})`);
    this.status = status;
  }
}

async function ask(method, path, body) {
  const options = { method, headers: {}, cache: "no-store" };
  if (body !== undefined) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  const response = await fetch(`/api/v1${path}`, options);
  const value = response.status === 204 ? null : await response.json().catch(() => null);
  if (!response.ok) throw new Refusal(response.status, value);
  return value;
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
  order: (channel, action, values = {}) =>
    ask("POST", `/channels/${encodeURIComponent(channel)}/${action}`, values),
  orderAll: (action, values = {}) => ask("POST", `/${action}`, values),
};

const SHORTEST = 300;
const LONGEST = 3000;
const pass = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/**
 * A WebSocket that comes back: `open` and `close` are told. `message` gets what comes, a text as the value
 * of its JSON; `refused` the words where the gateway does not do what was asked. `logIn` goes before each
 * time that it comes back: a token that is no longer good is not tried over and over.
 */
export class Stream {
  constructor(path, { logIn, open = () => {}, close = () => {}, message, refused = () => {} }) {
    this.path = path;
    this.handlers = { logIn, open, close, message, refused };
    this.pause = SHORTEST;
    this.connect();
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/v1${this.path}`);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => this.handlers.open(this);
    socket.onmessage = ({ data }) => this.take(typeof data === "string" ? JSON.parse(data) : data);
    socket.onclose = () => {
      if (this.isEnded) return;
      this.handlers.close();
      this.comeBack();
    };
    this.socket = socket;
  }

  take(message) {
    if (message.error) return this.handlers.refused(message.error.message);
    // Whoever is turned away was let in first: only what is served tells that all is well.
    this.pause = SHORTEST;
    this.handlers.message(message);
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
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(value));
  }

  end() {
    this.isEnded = true;
    this.socket.close();
  }
}
