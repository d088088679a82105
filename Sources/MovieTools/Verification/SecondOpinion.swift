import AssetReader
import QuickTime

/// Chooses the frames that libavcodec decodes after this project's parser has checked all of them.
///
/// The parser reads every code word of a frame, and an inverse transform cannot fail, so a frame
/// without findings decodes. But the parser has the same authors as the encoder. Therefore a second
/// decoder gets the first frame, the last, one in 32 between them, and every frame with findings or
/// with something that libavcodec is known to reject. If libavcodec interprets the standard
/// differently, as it may with movies of other encoders, it rejects most frames of a movie, and the
/// sample shows that.
struct SecondOpinion {
  /// One frame in this many is decoded.
  static let interval = 32

  private let samples: SampleTable
  /// For each frame, true if it has no findings.
  private var isClean: [Bool]

  init(_ samples: SampleTable) {
    self.samples = samples
    isClean = [Bool](repeating: false, count: samples.count)
  }

  mutating func noteClean(_ frame: Int) {
    if isClean.indices.contains(frame) { isClean[frame] = true }
  }

  /// False for a packet that is exactly a frame without findings and not in the sample.
  func isWanted(_ packet: CompressedPacket) -> Bool {
    let frame = packet.index
    guard frame % Self.interval != 0, frame < samples.count - 1, isClean.indices.contains(frame),
      isClean[frame], let sample = samples[frame], let position = packet.filePosition
    else { return true }
    return UInt64(clamping: position) != sample.offset || packet.byteCount != Int(sample.size)
  }
}
