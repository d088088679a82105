import MediaCore

/// Samples of a movie that were put between those before and behind them, as their time stamps lay elsewhere.
struct StrayTimes {
  /// Pictures.
  private(set) var pictures = 0
  /// Runs of sound.
  private(set) var sounds = 0
  /// Those before the first picture, which says what of the source is wanted.
  private var early: [SteadySupply.Stray] = []

  /// Takes samples, of which those count that may be of the chosen range.
  mutating func take(_ strays: [SteadySupply.Stray], on timeline: SourceTimeline) {
    early += strays
    guard timeline.hasBegun else { return }
    for stray in early {
      guard let time = timeline.place(of: stray.time), timeline.range.concerns(time...time) else {
        continue
      }
      if stray.isPicture { pictures += 1 } else { sounds += 1 }
    }
    early = []
  }

  /// What was mended, in one line; nil where nothing was.
  var note: ExportNote? {
    func count(_ number: Int, _ one: String, _ many: String) -> String? {
      number > 0 ? "\(number) \(number == 1 ? one : many)" : nil
    }
    let parts = [
      count(pictures, "frame", "frames"), count(sounds, "run of audio", "runs of audio"),
    ].compactMap(\.self)
    guard !parts.isEmpty else { return nil }
    return ExportNote(
      .repaired, "timestamps",
      "time stamps of \(parts.joined(separator: " and of ")) lie far from those before and behind; "
        + "put between these")
  }
}
