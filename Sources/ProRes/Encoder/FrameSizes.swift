/// Bytes of a frame that are known before it is encoded.
struct FrameSizes: Sendable {
  /// Everything but the slices: headers and slice tables.
  let overhead: Int
  /// Bytes for all slices, alpha left out.
  let sliceBudget: Int
  /// What a frame aims at, alpha left out; nil for constant quality.
  let target: Int?
  /// No frame is larger.
  let maximum: Int
  /// The bytes of a slice that consists of only its header and zero levels: 17 in 4:2:2 and
  /// 23 in 4:4:4 with alpha, if it is eight macroblocks wide.
  let leastSlice: Int

  /// A frame's size is a multiple of this; the rest is stuffing.
  static let alignment = 16

  init(_ configuration: ProResEncoder.Configuration, headerSize: Int) {
    let layouts = configuration.layouts
    let slices = layouts.reduce(0) { $0 + $1.slices }
    let macroblocks = layouts.reduce(0) { $0 + $1.macroblocks }
    leastSlice = configuration.profile.is4444 ? 24 : 18
    overhead = headerSize + layouts.count * 8 + slices * 2
    // A sample of alpha takes 19 bits at worst: its code and the empty run.
    let alpha = configuration.alpha == .none ? 0 : macroblocks * 256 * 19 / 8 + slices * 8
    let wanted: Int
    switch configuration.rateMode {
    case .target:
      wanted = configuration.profile.targetFrameBytes(
        width: configuration.width, height: configuration.height)
      target = wanted / Self.alignment * Self.alignment
    case .frameBytes(let bytes):
      wanted = max(bytes, overhead + slices * leastSlice + Self.alignment)
      target = wanted / Self.alignment * Self.alignment
    case .constantQuality:
      wanted = overhead + macroblocks * ProResEncoder.largestConstantQualityMacroblock
      target = nil
    }
    let size = wanted / Self.alignment * Self.alignment
    sliceBudget = size - overhead
    maximum = (size + alpha + Self.alignment - 1) / Self.alignment * Self.alignment
  }
}
