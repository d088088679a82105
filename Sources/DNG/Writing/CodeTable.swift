import MediaCore

/// The code of each of 65536 steps of linear light.
struct CodeTable: Sendable {
  /// The step of no light; light of 1 is the last one.
  let black: Int
  /// 65536 codes.
  let codes: [UInt16]

  /// The code of a step.
  subscript(step: Int) -> UInt16 { codes[min(max(step, 0), 65_535)] }

  /// Codes of light that is multiplied by a factor for each of its three colors.
  func encode(_ image: LinearImage, factors: [Float]) -> [UInt16] {
    let black = Float(black)
    let span = 65_535 - black
    let scale = factors.map { $0 * span }
    return [UInt16](unsafeUninitializedCapacity: image.samples.count) { target, used in
      image.samples.withUnsafeBufferPointer { source in
        codes.withUnsafeBufferPointer { codes in
          // Bands do not overlap: each thread writes its own rows. Sources are only read.
          nonisolated(unsafe) let target = target
          nonisolated(unsafe) let source = source
          nonisolated(unsafe) let codes = codes
          ConcurrentMap.bands(image.height, of: 64) { rows in
            var index = 3 * rows.lowerBound * image.width
            for _ in 0..<rows.count * image.width {
              for color in 0..<3 {
                let output = source[index + color] * scale[color] + black + 0.5
                let bounded = output < 0 ? 0 : output > 65_535 ? 65_535 : output
                target[index + color] = codes[Int(bounded)]
              }
              index += 3
            }
          }
        }
      }
      used = image.samples.count
    }
  }
}
