import MediaCore

/// What became of the frames of a video input.
struct VideoAccount {
  private var counts = AssetWriter.Report.VideoTrack()
  private var encodeTime = Distribution.Tally()
  private var latency = Distribution.Tally()
  private var fileLatency = Distribution.Tally()

  /// An account of a track that was set up.
  init(_ form: VideoTrackForm, encoder: String, queue: FramesInFlight) {
    counts.encoder = encoder
    counts.targetFrameBytes = form.targetFrameBytes
    counts.queueDepth = queue.depth
    counts.pictureQueueDepth = queue.encoderDepth
    let rate = form.frameRate?.framesPerSecond ?? 0
    counts.queueDuration = rate > 0 ? Double(queue.depth) / rate : 0
  }

  /// True for frames that are written as they are. Of others the file alone knows the bytes.
  private var isProRes: Bool { counts.targetFrameBytes > 0 }

  /// Bytes to expect of a frame: the largest so far, and no less than the target.
  var expectedFrameBytes: Int { max(counts.largestFrame, counts.targetFrameBytes) }

  /// The account as the report has it.
  var summary: AssetWriter.Report.VideoTrack {
    var summary = counts
    summary.encodeTime = encodeTime.distribution
    summary.latency = latency.distribution
    summary.fileLatency = fileLatency.distribution
    return summary
  }

  /// Where frames are now, for those who ask with each frame.
  var flow: AssetWriter.VideoFlow {
    AssetWriter.VideoFlow(
      framesAppended: counts.framesAppended - counts.framesTrimmed,
      framesEncoded: counts.framesEncoded, framesWritten: counts.framesWritten,
      framesRepeated: counts.framesRepeated, writtenBytes: counts.bytes,
      largestFrame: counts.largestFrame > 0 ? counts.largestFrame : counts.targetFrameBytes,
      queueDepth: counts.queueDepth, pictureQueueDepth: counts.pictureQueueDepth)
  }

  /// A frame was taken; `inFlight` frames are on their way, including it.
  mutating func didAppend(inFlight: Int) {
    counts.framesAppended += 1
    counts.longestQueue = max(counts.longestQueue, inFlight)
  }

  /// A frame before the session's start was left out.
  mutating func didAppendOutside() {
    counts.framesAppended += 1
    counts.framesTrimmed += 1
  }

  /// A frame left the encoder.
  ///
  /// - Parameters:
  ///   - frame: The frame.
  ///   - latency: Nanoseconds since it was captured, where that is known.
  ///   - waitingBytes: Bytes of encoded frames that wait with it.
  mutating func didEncode(_ frame: EncodedFrame, latency: Int64?, waitingBytes: Int) {
    if let latency { self.latency.add(latency) }
    counts.largestQueue = max(counts.largestQueue, Int64(waitingBytes))
    counts.framesEncoded += 1
    if isProRes { counts.largestFrame = max(counts.largestFrame, frame.byteCount) }
    if isProRes, frame.byteCount > counts.targetFrameBytes { counts.framesOverTarget += 1 }
    if frame.attempts > 1 { counts.framesReencoded += 1 }
    encodeTime.add(frame.encodeTime)
  }

  /// A frame was handed to the movie `copies` times. `isFirst` is false if earlier copies of it were written,
  /// for example before a cut.
  mutating func didWrite(copies: Int, bytes: Int, isFirst: Bool) {
    counts.framesWritten += copies
    counts.framesRepeated += copies - (isFirst ? 1 : 0)
    if isProRes { counts.bytes += Int64(bytes) * Int64(copies) }
  }

  /// A frame behind the session's end was left out.
  mutating func didTrim() { counts.framesTrimmed += 1 }

  /// A movie behind the session's end was removed, with what it was handed.
  mutating func didRemove(_ handed: HandedMedia) {
    counts.framesTrimmed += handed.own
    counts.framesRepeated -= handed.filled
  }

  /// A frame reached the file, so many nanoseconds after it was captured.
  mutating func didArrive(latency: Int64) { fileLatency.add(latency) }

  /// Counts only what is kept when a take begins with a pre-roll, not what was discarded.
  mutating func restart(inFlight: Int, encoded: Int) {
    counts.framesAppended = inFlight
    counts.framesEncoded = encoded
    counts.framesTrimmed = 0
  }

  /// Counts what the files hold in the end: what was handed to a file may have been given up with it.
  mutating func settle(_ held: HeldMedia) {
    counts.framesWritten = held.samples
    counts.framesRepeated = min(counts.framesRepeated, held.samples)
    counts.bytes = held.bytes
    counts.largestFrame = max(counts.largestFrame, held.largestFrame)
  }
}
