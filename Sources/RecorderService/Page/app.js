// Entry point: creates the parts of the page, wires them up, and connects to the gateway.
import { Alarms } from "./alarms.js";
import { api, reach, Stream } from "./api.js";
import { ChannelList } from "./channels.js";
import { fillWords, part, setText } from "./elements.js";
import { Frame } from "./frame.js";
import { Instruments } from "./instruments.js";
import { write, writeEvent } from "./journal.js";
import { Keys } from "./keys.js";
import { Levels } from "./levels.js";
import { logIn } from "./login.js";
import { Panel } from "./panel.js";
import { isRecording, PageState, startDate } from "./state.js";
import { Steering } from "./steering.js";
import { TakeList } from "./takes.js";
import { texts } from "./texts.js";

fillWords();

// MARK: Parts

const state = new PageState();
const frame = new Frame(state, { regionChanged: () => channels.wishAgain() });
const instruments = new Instruments(state, frame.painter, {
  scopesChanged: () => channels.wishAgain(),
  aidsChanged: () => frame.drawGuides(),
});
const takeList = new TakeList({ mayOperate: () => state.role === "operate" });
const steering = new Steering(state);
const alarms = new Alarms(state);
const panel = new Panel(state, { alarms, takeList, hold: steering.hold });
const channels = new ChannelList(state, { frame, instruments, levels: new Levels() }, {
  logIn: identify,
  leave: () => {
    steering.hold.cancel();
    // The selected preset belongs to another channel.
    part("preset").value = "";
  },
  chosen: () => {
    loadTakes();
    steering.followPreset();
    panel.render();
  },
  removed: (title) => write(`${title}: ${texts.removed}`),
  changed: () => {
    steering.followPreset();
    panel.render();
  },
});
new Keys(state, steering, { choose: (name) => channels.choose(name) });
/** Runs work with the browser's storage, if it is available. */
function withKept(work) {
  try {
    work(localStorage);
  } catch { /* The choice then lasts until the page is closed. */ }
}
withKept(({ theme }) => {
  if (theme) document.documentElement.dataset.theme = theme;
});
part("theme").addEventListener("click", () => {
  const isDark = getComputedStyle(document.documentElement).colorScheme.startsWith("dark");
  const theme = isDark ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  withKept((kept) => kept.setItem("theme", theme));
});

// MARK: Events

/** Logs in; the role may have changed. */
async function identify() {
  const { role } = await logIn();
  state.role = role;
  setText(part("role"), role === "operate" ? texts.roleOperate : texts.roleView);
  document.body.dataset.role = role;
}

async function loadTakes() {
  const name = state.chosen;
  // Clear the list of the previously chosen channel while loading.
  if (name !== takeList.channel) takeList.list(name, []);
  if (name === null) return;
  takeList.expect();
  try {
    const { takes } = await api.takes(name);
    // Another channel may have been chosen meanwhile.
    if (name === state.chosen) takeList.list(name, takes);
  } catch (error) {
    write(texts.noTakes(state.channels.get(name)?.status.title ?? name, error.message));
  }
}

function takeEvent(message) {
  const { event, channel } = message;
  if (event === "channel") return channels.update(channel, message.status);
  if (event === "removed") return channels.remove(channel);
  if (event === "take") return takeList.update(channel, message.take);
  const entry = state.channels.get(channel);
  writeEvent(entry?.status.title ?? channel, message);
}

function showConnection(isConnected) {
  [state.isConnected, state.isLost] = [isConnected, !isConnected];
  reach(isConnected);
  const told = [...state.channels.values()].map(({ status }) => status);
  setText(part("connection"), isConnected ? texts.connected : texts.disconnected({
    isRecording: told.some(isRecording), isArmed: told.some((status) => startDate(status) !== null),
  }));
  document.body.classList.toggle("lost", !isConnected);
  panel.render();
}

// MARK: Start

function enter(served) {
  part("main").hidden = false;
  for (const status of served) channels.add(status);
  channels.choose(served[0]?.name);
  instruments.layOutScopes();
  new Stream("/events", {
    logIn: identify,
    open: () => {
      showConnection(true);
      loadTakes();
      // They may have changed with a restart.
      steering.loadPresets().catch((error) => write(texts.noPresets(error.message)));
      channels.removeGone().catch(() => {});
    },
    close: () => showConnection(false),
    message: takeEvent,
  });
}

async function begin() {
  let served;
  try {
    await identify();
    ({ channels: served } = await api.channels());
  } catch (error) {
    setText(part("connection"), error.message);
    setTimeout(begin, 2000);
    return;
  }
  enter(served);
}

begin();
