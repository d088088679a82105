import CFFmpeg
import MediaCore
import QuickTime

/// Turns the frames of a track into packets.
protocol VideoTrackWriter: AnyObject {
  typealias Take = (UnsafeMutablePointer<AVPacket>) throws(QuickTimeError) -> Void

  /// Frames passed in and not yet returned.
  var pendingCount: Int { get }

  /// Describes the track, before the file begins.
  func describe(_ parameters: UnsafeMutablePointer<AVCodecParameters>) throws(QuickTimeError)

  /// Takes a frame.
  ///
  /// - Parameters:
  ///   - time: When it is shown, in units of a frame of the track's rate.
  ///   - duration: For how long.
  ///   - take: Given what comes out: of this frame, or of earlier ones.
  func append(
    _ frame: EncodedFrame, at time: Int64, duration: Int64, _ take: Take
  ) throws(QuickTimeError)

  /// Lets everything come out.
  func finish(_ take: Take) throws(QuickTimeError)
}

extension FourCharCode {
  /// The characters as libavformat has them: the first in the lowest byte.
  var libavTag: UInt32 { rawValue.byteSwapped }
}

/// Writes frames that are already packets: ProRes beside compressed audio, and frames compressed elsewhere.
final class PacketTrackWriter: VideoTrackWriter {
  private let track: MovieSetup.VideoTrack
  private let packet: UnsafeMutablePointer<AVPacket>
  let pendingCount = 0

  /// - Throws: ``QuickTimeError/Code/outOfMemory``.
  init(_ track: MovieSetup.VideoTrack) throws(QuickTimeError) {
    guard let packet = av_packet_alloc() else { throw EncoderContext.outOfMemory }
    self.track = track
    self.packet = packet
  }

  deinit {
    var owned: UnsafeMutablePointer<AVPacket>? = packet
    av_packet_free(&owned)
  }

  func describe(_ parameters: UnsafeMutablePointer<AVCodecParameters>) throws(QuickTimeError) {
    let (description, form) = (track.description, track.form)
    parameters.pointee.codec_type = AVMEDIA_TYPE_VIDEO
    parameters.pointee.codec_id =
      switch description.codec {
      case .h264: AV_CODEC_ID_H264
      case .hevc: AV_CODEC_ID_HEVC
      default: AV_CODEC_ID_PRORES
      }
    parameters.pointee.codec_tag = FourCharCode(description.codec.rawValue)?.libavTag ?? 0
    parameters.pointee.width = Int32(description.dimensions.width)
    parameters.pointee.height = Int32(description.dimensions.height)
    parameters.pointee.format = PlanarLayout.libavFormat(of: form.planarFormat).rawValue
    if description.codec.isProRes {
      parameters.pointee.bits_per_coded_sample = form.hasAlpha ? 32 : 24
    }
    try tell(parameters, configuration: track.settings.carriedConfiguration ?? [])
    // Frames are converted to video range before they are compressed here; copied packets keep their range.
    let isFull = track.settings.carriedConfiguration != nil && track.settings.color?.range == .full
    parameters.pointee.color_range = isFull ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
    parameters.pointee.color_primaries = form.color.libavPrimaries
    parameters.pointee.color_trc = form.color.libavTransfer
    parameters.pointee.color_space = form.color.libavMatrix
    parameters.pointee.field_order =
      switch form.fieldOrder {
      case .topFieldFirst: AV_FIELD_TT
      case .bottomFieldFirst: AV_FIELD_BB
      default: AV_FIELD_PROGRESSIVE
      }
  }

  /// Sets the configuration for decoders of H.264 or HEVC.
  private func tell(
    _ parameters: UnsafeMutablePointer<AVCodecParameters>, configuration: [UInt8]
  ) throws(QuickTimeError) {
    guard !configuration.isEmpty else { return }
    let room = configuration.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)
    guard let memory = av_mallocz(room) else { throw EncoderContext.outOfMemory }
    configuration.withUnsafeBytes {
      memory.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(memory), byteCount: $0.count)
    }
    parameters.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
    parameters.pointee.extradata_size = Int32(configuration.count)
  }

  func append(
    _ frame: EncodedFrame, at time: Int64, duration: Int64, _ take: Take
  ) throws(QuickTimeError) {
    guard av_new_packet(packet, Int32(clamping: frame.byteCount)) == 0 else {
      throw EncoderContext.outOfMemory
    }
    defer { av_packet_unref(packet) }
    frame.withUnsafeBytes { bytes in
      UnsafeMutableRawBufferPointer(start: packet.pointee.data, count: bytes.count)
        .copyMemory(from: bytes)
    }
    packet.pointee.pts = time
    packet.pointee.dts = time
    packet.pointee.duration = duration
    if frame.isSync { packet.pointee.flags |= AV_PKT_FLAG_KEY }
    try take(packet)
  }

  func finish(_ take: Take) throws(QuickTimeError) {}
}
