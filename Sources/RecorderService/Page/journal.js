import { make, part } from "./elements.js";
import { takeLine } from "./takes.js";
import { texts } from "./texts.js";

const LONGEST = 100;

/** Adds a line to the journal, at the top. */
export function write(text) {
  const time = new Date().toLocaleTimeString();
  part("journal").prepend(make("li", `${time}  ${text}`));
  while (part("journal").children.length > LONGEST) part("journal").lastChild.remove();
}

/** Adds a recorder's event to the journal. */
export function writeEvent(title, { event, detail }) {
  const tell = (text) => write(`${title}: ${text}`);
  if (detail.message) tell(detail.message);
  if (event === "marker" && detail.marker) tell(`${texts.marked(detail.marker.frame)} ${detail.marker.note ?? ""}`);
  if (event === "takeStarted" && detail.take) tell(texts.started(detail.take.path));
  if (event === "takeFinished" && detail.finished) tell(takeLine(detail.finished));
}
