import CFFmpeg
import MediaCore
import ProRes

/// One context of one of libavcodec's ProRes encoders, without threads of its own.
final class LibavFrameEncoder: FrameEncoder {
  private let configuration: VideoEncoderConfiguration
  private let kind: EncoderChoice.LibavEncoder
  private let context: LibavCodecContext
  private let input: LibavInputFrame
  private let packet: LibavPacket
  private let repair: HeaderRepair
  private let rate: LibavTargetRate
  private var bitsPerMacroblock: Int

  init(
    _ configuration: VideoEncoderConfiguration, kind: EncoderChoice.LibavEncoder
  ) throws(AssetWriterError) {
    self.configuration = configuration
    self.kind = kind
    self.rate = LibavTargetRate(configuration)
    self.bitsPerMacroblock = rate.bitsPerMacroblock
    self.context = try LibavCodecContext(
      configuration, kind: kind, bitsPerMacroblock: bitsPerMacroblock)
    self.input = try LibavInputFrame(configuration)
    self.packet = try LibavPacket()
    self.repair = HeaderRepair(
      encoderIdentifier: Self.identifier, aspectRatio: configuration.headerAspect,
      frameRate: configuration.frameRate, color: configuration.color,
      profile: configuration.profile)
  }

  /// Says that this recorder made the stream: neither Apple's encoder, which libavcodec can be
  /// told to pose as, nor its own default, which names no product.
  static let identifier: FourCharCode = "LREC"

  func encode(_ image: PixelBuffer, into frame: EncodedFrame) throws(AssetWriterError) {
    try input.load(image)
    if bitsPerMacroblock != rate.bitsPerMacroblock {
      bitsPerMacroblock = rate.bitsPerMacroblock
      context.setBitsPerMacroblock(bitsPerMacroblock)
    }
    var attempt = 1
    while true {
      let size = try context.encode(input, into: packet)
      // prores_aw has no rate control that could be told.
      guard kind == .proresKS,
        let lower = rate.lowered(bitsPerMacroblock, after: size, attempt: attempt)
      else { break }
      attempt += 1
      bitsPerMacroblock = lower
      context.setBitsPerMacroblock(lower)
    }
    frame.attempts = attempt
    try frame.fill(capacity: packet.byteCount) { room throws(AssetWriterError) in
      guard packet.byteCount <= room.count else {
        throw AssetWriterError(
          .outOfResources, "no memory for an encoded frame of \(packet.byteCount) bytes")
      }
      room.copyMemory(from: packet.bytes)
      do throws(ProResError) {
        try repair.mend(UnsafeMutableRawBufferPointer(rebasing: room[..<packet.byteCount]))
      } catch {
        throw AssetWriterError(
          .encodingFailed, "\(kind.rawValue) encoded no ProRes frame: \(error)")
      }
      return packet.byteCount
    }
    packet.clear()
  }
}
