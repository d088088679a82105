const HOLD = 1000;

/**
 * A button that acts when it, or its key, is held for a second, and that asks when it is pressed briefly, or by
 * something that cannot hold it, such as a screen reader.
 * Both handlers get what `subject` returned at the press, whatever has changed on the page meanwhile.
 */
export class Hold {
  constructor(button, { subject, held, pressed }) {
    [this.button, this.press, this.isPointed] = [button, null, false];
    [this.subject, this.held, this.pressed] = [subject, held, pressed];
    button.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      this.isPointed = true;
      // Touch pointers are captured by default. Releasing the capture lets sliding off cancel, as
      // with a mouse.
      if (event.target.hasPointerCapture(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
      this.begin("pointer");
    });
    button.addEventListener("pointerup", () => this.release("pointer"));
    button.addEventListener("pointerleave", () => this.cancel());
    // Handles clicks not made by a pointer; those were handled above.
    button.addEventListener("click", () => {
      if (!this.isPointed) this.pressed(this.subject());
      this.isPointed = false;
    });
    for (const end of ["pointerup", "pointercancel"]) {
      // After the click, which may follow a touch with delay, and never comes if the button is
      // disabled by then.
      document.addEventListener(end, () => setTimeout(() => {
        this.isPointed = false;
      }, 500));
    }
    // Browsers click when a key is released.
    button.addEventListener("keyup", (event) => event.preventDefault());
    button.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      if (!event.repeat) this.begin(event.code);
    });
    // Wherever the focus has moved.
    document.addEventListener("keyup", (event) => this.release(event.code));
    // The page may not see the key being released.
    window.addEventListener("blur", () => this.cancel());
    document.addEventListener("visibilitychange", () => this.cancel());
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) this.cancel();
    });
  }

  /** Starts a press by `by`: the code of a key, or `pointer`. */
  begin(by) {
    if (this.press || this.button.disabled) return;
    const subject = this.subject();
    const timer = setTimeout(() => {
      this.cancel();
      this.held(subject);
    }, HOLD);
    this.press = { by, subject, timer };
    this.button.classList.add("held");
  }

  release(by) {
    if (this.press?.by !== by) return;
    const { subject } = this.press;
    this.cancel();
    this.pressed(subject);
  }

  cancel() {
    clearTimeout(this.press?.timer);
    this.press = null;
    this.button.classList.remove("held");
  }
}
