import MediaCore

/// A video track while it is written: its encoder, its slots, and the frames on their way.
struct VideoTrackState {
  /// What can be written now: the first slot, the first one after it, and whether the frame is done
  /// with then.
  typealias Head = (slot: Int64, end: Int64, isDone: Bool)

  let form: VideoTrackForm
  let gapPolicy: VideoOutputSettings.GapPolicy
  /// True where slots are only a grid for times, and frames last until the next one.
  let keepsTimes: Bool
  let encoder: any VideoEncoder
  var slots: SlotSequence
  var queue: FramesInFlight
  var arrivals = FileArrivals()
  var account: VideoAccount
  /// What each movie was handed.
  private var handed: [Int: HandedMedia] = [:]
  private var nextIndex: Int64 = 0
  /// The last frame's description.
  private var accepted: PixelBuffer.Description?
  /// True once a frame was appended, within the session or before it.
  private(set) var hasBegun = false

  init(
    form: VideoTrackForm, rate: FrameRate,
    gapPolicy: VideoOutputSettings.GapPolicy, keepsTimes: Bool = false, queue: FramesInFlight,
    encoder: any VideoEncoder
  ) {
    self.form = form
    self.gapPolicy = gapPolicy
    self.keepsTimes = keepsTimes
    self.encoder = encoder
    self.queue = queue
    slots = SlotSequence(rate: rate)
    account = VideoAccount(form, encoder: encoder.name, queue: queue)
  }

  var rate: FrameRate { slots.rate }

  // MARK: In

  /// Refuses a frame that cannot be converted to the layout that was set up for the first one.
  mutating func accept(_ details: PixelBuffer.Description) throws(AssetWriterError) {
    guard details != accepted else { return }
    do throws(MediaCoreError) {
      _ = try FrameUnpacker(from: details, to: form.planarFormat)
    } catch {
      throw AssetWriterError(
        .formatMismatch, "a frame does not match the frames before it: \(error.message)")
    }
    accepted = details
  }

  /// Takes a frame.
  ///
  /// - Parameters:
  ///   - sample: The frame's sample, whose time counts if no slot was chosen.
  ///   - slot: Its slot; nil for the one that is nearest to its time.
  ///   - start: The session's start.
  /// - Returns: The number to give the encoder, the slots that the previous frame fills after its own, and whether
  ///   this is the first frame; nil for a frame before the session's
  ///   start.
  mutating func append(
    _ sample: SampleBuffer, slot: Int64?, start: MediaTime, maximumGap: Double
  ) throws(AssetWriterError) -> (index: Int64, gap: Int64, isFirst: Bool)? {
    let before = slots.last
    let end = before == nil ? nil : slots.end
    let maximumGap = keepsTimes ? max(maximumGap, Self.longestFrame) : maximumGap
    let place: Int64
    if let slot {
      try slots.place(slot: slot, maximumGap: maximumGap)
      place = slot
    } else {
      place = try slots.place(
        sample.presentationTimeStamp, start: start, maximumGap: maximumGap)
    }
    hasBegun = true
    guard place >= 0 else {
      account.didAppendOutside()
      return nil
    }
    queue.append(
      .init(
        slot: place, slots: length(of: sample, at: place, after: before),
        origin: Self.origin(sample)))
    account.didAppend(inFlight: queue.occupied)
    defer { nextIndex += 1 }
    return (nextIndex, end.map { place - $0 } ?? 0, before == nil)
  }

  /// The longest that one frame of a track without a rate lasts, in seconds: what 32 bits count.
  static let longestFrame = 3500.0

  /// Slots that a frame lasts where none comes after it.
  private func length(of sample: SampleBuffer, at place: Int64, after before: Int64?) -> Int64 {
    let stated = sample.duration.isNumeric ? rate.frameIndex(nearest: sample.duration) : nil
    guard keepsTimes else { return min(max(stated ?? 1, 1), 100_000) }
    let usual = before.map { place - $0 } ?? Int64(rate.framesPerSecond / 25)
    return min(max(stated ?? usual, 1), Int64(Self.longestFrame * rate.framesPerSecond))
  }

  /// When a sample's latency begins: when a live device took it, where that is known, else now.
  private static func origin(_ sample: SampleBuffer) -> Int64 {
    let now = MonotonicClock.now
    guard let taken = sample.attachments.captureTime.nanoseconds, taken <= now else { return now }
    return taken
  }

  /// Lets the last frame fill the slots before another one, where the track has a constant rate.
  mutating func holdLastFrame(until slot: Int64) {
    if gapPolicy == .repeatPreviousFrame { slots.hold(until: slot) }
  }

  /// Discards all frames so far. The next one is a first frame, at `slot` or later.
  mutating func forget(before slot: Int64) {
    queue.forget()
    slots = SlotSequence(rate: rate, start: slot)
  }

  /// Begins a take at a slot with what is kept of it.
  mutating func beginTake(at slot: Int64) {
    let first = queue.beginTake(at: slot)
    if !queue.isEmpty { slots.beginTake(at: first) }
  }

  /// Takes a frame that the encoder has made.
  mutating func receive(_ frame: EncodedFrame) {
    guard let origin = queue.receive(frame) else { return }
    account.didEncode(
      frame, latency: MonotonicClock.now - origin, waitingBytes: queue.encodedBytes)
  }

  // MARK: Out

  /// The slots that the first frame can be written for now.
  ///
  /// How long a frame lasts is known when the next one's slot is; up to a cut right behind it, it is
  /// known before.
  ///
  /// - Parameters:
  ///   - endSlot: The first slot behind the session, where it was ended.
  ///   - cutSlot: The first slot behind the segment, where that is known.
  func head(
    isFinished: Bool, endSlot: Int64?, cutSlot: Int64?, maximumGap: Double
  ) -> Head? {
    guard queue.firstFrame != nil, let first = queue.first else { return nil }
    if let second = queue.secondSlot {
      return (first.slot, min(second, endSlot ?? .max), true)
    }
    guard isFinished else {
      var known = slots.heldEnd
      if let cutSlot, cutSlot <= slots.end { known = max(known, cutSlot) }
      let end = min(known, cutSlot ?? .max)
      return end > first.slot ? (first.slot, end, false) : nil
    }
    let least = max(first.slot + first.slots, slots.heldEnd)
    guard let endSlot else { return (first.slot, least, true) }
    // A session's end hours away is a mistake, not hours of the last frame.
    let furthest = least.addingSaturating(Int64(saturating: maximumGap * rate.framesPerSecond))
    return (first.slot, min(endSlot, furthest), true)
  }

  /// Books that the frame at the head was written for slots; none where it lay behind the session's
  /// end.
  mutating func didWrite(_ write: WriterState.VideoWrite) {
    let count = max(write.end - write.slot, 0)
    let copies = Int(gapPolicy == .repeatPreviousFrame ? count : min(count, 1))
    guard let head = write.isDone ? queue.popFirst() : queue.carryFirst(to: write.end) else {
      return
    }
    let isFirst = !head.isCarried
    if copies > 0 {
      arrivals.append(origin: isFirst ? head.origin : nil, copies: copies)
      account.didWrite(copies: copies, bytes: write.frame.byteCount, isFirst: isFirst)
      let filled = isFirst ? copies - 1 : copies
      handed[write.segment, default: .init()].add(all: copies, filled: filled)
    } else if isFirst {
      account.didTrim()
    }
  }

  /// Books that a movie was removed.
  mutating func didRemove(segment: Int) {
    if let handed = handed.removeValue(forKey: segment) { account.didRemove(handed) }
  }

  /// Books the frames that have reached the file; `waiting` have not.
  mutating func noteArrivals(waiting: Int, now: Int64) {
    arrivals.settle(waiting: waiting) { account.didArrive(latency: now - $0) }
  }

  /// The time of the first frame that was not written, in seconds.
  var headTime: Double { Double(queue.first?.slot ?? slots.end) / rate.framesPerSecond }

  /// Where the frames that were appended end, in seconds.
  var acceptedTime: Double { Double(slots.end) / rate.framesPerSecond }

  /// Frames that were not handed to the movie yet, the repeats among them that are known.
  var framesOnTheWay: Int {
    guard gapPolicy == .repeatPreviousFrame, let writtenEnd else { return queue.count }
    return Int(clamping: slots.end - writtenEnd)
  }

  /// The first slot that is not written; nil before the first frame.
  var writtenEnd: Int64? { queue.first?.slot ?? (slots.last == nil ? nil : slots.end) }
}
