import CFFmpeg
import MediaCore
import QuickTime

/// Compresses the frames of a track, each with its time, with an interframe codec.
final class VideoCompressor: VideoTrackWriter {
  let encoder: EncoderContext
  private let track: MovieSetup.VideoTrack
  private let layout: PlanarLayout
  private let frame: UnsafeMutablePointer<AVFrame>
  /// The duration of each frame in the encoder, by its time.
  private var durations: [Int64: Int64] = [:]
  /// Units of time between key frames that are asked for; nil for none.
  private let keyInterval: Int64?
  private var lastKey: Int64?
  /// Decides where media segments begin; nil for a file.
  private let segments: MediaSegmentOutput?
  /// The number of the last frame's media segment.
  private var segmentNumber: Int64?

  /// Frames passed in and not yet returned.
  var pendingCount: Int { durations.count }

  /// - Parameter isPrompt: True for frames that are returned before the next one is passed in.
  /// - Throws: ``QuickTimeError/Code/encodingFailed``, ``QuickTimeError/Code/outOfMemory``.
  init(
    _ track: MovieSetup.VideoTrack, _ segments: MediaSegmentOutput?, isPrompt: Bool = false
  ) throws(QuickTimeError) {
    self.track = track
    self.segments = segments
    let settings = track.settings
    layout = PlanarLayout(settings.planarFormat, width: settings.width, height: settings.height)
    let name: String
    do throws(AssetWriterError) { name = try LibavCompressor.encoder(for: settings.codec) } catch {
      throw QuickTimeError(.encodingFailed, error.message)
    }
    encoder = try EncoderContext(name)
    guard let frame = av_frame_alloc() else { throw EncoderContext.outOfMemory }
    self.frame = frame
    let rate = track.description.frameRate
    keyInterval = settings.compression.maximumKeyFrameIntervalDuration.map {
      max(Int64($0 * rate.framesPerSecond), 1)
    }
    describe(encoder.context)
    VideoCompressorOptions(settings, isRealTime: track.isRealTime, isPrompt: isPrompt)
      .apply(to: encoder)
    try encoder.open(for: "\(settings.codec) of \(settings.dimensions)")
  }

  deinit {
    var owned: UnsafeMutablePointer<AVFrame>? = frame
    av_frame_free(&owned)
  }

  private func describe(_ context: UnsafeMutablePointer<AVCodecContext>) {
    let (settings, form) = (track.settings, track.form)
    context.pointee.width = Int32(settings.width)
    context.pointee.height = Int32(settings.height)
    context.pointee.pix_fmt = layout.libavFormat
    context.pointee.time_base = CompressedMovieHeader.timeBase(of: track)
    context.pointee.framerate = AVRational(num: form.pace.numerator, den: form.pace.denominator)
    context.pointee.thread_count = Int32(settings.encoderThreads ?? 0)
    context.pointee.sample_aspect_ratio = AVRational(
      num: form.pixelAspectRatio.horizontal, den: form.pixelAspectRatio.vertical)
    context.pointee.color_range = AVCOL_RANGE_MPEG
    context.pointee.color_primaries = form.color.libavPrimaries
    context.pointee.color_trc = form.color.libavTransfer
    context.pointee.colorspace = form.color.libavMatrix
    context.pointee.chroma_sample_location = AVCHROMA_LOC_LEFT
    let seconds = min(2, settings.compression.maximumKeyFrameIntervalDuration ?? 2)
    let usual = max(Int((seconds * form.pace.framesPerSecond).rounded()), 1)
    context.pointee.gop_size = Int32(
      clamping: settings.compression.maximumKeyFrameInterval ?? usual)
    if !settings.compression.allowsFrameReordering { context.pointee.max_b_frames = 0 }
    if settings.codec == .hevc { context.pointee.codec_tag = FourCharCode("hvc1").libavTag }
  }

  func describe(_ parameters: UnsafeMutablePointer<AVCodecParameters>) throws(QuickTimeError) {
    guard avcodec_parameters_from_context(parameters, encoder.context) >= 0 else {
      throw EncoderContext.outOfMemory
    }
  }

  func append(
    _ frame: EncodedFrame, at time: Int64, duration: Int64, _ take: Take
  ) throws(QuickTimeError) {
    try append(frame, at: time, duration: duration, isKey: beginsSegment(at: time), take)
  }

  /// Appends a frame, as a key frame if one is requested or due.
  func append(
    _ image: EncodedFrame, at time: Int64, duration: Int64, isKey: Bool, _ take: Take
  ) throws(QuickTimeError) {
    durations[time] = duration
    try lend(image)
    frame.pointee.pts = time
    let isKey = isKeyDue(at: time) || isKey
    if isKey { lastKey = time }
    frame.pointee.pict_type = isKey ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
    defer { av_frame_unref(frame) }
    try encoder.encode(frame) { packet throws(QuickTimeError) in try give(packet, take) }
  }

  private func isKeyDue(at time: Int64) -> Bool {
    keyInterval.map { interval in lastKey.map { time - $0 >= interval } ?? true } ?? false
  }

  private func beginsSegment(at time: Int64) -> Bool {
    guard let segments else { return false }
    let number = segments.number(at: track.description.frameRate.time(ofFrame: time))
    defer { segmentNumber = number }
    return number != segmentNumber
  }

  func finish(_ take: Take) throws(QuickTimeError) {
    try encoder.encode(nil) { packet throws(QuickTimeError) in try give(packet, take) }
  }

  private func give(
    _ packet: UnsafeMutablePointer<AVPacket>, _ take: Take
  ) throws(QuickTimeError) {
    if let duration = durations.removeValue(forKey: packet.pointee.pts) {
      packet.pointee.duration = duration
    }
    try take(packet)
  }

  /// Lets the `AVFrame` refer to a frame's memory, which is kept until libavcodec has read it.
  private func lend(_ image: EncodedFrame) throws(QuickTimeError) {
    frame.pointee.width = Int32(layout.width)
    frame.pointee.height = Int32(layout.height)
    frame.pointee.format = layout.libavFormat.rawValue
    frame.pointee.color_range = AVCOL_RANGE_MPEG
    frame.pointee.color_primaries = track.form.color.libavPrimaries
    frame.pointee.color_trc = track.form.color.libavTransfer
    frame.pointee.colorspace = track.form.color.libavMatrix
    frame.pointee.chroma_location = AVCHROMA_LOC_LEFT
    frame.pointee.sample_aspect_ratio = encoder.context.pointee.sample_aspect_ratio
    guard image.byteCount >= layout.byteCount else { throw EncoderContext.outOfMemory }
    // The address holds as long as somebody refers to the frame: its memory grows only when it is
    // filled anew.
    let base = image.withUnsafeBytes { $0.baseAddress }
    guard let base else { throw EncoderContext.outOfMemory }
    let owner = Unmanaged.passUnretained(image)
    for (index, plane) in layout.planes.enumerated() {
      let bytes = UnsafeMutableRawPointer(mutating: base + plane.offset)
        .assumingMemoryBound(to: UInt8.self)
      let status = cffmpeg_frame_lend(
        frame, Int32(index), bytes, Int32(plane.bytesPerRow),
        Int64(plane.bytesPerRow * plane.rows),
        { owner, _ in
          if let owner { Unmanaged<EncodedFrame>.fromOpaque(owner).release() }
        }, owner.retain().toOpaque())
      guard status == 0 else {
        owner.release()
        throw EncoderContext.outOfMemory
      }
    }
  }
}
