import MediaCore

/// Samples of a movie that were moved between their neighbors because their time stamps were wrong.
struct StrayTimes {
  /// The number of frames.
  private(set) var frames = 0
  /// The number of runs of audio.
  private(set) var audioRuns = 0
  /// Samples before the first frame, when the chosen range is not known yet.
  private var early: [SteadySupply.Stray] = []

  /// Takes samples. Only those that may be in the chosen range count.
  mutating func take(_ strays: [SteadySupply.Stray], on timeline: SourceTimeline) {
    early += strays
    guard timeline.hasBegun else { return }
    for stray in early {
      guard let time = timeline.place(of: stray.time), timeline.range.concerns(time...time) else {
        continue
      }
      if stray.isVideo { frames += 1 } else { audioRuns += 1 }
    }
    early = []
  }

  /// A note on the corrections; nil if there were none.
  var note: ExportNote? {
    func count(_ number: Int, _ one: String, _ many: String) -> String? {
      number > 0 ? "\(number) \(number == 1 ? one : many)" : nil
    }
    let parts = [
      count(frames, "frame", "frames"), count(audioRuns, "run of audio", "runs of audio"),
    ].compactMap(\.self)
    guard !parts.isEmpty else { return nil }
    return ExportNote(
      .repaired, "timestamps",
      "time stamps of \(parts.joined(separator: " and of ")) lie far from their neighbors'; "
        + "moved between those")
  }
}
