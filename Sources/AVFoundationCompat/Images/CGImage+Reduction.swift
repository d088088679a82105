import ImageFiles
import RawDevelop

extension CGImage {
  /// The image scaled down so that its longer side has at most `side` pixels; each new pixel is the mean of those it
  /// covers. Images are never enlarged.
  func within(_ side: Double) -> CGImage {
    let factor = side / Double(max(width, height))
    guard side >= 1, factor < 1 else { return self }
    func length(_ pixels: Int) -> Int { max(Int((Double(pixels) * factor).rounded()), 1) }
    let size = (length(width), length(height))
    let colors = image.samples.numbers
    guard let alpha = opacity?.numbers else {
      let made = ImageReduction(width: width, height: height, channels: 3).reduced(
        colors, to: size)
      return CGImage(image(made, size), utType: utType)
    }
    // Weighted by alpha, so that transparent pixels do not count.
    var all: [Float] = []
    all.reserveCapacity(4 * alpha.count)
    for pixel in alpha.indices {
      for part in 0..<3 { all.append(colors[3 * pixel + part] * alpha[pixel]) }
      all.append(alpha[pixel])
    }
    let made = ImageReduction(width: width, height: height, channels: 4).reduced(all, to: size)
    let shares = stride(from: 3, to: made.count, by: 4).map { made[$0] }
    let divided = (0..<3 * shares.count).map { index -> Float in
      let share = shares[index / 3]
      return share > 0 ? made[4 * (index / 3) + index % 3] / share : 0
    }
    return CGImage(image(divided, size), opacity: samples(shares), utType: utType)
  }

  private func image(_ numbers: [Float], _ size: (width: Int, height: Int)) -> RenderedImage {
    RenderedImage(
      width: size.width, height: size.height, samples: samples(numbers),
      colorSpace: image.colorSpace)
  }

  /// Converts numbers to the image's sample format; half floats become floats.
  private func samples(_ numbers: [Float]) -> RenderedImage.Samples {
    switch image.samples {
    case .uint8: .uint8(numbers.map { UInt8((min(max($0, 0), 1) * 255).rounded()) })
    case .uint16: .uint16(numbers.map { UInt16((min(max($0, 0), 1) * 65_535).rounded()) })
    case .half, .float: .float(numbers)
    }
  }
}

/// Scales images down by averaging areas.
private struct ImageReduction {
  let width: Int
  let height: Int
  let channels: Int

  /// For each new position, the old positions it covers and their weights.
  private func shares(_ old: Int, _ new: Int) -> [[(place: Int, share: Float)]] {
    (0..<new).map { index in
      let start = Double(index) * Double(old) / Double(new)
      let end = Double(index + 1) * Double(old) / Double(new)
      return (Int(start)..<min(Int(end.rounded(.up)), old)).map { place in
        let part = min(Double(place + 1), end) - max(Double(place), start)
        return (place, Float(part / (end - start)))
      }
    }
  }

  func reduced(_ numbers: [Float], to size: (width: Int, height: Int)) -> [Float] {
    let columns = shares(width, size.width)
    var result = [Float](repeating: 0, count: size.width * size.height * channels)
    numbers.withUnsafeBufferPointer { numbers in
      for (row, lines) in shares(height, size.height).enumerated() {
        for (line, lineShare) in lines {
          for (column, parts) in columns.enumerated() {
            let target = (row * size.width + column) * channels
            for (place, share) in parts {
              let source = (line * width + place) * channels
              for channel in 0..<channels {
                result[target + channel] += numbers[source + channel] * share * lineShare
              }
            }
          }
        }
      }
    }
    return result
  }
}
