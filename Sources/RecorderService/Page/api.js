import { texts } from "./texts.js";

/** What the gateway refused, with its own words. */
export class Refusal extends Error {
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

/** A WebSocket that comes back: `open` and `close` are told, `message` gets what comes. */
export class Stream {
  constructor(path, { open = () => {}, close = () => {}, message }) {
    this.path = path;
    this.handlers = { open, close, message };
    this.pause = 300;
    this.connect();
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/v1${this.path}`);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.pause = 300;
      this.handlers.open(this);
    };
    socket.onmessage = (event) => this.handlers.message(event.data);
    socket.onclose = () => {
      if (this.isEnded) return;
      this.handlers.close();
      setTimeout(() => this.connect(), this.pause);
      this.pause = Math.min(this.pause * 1.6, 3000);
    };
    this.socket = socket;
  }

  send(value) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(value));
  }

  end() {
    this.isEnded = true;
    this.socket.close();
  }
}
