// Finding, creating and labelling elements of the page.
import { texts } from "./texts.js";

export const part = (id) => document.getElementById(id);

export function make(name, text, className) {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  if (className) element.className = className;
  return element;
}

/** Changes text only if it differs: a screen reader reads each change of a status aloud. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Shows the result of a command: beside the buttons, and below the video, which may fill the screen. */
export function say(text) {
  setText(part("answer"), text);
  setText(part("picture-answer"), text);
}

/** Fills in the texts of the HTML. */
export function fillWords() {
  for (const element of document.querySelectorAll("[data-text]")) {
    element.textContent = texts[element.dataset.text];
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", texts[element.dataset.label]);
  }
}

/** Buttons that add names to a set, or remove them. */
export function fillToggles(container, names, selected, changed) {
  for (const [name, text] of Object.entries(names)) {
    const button = make("button", text);
    button.type = "button";
    button.dataset.name = name;
    button.setAttribute("aria-pressed", String(selected.has(name)));
    button.addEventListener("click", () => {
      if (!selected.delete(name)) selected.add(name);
      button.setAttribute("aria-pressed", String(selected.has(name)));
      changed();
    });
    container.append(button);
  }
}

export function fillOptions(select, values) {
  select.replaceChildren(
    ...values.map(([value, text]) => {
      const option = make("option", text);
      option.value = String(value);
      return option;
    }));
}
