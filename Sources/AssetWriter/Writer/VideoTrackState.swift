import MediaCore

/// What is known of a video track while it is written: which slots are taken, what is in flight.
struct VideoTrackState {
  /// A picture on its way through the encoder to the file.
  struct Pending {
    /// The first slot that it still has to fill.
    var slot: Int64
    /// Slots from there on that the source says it lasts; 1 where it does not say.
    var slots: Int64
    /// When its latency began, on CLOCK_MONOTONIC in nanoseconds.
    var origin: Int64
    /// True once the slots up to a cut are written: it may have to fill some behind it.
    var isCarried = false
  }

  /// A frame that the movie writer has, on its way to the file.
  struct Arriving {
    /// When its latency began; nil for what a frame fills behind a cut.
    var origin: Int64?
    /// Times that it is in the movie.
    var copies: Int
  }

  /// What can be written now: the first slot, the first one after it, and whether the frame is done
  /// with then.
  typealias Head = (slot: Int64, end: Int64, isDone: Bool)

  /// Slots that are too far for any take: centuries.
  private static let furthest: UInt64 = 1 << 50

  let configuration: VideoEncoderConfiguration
  let rate: FrameRate
  let gapPolicy: VideoOutputSettings.GapPolicy
  /// Frames that may be in flight.
  let depth: Int
  /// Pictures that may wait for the encoder, the one that it is at among them.
  let pictureDepth: Int
  let encoder: any VideoEncoder
  /// Pictures in flight, in order; those at the front are encoded.
  var pending = FIFO<Pending>()
  var encoded = FIFO<EncodedFrame>()
  /// Bytes of the frames in ``encoded``.
  var encodedBytes = 0
  /// Frames that were handed to the movie writer and are not in the file yet.
  var arriving = FIFO<Arriving>()
  var arrivingCount = 0
  /// Memory of those.
  var encodedMemory: Int64 = 0
  var nextIndex: Int64 = 0
  var firstSlot: Int64?
  var lastSlot: Int64?
  var lastTime: MediaTime?
  /// The last frame is known to last until this slot; 0 where nothing is known.
  private var heldSlot: Int64 = 0
  /// What the last picture was, apart from its contents.
  private var accepted: PixelBuffer.Description?

  init(
    configuration: VideoEncoderConfiguration, rate: FrameRate,
    gapPolicy: VideoOutputSettings.GapPolicy, depth: Int, pictureDepth: Int,
    encoder: any VideoEncoder
  ) {
    self.configuration = configuration
    self.rate = rate
    self.gapPolicy = gapPolicy
    self.depth = depth
    self.pictureDepth = pictureDepth
    self.encoder = encoder
  }

  /// Frames from before the take that are not written yet; they take no room of those to come.
  var backlog = 0
  /// Frames in the encoder that belong to no take and are thrown away when they are encoded.
  var discards = 0
  /// True where frames are kept before the take: those that are encoded take no room.
  var isHolding = false

  var isFull: Bool {
    pending.count - (isHolding ? encoded.count : backlog) >= depth
      || pending.count - encoded.count >= pictureDepth
  }

  /// Refuses a picture that could not be brought to the layout that was set up for the first one.
  mutating func accept(_ details: PixelBuffer.Description) throws(AssetWriterError) {
    guard details != accepted else { return }
    do throws(MediaCoreError) {
      _ = try PictureUnpacker(from: details, to: configuration.planarFormat)
    } catch {
      throw AssetWriterError(
        .formatMismatch, "a picture does not fit those before it: \(error.message)")
    }
    accepted = details
  }

  /// The time that a picture must be later than, and the slot it takes.
  ///
  /// - Throws: ``AssetWriterError/Code/timeNotIncreasing``, ``AssetWriterError/Code/invalidTime``.
  func slot(
    for time: MediaTime, start: MediaTime, maximumGap: Double
  ) throws(AssetWriterError) -> Int64 {
    guard let slot = rate.frameIndex(nearest: time - start), slot.magnitude < Self.furthest else {
      throw AssetWriterError(
        .invalidTime,
        "a frame has the time \(time), which is invalid or too far from the others; give it one near them"
      )
    }
    if let lastTime, time <= lastTime {
      throw AssetWriterError(
        .timeNotIncreasing,
        "a frame at \(time) is not later than the one before, at \(lastTime)")
    }
    if let lastSlot, slot <= lastSlot {
      throw AssetWriterError(
        .timeNotIncreasing,
        "a frame at \(time) is in the same \(rate) fps slot (\(slot)) as the one before; "
          + "append frames no faster than the track's rate")
    }
    let distance = Double(slot - (lastSlot ?? 0)) / rate.framesPerSecond
    guard distance <= maximumGap else {
      throw AssetWriterError(
        .invalidTime,
        "a frame at \(time) leaves a gap of \(Int(saturating: distance)) s, more than the \(maximumGap) s "
          + "allowed; start the session at the first frame's time, on the same clock")
    }
    return slot
  }

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
    guard !encoded.isEmpty, let first = pending.first else { return nil }
    if pending.count > 1 { return (first.slot, min(pending[1].slot, endSlot ?? .max), true) }
    guard isFinished else {
      guard let lastSlot else { return nil }
      var known = heldSlot
      if let cutSlot, cutSlot <= lastSlot + 1 { known = max(known, cutSlot) }
      let end = min(known, cutSlot ?? .max)
      return end > first.slot ? (first.slot, end, false) : nil
    }
    let least = max(first.slot + first.slots, heldSlot)
    guard let endSlot else { return (first.slot, least, true) }
    // A session's end hours away is a mistake, not hours of the last frame.
    let furthest = least.addingSaturating(Int64(saturating: maximumGap * rate.framesPerSecond))
    return (first.slot, min(endSlot, furthest), true)
  }

  /// Lets the last frame last until a time.
  mutating func holdLastFrame(until time: MediaTime) {
    guard gapPolicy == .repeatPreviousFrame, let last = lastSlot,
      let slot = rate.frameIndex(nearest: time), slot > last + 1, slot < Self.furthest
    else { return }
    heldSlot = slot
    lastSlot = slot - 1
    lastTime = nil
  }

  /// The time of the first frame that was not written.
  var headTime: Double {
    Double(pending.first?.slot ?? (lastSlot ?? 0) + 1) / rate.framesPerSecond
  }

  /// Where the frames that were appended end.
  var acceptedTime: Double { Double((lastSlot ?? -1) + 1) / rate.framesPerSecond }

  /// The earliest frame that has reached the file since it was asked last; nil where there is none.
  mutating func takeArrived(waiting: Int) -> Arriving? {
    guard let first = arriving.first, arrivingCount - first.copies >= waiting else { return nil }
    arrivingCount -= first.copies
    return arriving.popFirst()
  }
}
