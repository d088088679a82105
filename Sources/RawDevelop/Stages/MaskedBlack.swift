import DNG

extension RawLevels {
  /// The levels with black measured in the masked areas, if the file states no black.
  ///
  /// Each position in the Bayer cell, or each component, gets the mean of its masked samples. A stated black level
  /// is kept, and masked areas are then only a hint.
  func measuringBlack(in samples: DNGSamples, components: Int) -> RawLevels {
    guard !maskedAreas.isEmpty, black.allSatisfy({ $0 == 0 }), blackDeltaH.isEmpty,
      blackDeltaV.isEmpty, case .integers(let image) = samples
    else { return self }
    // An opcode may have trimmed the stored samples.
    let areas = maskedAreas.filter { $0.right <= image.width && $0.bottom <= image.height }
    let cells = 2 * 2 * components
    var (sums, counts) = (
      [Double](repeating: 0, count: cells), [Double](repeating: 0, count: cells)
    )
    for area in areas.prefix(16) {
      for row in area.top..<area.bottom {
        for column in area.left..<area.right {
          let (y, x) = ((row - activeArea.top) & 1, (column - activeArea.left) & 1)
          for component in 0..<components {
            let code = Int(image[row, column, component])
            let place = (y * 2 + x) * components + component
            sums[place] +=
              linearizationTable.map { Double($0[min(code, $0.count - 1)]) } ?? Double(code)
            counts[place] += 1
          }
        }
      }
    }
    guard counts.allSatisfy({ $0 > 0 }) else { return self }
    var result = self
    (result.blackRows, result.blackColumns) = (2, 2)
    result.black = zip(sums, counts).map { $0 / $1 }
    guard zip(result.white, result.greatestBlack).allSatisfy({ $0 > $1 }) else { return self }
    return result
  }
}
