import AssetWriter
import MediaCore

/// Which received frames of a take are in its files, and which are in none.
struct FramesHeld {
  /// Runs of slots of the take that are in no file, in order.
  private(set) var lost: [Range<Int64>] = []
  /// Slots that are in a file.
  private(set) var slots: Int64 = 0
  /// Frames in the files.
  private(set) var frames: Int64 = 0
  /// The first slot behind the last one that is in a file.
  private(set) var end: Int64 = 0

  /// Compares the finished files with the slots of the take.
  init(_ segments: [Segment], rate: FrameRate, slots total: Int64) {
    for segment in segments.sorted(by: { $0.firstFrame < $1.firstFrame }) {
      guard segment.frameCount > 0 else { continue }
      // At a variable rate a frame may fill several slots.
      let seconds = MediaTime(seconds: segment.duration, preferredTimescale: 1_000_000_000)
      let length = max(rate.frameIndex(nearest: seconds) ?? 0, segment.frameCount)
      let first = min(max(segment.firstFrame, end), total)
      let next = min(first.addingReportingOverflow(length).partialValue, total)
      guard next > first else { continue }
      if first > end { lost.append(end..<first) }
      slots += next - first
      frames += segment.frameCount
      end = next
    }
    if end < total { lost.append(end..<total) }
  }
}

extension RecordingReport {
  /// Makes the report count what the files hold, and list what they lack.
  mutating func countLost(_ held: FramesHeld, rate: FrameRate, start: Timecode?) {
    movie.frameCount = held.frames
    movie.duration = rate.time(ofFrame: held.slots).seconds
    movie.endTimecode = start?.advanced(by: held.end).description
    frames.written = Int(clamping: held.frames)
    for run in held.lost {
      // Dropped frames among the lost slots are counted already. Repeats in their place are lost as well.
      let known = overlap(of: run, with: .dropped)
      frames.repeated -= min(overlap(of: run, with: .repeated), frames.repeated)
      let count = max(run.count - known, 0)
      guard count > 0 else { continue }
      frames.dropped += count
      frames.droppedByReason[DropReason.notWritten.rawValue, default: 0] += count
      let incident = Incident(
        kind: .dropped, reason: .notWritten, count: run.count, frame: run.lowerBound,
        timecode: start?.advanced(by: run.lowerBound).description,
        seconds: rate.time(ofFrame: run.lowerBound).seconds)
      let place = incidents.firstIndex { $0.frame > run.lowerBound } ?? incidents.count
      incidents.insert(incident, at: place)
    }
  }

  private func overlap(of run: Range<Int64>, with kind: Incident.Kind) -> Int {
    incidents.reduce(0) { sum, incident in
      guard incident.kind == kind, incident.count > 0 else { return sum }
      let end = incident.frame.addingReportingOverflow(Int64(incident.count)).partialValue
      return sum + (incident.frame..<max(end, incident.frame)).clamped(to: run).count
    }
  }
}
