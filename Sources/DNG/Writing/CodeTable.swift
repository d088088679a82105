import MediaCore

/// A table from 65536 steps of linear light to codes.
struct CodeTable: Sendable {
  /// The step of black; white (1) is the last step.
  let black: Int
  /// The codes, 65536 of them.
  let codes: [UInt16]

  subscript(step: Int) -> UInt16 { codes[min(max(step, 0), 65_535)] }

  /// The codes of an image, with a factor applied to each of its three colors.
  func encode(_ image: LinearImage, factors: [Float]) -> [UInt16] {
    let black = Float(black)
    let span = 65_535 - black
    let scale = factors.map { $0 * span }
    return [UInt16](unsafeUninitializedCapacity: image.samples.count) { target, used in
      image.samples.withUnsafeBufferPointer { source in
        codes.withUnsafeBufferPointer { codes in
          // Safe: bands do not overlap, so each thread writes only its own rows; sources are only read.
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
