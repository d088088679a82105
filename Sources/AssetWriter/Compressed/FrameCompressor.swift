import CFFmpeg
package import MediaCore
import QuickTime

/// Compresses frames one by one for callers that need the bytes without a movie: ProRes by the recorder's encoder,
/// H.264 and HEVC by libavcodec.
///
/// Used by one thread at a time.
package final class FrameCompressor {
  /// A compressed frame.
  package struct Packet: Sendable {
    /// The bytes, each unit of H.264 and HEVC with its length before it.
    package var bytes: [UInt8]
    /// The frame's time, as passed in.
    package var time: Int64
    /// When it is decoded, in the same units.
    package var decodeTime: Int64
    /// True where it is decoded without others.
    package var isSync: Bool
  }

  private enum Encoder {
    case proRes(NativeFrameEncoder)
    case planar(PlanarFrameEncoder, VideoCompressor)
  }

  /// Units of time in a second.
  package static let timescale: Int32 = 1_200_000

  /// What the packets are.
  package private(set) var description: VideoFormatDescription
  private let settings: VideoOutputSettings
  private let encoder: Encoder
  private let pool = EncodedFrame.Pool()
  private var count: Int64 = 0

  /// A compressor.
  ///
  /// - Parameters:
  ///   - settings: Codec, size and compression; a rate changes nothing.
  ///   - source: The format of the frames.
  ///   - isRealTime: True where they cannot wait.
  /// - Throws: ``AssetWriterError/Code/invalidSettings``, ``AssetWriterError/Code/codecUnavailable``,
  ///   ``AssetWriterError/Code/encoderUnavailable``, ``AssetWriterError/Code/encodingFailed``,
  ///   ``AssetWriterError/Code/outOfResources``.
  package init(
    _ settings: VideoOutputSettings, source: PixelBuffer.Description, isRealTime: Bool
  ) throws(AssetWriterError) {
    var settings = settings
    (settings.frameRate, settings.keepsFrameTimes) = (nil, true)
    try settings.validate()
    try EncoderCapabilities.current.check(source.format, feeds: settings.codec)
    let order = try VideoPreparation.Order(
      VideoPreparation.Request(settings: settings, hint: nil),
      source: VideoFormatDescription(source), isRealTime: isRealTime, threads: ThreadOptions())
    let (form, configuration) = VideoPreparation.form(order)
    description = VideoFormatDescription(
      codec: FourCharCode(settings.codec.rawValue) ?? FourCharCode(rawValue: 0),
      dimensions: settings.dimensions, color: form.color, fieldOrder: form.fieldOrder,
      pixelAspectRatio: form.pixelAspectRatio)
    self.settings = settings
    if let configuration {
      encoder = .proRes(try NativeFrameEncoder(configuration))
      return
    }
    let track = MovieSetup.VideoTrack(
      description: VideoTrackDescription(settings, form, rate: order.rate), settings: settings,
      form: form, isRealTime: isRealTime, first: 0, start: 0)
    do throws(QuickTimeError) {
      encoder = .planar(
        try Self.planar(settings, form),
        try VideoCompressor(
          track, nil, isPrompt: !settings.compression.allowsFrameReordering))
    } catch { throw AssetWriterError(.encodingFailed, error.message) }
    guard case .planar(_, let compressor) = encoder else { return }
    description.decoderConfiguration = compressor.decoderConfiguration(settings)?.record ?? []
  }

  private static func planar(
    _ settings: VideoOutputSettings, _ form: VideoTrackForm
  ) throws(QuickTimeError) -> PlanarFrameEncoder {
    let layout = PlanarLayout(
      settings.planarFormat, width: settings.width, height: settings.height)
    do throws(AssetWriterError) {
      return try PlanarFrameEncoder(layout, color: form.color)
    } catch { throw QuickTimeError(.outOfMemory, error.message) }
  }

  /// Bits a second from the next frame on, if the encoder can change them.
  ///
  /// - Returns: False where it cannot.
  package func change(averageBitRate: Int) -> Bool {
    guard case .planar(_, let compressor) = encoder, compressor.encoder.name == "libx264",
      settings.compression.averageBitRate != nil, averageBitRate >= 1000
    else { return false }
    compressor.encoder.context.pointee.bit_rate = Int64(averageBitRate)
    return true
  }

  /// Compresses a frame.
  ///
  /// - Parameters:
  ///   - frame: Of the size that the settings have.
  ///   - time: Later than that of the one before, in units of ``timescale``.
  ///   - isKey: True for one that is decoded without others.
  /// - Returns: What is ready: this frame, earlier ones, or nothing yet.
  package func compress(
    _ image: PixelBuffer, at time: Int64, isKey: Bool
  ) throws(AssetWriterError) -> [Packet] {
    try VideoPreparation.check(
      image, VideoPreparation.Request(settings: settings, hint: nil))
    let frame = pool.makeFrame(index: count)
    count += 1
    switch encoder {
    case .proRes(let encoder):
      try encoder.encode(image, into: frame)
      let bytes = frame.withUnsafeBytes { Array($0) }
      return [Packet(bytes: bytes, time: time, decodeTime: time, isSync: true)]
    case .planar(let converter, let compressor):
      try converter.encode(image, into: frame)
      return try collect { take throws(QuickTimeError) in
        try compressor.append(frame, at: time, duration: 1, isKey: isKey, take)
      }
    }
  }

  /// Flushes the encoder. Nothing can be compressed afterwards.
  package func finish() throws(AssetWriterError) -> [Packet] {
    guard case .planar(_, let compressor) = encoder else { return [] }
    return try collect { take throws(QuickTimeError) in try compressor.finish(take) }
  }

  private func collect(
    _ body: ((UnsafeMutablePointer<AVPacket>) throws(QuickTimeError) -> Void)
      throws(QuickTimeError) -> Void
  ) throws(AssetWriterError) -> [Packet] {
    var packets: [Packet] = []
    do throws(QuickTimeError) {
      try body { packet throws(QuickTimeError) in
        let packet = packet.pointee
        let bytes = Array(
          UnsafeRawBufferPointer(start: packet.data, count: Int(max(packet.size, 0))))
        packets.append(
          Packet(
            bytes: DecoderConfiguration.counted(stream: bytes), time: packet.pts,
            decodeTime: packet.dts, isSync: packet.flags & AV_PKT_FLAG_KEY != 0))
      }
    } catch { throw AssetWriterError(.encodingFailed, error.message) }
    return packets
  }
}

extension VideoCompressor {
  /// What a sample entry says of the stream; nil where the encoder gave no parameter sets.
  fileprivate func decoderConfiguration(_ settings: VideoOutputSettings) -> DecoderConfiguration? {
    let context = encoder.context.pointee
    guard let extradata = context.extradata, context.extradata_size > 0 else { return nil }
    return DecoderConfiguration(
      settings.codec,
      stream: Array(UnsafeRawBufferPointer(start: extradata, count: Int(context.extradata_size))),
      bitDepth: settings.planarFormat == .yuv420p10 ? 10 : 8)
  }
}
