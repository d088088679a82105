import MediaCore
import ProRes

/// How `prores_ks` is held to Apple's target size of a frame.
struct LibavTargetRate: Sendable {
  /// Bytes that no frame may exceed.
  let targetFrameBytes: Int
  /// What the encoder is told at first.
  let bitsPerMacroblock: Int

  /// Bits that the encoder's estimate leaves out: it counts coefficients, not headers and tables.
  init(_ configuration: VideoEncoderConfiguration) {
    let columns = (configuration.dimensions.width + 15) / 16
    let rows = (configuration.dimensions.height + 15) / 16
    let pictures = configuration.fieldOrder.isInterlaced ? 2 : 1
    let slices = (columns + 7) / 8 * rows
    let overhead = 148 + pictures * 8 + slices * 2
    let target = configuration.targetFrameBytes
    self.targetFrameBytes = target
    self.bitsPerMacroblock = max((target - overhead) * 8 / (columns * rows), 128)
  }

  /// The next value to try, or nil where the frame fits or more attempts are of no use.
  func lowered(_ current: Int, after size: Int, attempt: Int) -> Int? {
    guard size > targetFrameBytes, attempt < 4, current > 128 else { return nil }
    // Half a percent beyond what the excess asks for, so that one more attempt does.
    return max(current * targetFrameBytes / size * 995 / 1000, 128)
  }
}
