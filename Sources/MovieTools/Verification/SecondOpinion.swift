import AssetReader
import QuickTime

/// Which frames libavcodec decodes after our own reader has been through all of them.
///
/// Our reader takes every code word of a frame, and an inverse transform cannot fail, so a frame of
/// which it finds nothing decodes. It is the same people's as the encoder, though. A decoder by others
/// therefore has the first frame and the last, one in 32 between them, and every frame of which anything
/// was found, or that has what libavcodec is known to refuse: where it says no to what ours says yes to, as one of others' making may by its reading of
/// the standard, it does so in most frames of a movie.
struct SecondOpinion {
  /// One frame in so many.
  static let interval = 32

  private let samples: SampleTable
  /// For each frame, true where nothing was found.
  private var isClean: [Bool]

  init(_ samples: SampleTable) {
    self.samples = samples
    isClean = [Bool](repeating: false, count: samples.count)
  }

  mutating func noteClean(_ frame: Int) {
    if isClean.indices.contains(frame) { isClean[frame] = true }
  }

  /// False for a packet that is byte for byte a frame of which nothing was found, and none of the sample.
  func isWanted(_ packet: CompressedPacket) -> Bool {
    let frame = packet.index
    guard frame % Self.interval != 0, frame < samples.count - 1, isClean.indices.contains(frame),
      isClean[frame], let sample = samples[frame], let position = packet.filePosition
    else { return true }
    return UInt64(clamping: position) != sample.offset || packet.byteCount != Int(sample.size)
  }
}
