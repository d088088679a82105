const HOLD = 1000;

/**
 * A button that acts where it, or its key, is held for a second, and asks where it is pressed shortly, or by
 * something that cannot hold it, such as a screen reader.
 * Both get what `subject` told when it was pressed, whatever has become of the page meanwhile.
 */
export class Hold {
  constructor(button, { subject, held, pressed }) {
    [this.button, this.press, this.isPointed] = [button, null, false];
    [this.subject, this.held, this.pressed] = [subject, held, pressed];
    button.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      this.isPointed = true;
      // A finger stays with what it has touched first, unless it is let go: sliding off cancels, as with a mouse.
      if (event.target.hasPointerCapture(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
      this.begin("pointer");
    });
    button.addEventListener("pointerup", () => this.release("pointer"));
    button.addEventListener("pointerleave", () => this.cancel());
    // One that no pointer has made: all else has been told by then.
    button.addEventListener("click", () => {
      if (!this.isPointed) this.pressed(this.subject());
      this.isPointed = false;
    });
    for (const end of ["pointerup", "pointercancel"]) {
      // Behind the click, which a finger's may be a while later; there is none where the button is disabled by then.
      document.addEventListener(end, () => setTimeout(() => {
        this.isPointed = false;
      }, 500));
    }
    // A browser clicks at the end of a key that was let go.
    button.addEventListener("keyup", (event) => event.preventDefault());
    button.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      if (!event.repeat) this.begin(event.code);
    });
    // Wherever the focus has gone since.
    document.addEventListener("keyup", (event) => this.release(event.code));
    // The page may not hear any more how the key is let go.
    window.addEventListener("blur", () => this.cancel());
    document.addEventListener("visibilitychange", () => this.cancel());
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) this.cancel();
    });
  }

  /** Something is pressed: the code of a key, or `pointer`. */
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
