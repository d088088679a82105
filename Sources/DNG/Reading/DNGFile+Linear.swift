import CRawKernels

extension DNGFile {
  /// The active area of a raw picture in linear light: its table looked up, black taken away, white
  /// brought to 1. Light is at most 1; below black it stays negative. No opcode is applied.
  ///
  /// - Throws: What ``decodeSamples(of:)`` throws, and ``DNGError/Code/invalidFile`` for levels that
  ///   make no sense.
  public func decodeLinear(of picture: Picture) throws(DNGError) -> FloatImage {
    let levels = try picture.levels()
    return Self.linearized(try decodeSamples(of: picture), levels)
  }

  /// Samples brought to linear light.
  static func linearized(_ samples: DNGSamples, _ levels: RawLevels) -> FloatImage {
    let area = levels.activeArea
    let components = levels.white.count
    let black = levels.black.map { Float($0) }
    let (deltaH, deltaV) = (
      levels.blackDeltaH.map { Float($0) }, levels.blackDeltaV.map { Float($0) }
    )
    let scale = zip(levels.white, levels.greatestBlack).map { Float(1 / ($0 - $1)) }
    let count = area.width * area.height * components
    let (codes, floats, width): ([UInt16], [Float], Int) =
      switch samples {
      case .integers(let image): (image.samples, [], image.width)
      case .floats(let image): ([], image.samples, image.width)
      }
    let table = levels.linearizationTable ?? []
    let light = [Float](unsafeUninitializedCapacity: count) { target, used in
      codes.withUnsafeBufferPointer { codes in
        floats.withUnsafeBufferPointer { floats in
          table.withUnsafeBufferPointer { table in
            black.withUnsafeBufferPointer { black in
              deltaH.withUnsafeBufferPointer { deltaH in
                deltaV.withUnsafeBufferPointer { deltaV in
                  scale.withUnsafeBufferPointer { scale in
                    var kernel = raw_levels()
                    (kernel.left, kernel.top) = (area.left, area.top)
                    (kernel.columns, kernel.components) = (area.width, components)
                    kernel.table = table.isEmpty ? nil : table.baseAddress
                    kernel.table_count = table.count
                    kernel.black = black.baseAddress
                    (kernel.black_rows, kernel.black_columns) = (
                      levels.blackRows, levels.blackColumns
                    )
                    kernel.delta_h = deltaH.isEmpty ? nil : deltaH.baseAddress
                    kernel.delta_v = deltaV.isEmpty ? nil : deltaV.baseAddress
                    kernel.scale = scale.baseAddress
                    raw_linearize(
                      &kernel, codes.baseAddress, floats.isEmpty ? nil : floats.baseAddress,
                      width * components, 0, area.height, target.baseAddress)
                  }
                }
              }
            }
          }
        }
      }
      used = count
    }
    return FloatImage(
      width: area.width, height: area.height, components: components, samples: light)
  }
}
