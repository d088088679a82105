/** A tone of two notes for alarms. Off until switched on. */
export class AlarmSound {
  constructor() {
    this.isOn = false;
    this.count = 0;
  }

  /** Browsers allow sound only after the user has pressed something. */
  turn(isOn) {
    this.isOn = isOn;
    if (!isOn) return;
    this.context ??= new AudioContext();
    this.context.resume();
    this.play();
  }

  /** Sounds the tone for a new alarm. */
  ring() {
    if (this.isOn) this.play();
  }

  play() {
    this.count += 1;
    const { context } = this;
    [880, 660].forEach((pitch, index) => {
      const start = context.currentTime + 0.25 * index;
      const [tone, volume] = [context.createOscillator(), context.createGain()];
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(0, start);
      volume.gain.linearRampToValueAtTime(0.3, start + 0.02);
      volume.gain.linearRampToValueAtTime(0, start + 0.22);
      tone.connect(volume).connect(context.destination);
      tone.start(start);
      tone.stop(start + 0.25);
    });
  }
}
