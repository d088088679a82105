import MediaCore

extension SegmentPolicy {
  var isBySize: Bool { byteLimit != nil }
}

/// Where the writer may cut a take, and where it must.
extension WriterState {
  /// The slot in which a place of a track lies.
  func slot(of place: Int64, in index: Int) -> Int64? {
    let scale = scale(of: index)
    return scale.slot(ofPlace: place) ?? (scale.leadRate == nil ? segments.firstSlot : nil)
  }

  /// The first slot at or behind which no track has written.
  private func firstSlot(behind place: Int64, of index: Int) -> Int64 {
    scale(of: index).firstSlot(behind: place) ?? segments.firstSlot
  }

  /// The first slot before which all tracks can still be cut.
  var earliestCut: Int64 {
    inputs.indices.reduce(segments.firstSlot) { earliest, index in
      inputs[index].writtenEnd.map { max(earliest, firstSlot(behind: $0, of: index)) } ?? earliest
    }
  }

  /// The oldest span, where every track has passed its end.
  var completeSpan: SegmentTimeline.Span? {
    guard let span = segments.spans.first, let end = span.end else { return nil }
    let isPassed = inputs.indices.allSatisfy { index in
      inputs[index].isDrained
        || inputs[index].writtenEnd.map { $0 >= boundary(end, for: index) } ?? false
    }
    // At the end of the take there is nothing behind the cut: that is the finish's matter.
    return isPassed && !(phase.isFinishing && inputs.allSatisfy(\.isDrained)) ? span : nil
  }

  // MARK: Size

  /// Bytes that headers of fragments may add to a file before the next look at its size.
  private static var slack: Int64 { 64 << 10 }
  /// Bytes by which a large frame may be padded.
  private static var padding: Int64 { 4096 }

  /// Plans a cut where the frame for the slots would leave no room for what must still follow it in
  /// the same file.
  mutating func cutBySize(atFrameOf bytes: Int, from slot: Int64, to end: Int64) {
    guard let span = segments.last else { return }
    let others = earliestCut
    let reason = sizeReason
    let repeats = lead?.gapPolicy == .repeatPreviousFrame
    var next = slot
    // A frame that is only extended is written once, however long it lasts.
    let last = min(repeats ? .max : slot + 1, end, span.end ?? .max)
    while next < last {
      let written = (Int64(bytes) + Self.padding) * (next + 1 - slot)
      let behind = max(next + 1, others)
      if !fits(span.bytes + written, cutAt: behind, from: next + 1) {
        // A segment has a frame at least.
        let cut = max(next, others, span.start + 1)
        segments.endLast(at: cut, reason)
        return
      }
      next += 1
    }
  }

  /// The same for audio that is ahead of the video.
  mutating func cutBySize(atAudioUpTo place: Int64, of index: Int) {
    guard let span = segments.last, let leadIndex,
      let slot = inputs[leadIndex].writtenEnd
    else { return }
    let behind = max(firstSlot(behind: place, of: index), slot)
    guard behind > slot, !fits(span.bytes, cutAt: behind, from: slot) else { return }
    let cut = max(earliestCut, slot, span.start + 1)
    let reason = sizeReason
    segments.endLast(at: cut, reason)
  }

  private var sizeReason: Segment.End {
    let policy = configuration.segments
    return policy.byteLimit == policy.maximumByteCount ? .sizeReached : .fileSizeLimitReached
  }

  /// Whether a file may grow until a cut: by frames of the largest size so far, by the audio that
  /// belongs to them, and by what waits for its end or for its frames.
  private func fits(_ bytes: Int64, cutAt cut: Int64, from slot: Int64) -> Bool {
    guard let limit = configuration.segments.byteLimit else { return true }
    var sum = bytes + Self.slack + facts.endBytes
    for track in data { sum += Int64(track.waitingBytes) }
    for (index, input) in inputs.enumerated() {
      switch input.track {
      case .unprepared: break
      case .video(let video):
        let slots =
          index == leadIndex
          ? cut - slot : boundary(cut, for: index) - (input.writtenEnd ?? 0)
        let frames =
          video.gapPolicy == .repeatPreviousFrame
          ? slots : min(slots, Int64(video.framesOnTheWay) + 1)
        sum += max(frames, 0) * (Int64(video.account.expectedFrameBytes) + Self.padding)
      case .audio(let audio):
        let owed = boundary(cut, for: index) - audio.written
        sum += max(owed, 0) * Int64(audio.settings.format.bytesPerFrame)
      }
    }
    return sum <= limit
  }
}
