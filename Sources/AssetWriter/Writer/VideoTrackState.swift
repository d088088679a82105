import MediaCore

/// What is known of a video track while it is written: which slots are taken, what is in flight.
struct VideoTrackState {
  /// A picture on its way through the encoder to the file.
  struct Pending {
    /// The first slot that it still has to fill.
    var slot: Int64
    /// Slots from there on that the source says it lasts; 1 where it does not say.
    var slots: Int64
    /// True once the slots up to a cut are written: it may have to fill some behind it.
    var isCarried = false
  }

  /// What can be written now: the first slot, the first one after it, and whether the frame is done
  /// with then.
  typealias Head = (slot: Int64, end: Int64, isDone: Bool)

  let configuration: VideoEncoderConfiguration
  let rate: FrameRate
  let gapPolicy: VideoOutputSettings.GapPolicy
  let depth: Int
  let encoder: any VideoEncoder
  /// Pictures in flight, in order; those at the front are encoded.
  var pending = FIFO<Pending>()
  var encoded = FIFO<EncodedFrame>()
  var nextIndex: Int64 = 0
  var firstSlot: Int64?
  var lastSlot: Int64?
  var lastTime: MediaTime?
  /// What the last picture was, apart from its contents.
  private var accepted: PixelBuffer.Description?

  init(
    configuration: VideoEncoderConfiguration, rate: FrameRate,
    gapPolicy: VideoOutputSettings.GapPolicy, depth: Int, encoder: any VideoEncoder
  ) {
    self.configuration = configuration
    self.rate = rate
    self.gapPolicy = gapPolicy
    self.depth = depth
    self.encoder = encoder
  }

  var isFull: Bool { pending.count >= depth }

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
    guard let slot = rate.frameIndex(nearest: time - start) else {
      throw AssetWriterError(.invalidTime, "a frame's time (\(time)) is no time; set a number")
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
        "a frame at \(time) leaves a gap of \(Int(distance)) s, more than the \(Int(maximumGap)) s "
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
      guard let cutSlot, cutSlot > first.slot, let lastSlot, cutSlot <= lastSlot + 1 else {
        return nil
      }
      return (first.slot, cutSlot, false)
    }
    guard let endSlot else { return (first.slot, first.slot + first.slots, true) }
    // A session's end hours away is a mistake, not hours of the last frame.
    let furthest = first.slot + first.slots + Int64(maximumGap * rate.framesPerSecond)
    return (first.slot, min(endSlot, furthest), true)
  }

  /// The time of the first frame that was not written.
  var headTime: Double {
    Double(pending.first?.slot ?? (lastSlot ?? 0) + 1) / rate.framesPerSecond
  }

  /// Where the frames that were appended end.
  var acceptedTime: Double { Double((lastSlot ?? -1) + 1) / rate.framesPerSecond }
}
