import Foundation
import RawDevelop

/// The weights of a Gaussian curve up to three standard deviations, normalized to a sum of 1.
struct GaussianBlur: Sendable {
  /// The number of pixels on each side.
  let reach: Int
  private let weights: [Float]

  /// - Parameter sigma: The standard deviation in pixels, greater than 0.
  init(sigma: Double) {
    reach = Int((3 * sigma).rounded(.up))
    let curve = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = curve.reduce(0, +)
    weights = curve.map { Float($0 / sum) }
  }

  /// A blurred area of an image, in linear light.
  func blurred(_ image: CIImage, in area: CGRect) throws(RawDevelopError) -> RenderedImage {
    let wide = area.insetBy(dx: -CGFloat(reach), dy: -CGFloat(reach))
    let light = try image.rendered(in: wide, .linearSRGB, .float)
    let (width, height) = (light.width - 2 * reach, light.height - 2 * reach)
    guard case .float(let samples) = light.samples else { return light }
    let rows = blurredColumns(samples, count: 3 * light.width, rows: height)
    return RenderedImage(
      width: width, height: height,
      samples: .float(blurredRows(rows, from: 3 * light.width, to: 3 * width, rows: height)),
      colorSpace: .linearSRGB)
  }

  private func blurredColumns(_ samples: [Float], count: Int, rows: Int) -> [Float] {
    var made = [Float](repeating: 0, count: count * rows)
    samples.withUnsafeBufferPointer { samples in
      made.withUnsafeMutableBufferPointer { made in
        for row in 0..<rows {
          for (tap, weight) in weights.enumerated() {
            let from = (row + tap) * count
            for index in 0..<count { made[row * count + index] += weight * samples[from + index] }
          }
        }
      }
    }
    return made
  }

  private func blurredRows(_ samples: [Float], from count: Int, to kept: Int, rows: Int) -> [Float]
  {
    var made = [Float](repeating: 0, count: kept * rows)
    samples.withUnsafeBufferPointer { samples in
      made.withUnsafeMutableBufferPointer { made in
        for row in 0..<rows {
          for (tap, weight) in weights.enumerated() {
            let from = row * count + 3 * tap
            for index in 0..<kept { made[row * kept + index] += weight * samples[from + index] }
          }
        }
      }
    }
    return made
  }
}
