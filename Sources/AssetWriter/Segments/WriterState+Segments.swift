import MediaCore

extension SegmentPolicy {
  var isBySize: Bool { byteLimit != nil }
}

/// Where the writer may cut a take, and where it must.
extension WriterState {
  /// The first video track: it counts the slots.
  var leadIndex: Int? { inputs.firstIndex { $0.settings.mediaType == .video } }

  /// Its rate; nil before its first frame, and for sound alone.
  var leadRate: FrameRate? {
    guard let leadIndex, case .video(let video) = inputs[leadIndex].track else { return nil }
    return video.rate
  }

  /// The place of a slot in a track: a slot of its own, or a sample.
  func boundary(_ slot: Int64, for index: Int) -> Int64 {
    guard index != leadIndex, let leadRate else { return slot }
    let time = leadRate.time(ofFrame: slot)
    switch inputs[index].track {
    case .unprepared: return 0
    case .video(let video): return video.rate.frameIndex(nearest: time) ?? 0
    case .audio(let audio):
      return time.converted(toTimescale: Int32(clamping: audio.rate)).value
    }
  }

  /// The slot in which a place of a track lies.
  func slot(of place: Int64, in index: Int) -> Int64? {
    if index == leadIndex { return place }
    guard let leadRate else { return firstSlot }
    let time: MediaTime
    switch inputs[index].track {
    case .unprepared: return nil
    case .video(let video): time = video.rate.time(ofFrame: place)
    case .audio(let audio):
      time = MediaTime(value: place, timescale: Int32(clamping: audio.rate))
    }
    guard var slot = leadRate.frameIndex(nearest: time) else { return nil }
    while boundary(slot, for: index) > place { slot -= 1 }
    while boundary(slot + 1, for: index) <= place { slot += 1 }
    return slot
  }

  /// The first place of a track that is not written.
  private func written(_ input: InputState) -> Int64? {
    switch input.track {
    case .unprepared: nil
    case .video(let video): video.pending.first?.slot ?? video.lastSlot.map { $0 + 1 }
    case .audio(let audio): audio.written
    }
  }

  /// The first slot at or behind which no track has written.
  private func firstSlot(behind place: Int64, of index: Int) -> Int64 {
    guard let slot = slot(of: place, in: index) else { return firstSlot }
    return boundary(slot, for: index) == place ? slot : slot + 1
  }

  /// The first slot before which all tracks can still be cut.
  var earliestCut: Int64 {
    inputs.indices.reduce(firstSlot) { earliest, index in
      written(inputs[index]).map { max(earliest, firstSlot(behind: $0, of: index)) } ?? earliest
    }
  }

  /// The oldest stretch, where every track has passed its end.
  var completeStretch: SegmentTimeline.Stretch? {
    guard let stretch = timeline?.stretches.first, let end = stretch.end else { return nil }
    let isPassed = inputs.indices.allSatisfy { index in
      inputs[index].isDrained
        || written(inputs[index]).map { $0 >= boundary(end, for: index) } ?? false
    }
    // At the end of the take there is nothing behind the cut: that is the finish's matter.
    return isPassed && !(isFinishing && inputs.allSatisfy(\.isDrained)) ? stretch : nil
  }

  /// Asks for a cut before the frame that is appended next.
  mutating func requestSegment() throws(AssetWriterError) {
    if let obstacle = statusObstacle { throw obstacle }
    guard let leadIndex, case .video(let video) = inputs[leadIndex].track, let slot = video.lastSlot
    else {
      throw AssetWriterError(
        .invalidStatus, "no frame was written yet; a new segment begins after one")
    }
    if timeline == nil {
      earlyRequests.append(slot + 1)
    } else {
      timeline?.request(before: slot + 1)
    }
  }

  // MARK: Size

  /// Bytes that headers of fragments may add to a file before the next look at its size.
  private static var slack: Int64 { 64 << 10 }
  /// Bytes by which a large frame may be padded.
  private static var padding: Int64 { 4096 }

  /// Plans a cut where the frame for the slots would leave no room for what must still follow it in
  /// the same file.
  mutating func cutBySize(atFrameOf bytes: Int, from slot: Int64, to end: Int64) {
    guard let stretch = timeline?.last else { return }
    let others = earliestCut
    let reason = sizeReason
    var next = slot
    while next < min(end, stretch.end ?? .max) {
      let written = (Int64(bytes) + Self.padding) * (next + 1 - slot)
      let behind = max(next + 1, others)
      if !fits(stretch.bytes + written, cutAt: behind, from: next + 1) {
        // A segment has a frame at least.
        let cut = max(next, others, stretch.start + 1)
        timeline?.endLast(at: cut, reason)
        return
      }
      next += 1
    }
  }

  /// The same for sound that runs ahead of the pictures.
  mutating func cutBySize(atSoundUpTo place: Int64, of index: Int) {
    guard let stretch = timeline?.last, let leadIndex,
      let slot = written(inputs[leadIndex])
    else { return }
    let behind = max(firstSlot(behind: place, of: index), slot)
    guard behind > slot, !fits(stretch.bytes, cutAt: behind, from: slot) else { return }
    let cut = max(earliestCut, slot, stretch.start + 1)
    let reason = sizeReason
    timeline?.endLast(at: cut, reason)
  }

  private var sizeReason: Segment.End {
    let policy = configuration.segments
    return policy.byteLimit == policy.maximumByteCount ? .sizeReached : .fileSizeLimitReached
  }

  /// Whether a file may grow until a cut: by frames of the largest size so far, and by the sound that
  /// belongs to them.
  private func fits(_ bytes: Int64, cutAt cut: Int64, from slot: Int64) -> Bool {
    guard let limit = configuration.segments.byteLimit else { return true }
    var sum = bytes + Self.slack
    for (index, input) in inputs.enumerated() {
      switch input.track {
      case .unprepared: break
      case .video:
        let frame = max(input.account.video.largestFrame, input.account.video.targetFrameBytes)
        let frames =
          index == leadIndex
          ? cut - slot : boundary(cut, for: index) - (written(input) ?? 0)
        sum += max(frames, 0) * (Int64(frame) + Self.padding)
      case .audio(let audio):
        let owed = boundary(cut, for: index) - audio.written
        sum += max(owed, 0) * Int64(audio.settings.format.bytesPerFrame)
      }
    }
    return sum <= limit
  }
}
