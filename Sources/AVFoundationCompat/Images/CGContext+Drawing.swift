public import Foundation
import ImageFiles
import RawDevelop

extension CGContext {
  /// Draws a whole image into a rectangle, converted to the context's color space.
  public func draw(_ image: CGImage, in rect: CGRect, byTiling: Bool = false) {
    let area = rect.standardized
    guard area.width > 0, area.height > 0 else { return }
    let drawn = DrawnImage(
      samples: image.samples(in: space), alpha: image.alphaBytes, width: image.width,
      height: image.height, rect: area,
      isSmooth: state.quality != .none && !isExact(image, area))
    // The distance in the image between neighboring pixels of the context.
    let inverse = state.transform.inverted()
    let across = hypot(
      inverse.a * CGFloat(image.width) / area.width,
      inverse.b * CGFloat(image.height) / area.height)
    let down = hypot(
      inverse.c * CGFloat(image.width) / area.width,
      inverse.d * CGFloat(image.height) / area.height)
    let (columns, rows) = (DrawnImage.parts(across), DrawnImage.parts(down))
    eachPixel(of: area) { point, pixel in
      var sum = SIMD4<Float>()
      for part in 0..<columns * rows where drawn.isSmooth {
        let place = CGPoint(
          x: point.x + (CGFloat(part % columns) + 0.5) / CGFloat(columns) - 0.5,
          y: point.y + (CGFloat(part / columns) + 0.5) / CGFloat(rows) - 0.5)
        sum += drawn.color(at: place.applying(inverse))
      }
      let color =
        drawn.isSmooth
        ? sum / Float(columns * rows) : drawn.nearest(to: point.applying(inverse))
      put(color * Float(state.alpha), at: pixel)
    }
  }

  /// True if each pixel of the image maps exactly to one pixel of the context.
  private func isExact(_ image: CGImage, _ area: CGRect) -> Bool {
    let (transform, placed) = (state.transform, area.applying(state.transform))
    return transform.b == 0 && transform.c == 0 && transform.a > 0 && transform.d > 0
      && placed == placed.integral
      && placed.size == CGSize(width: CGFloat(image.width), height: CGFloat(image.height))
  }

  /// Fills a rectangle with the fill color.
  public func fill(_ rect: CGRect) {
    let fill = SIMD4(Float(state.fill.red), Float(state.fill.green), Float(state.fill.blue), 1)
    let color = fill * 255 * Float(state.fill.alpha * state.alpha)
    eachPixel(of: rect.standardized) { _, pixel in put(color, at: pixel) }
  }

  /// Fills several rectangles with the fill color.
  public func fill(_ rects: [CGRect]) { for rect in rects { fill(rect) } }

  /// Makes a rectangle black, and transparent if the context has alpha.
  public func clear(_ rect: CGRect) {
    eachPixel(of: rect.standardized) { _, pixel in
      pixel.initializeMemory(as: UInt8.self, repeating: 0, count: layout.pixelBytes)
    }
  }

  /// A copy of the current pixels without alpha: transparent ones are blended over black.
  public func makeImage() -> CGImage? {
    let samples = [UInt8](unsafeUninitializedCapacity: width * height * 3) { samples, count in
      for row in 0..<height {
        for column in 0..<width {
          let pixel = memory + row * bytesPerRow + column * layout.pixelBytes
          for place in layout.colors {
            samples[count] = pixel.load(fromByteOffset: place, as: UInt8.self)
            count += 1
          }
        }
      }
    }
    return CGImage(
      RenderedImage(width: width, height: height, samples: .uint8(samples), colorSpace: space))
  }

  /// Calls `body` for each pixel whose center lies inside both the rectangle and the clipping area, with the center's
  /// position, measured from the lower left corner, and the pixel's memory.
  private func eachPixel(
    of rect: CGRect, _ body: (CGPoint, UnsafeMutableRawPointer) -> Void
  ) {
    let whole = CGRect(x: 0, y: 0, width: CGFloat(width), height: CGFloat(height))
    let box = rect.applying(state.transform).insetBy(dx: -1, dy: -1).intersection(whole)
    guard !box.isNull, box.width > 0, box.height > 0 else { return }
    let areas = state.clips + [Area(rect: rect, inverse: state.transform.inverted())]
    for line in Int(box.minY.rounded(.down))..<Int(box.maxY.rounded(.up)) {
      let start = memory + (height - 1 - line) * bytesPerRow
      for column in Int(box.minX.rounded(.down))..<Int(box.maxX.rounded(.up)) {
        let center = CGPoint(x: CGFloat(column) + 0.5, y: CGFloat(line) + 0.5)
        guard areas.allSatisfy({ $0.rect.contains(center.applying($0.inverse)) }) else {
          continue
        }
        body(center, start + column * layout.pixelBytes)
      }
    }
  }

  /// Blends a color over a pixel: red, green and blue premultiplied by alpha, and alpha, each from 0 to 255.
  private func put(_ color: SIMD4<Float>, at pixel: UnsafeMutableRawPointer) {
    let rest = 1 - color.w / 255
    func mix(_ value: Float, at place: Int) {
      let before = rest > 0 ? rest * Float(pixel.load(fromByteOffset: place, as: UInt8.self)) : 0
      let sum = min(max(value + before, 0), 255)
      pixel.storeBytes(of: UInt8(sum.rounded()), toByteOffset: place, as: UInt8.self)
    }
    for index in 0..<3 { mix(color[index], at: layout.colors[index]) }
    guard let last = layout.last else { return }
    if layout.hasAlpha {
      mix(color.w, at: last)
    } else {
      pixel.storeBytes(of: 255, toByteOffset: last, as: UInt8.self)
    }
  }
}

/// An image drawn into a rectangle.
private struct DrawnImage {
  let samples: [UInt8]
  /// Nil if all pixels are opaque.
  let alpha: [UInt8]?
  let width: Int
  let height: Int
  let rect: CGRect
  let isSmooth: Bool

  /// The number of subsamples per pixel for neighbors `step` apart in the image.
  static func parts(_ step: CGFloat) -> Int {
    step.isFinite ? min(max(Int(step.rounded(.up)), 1), 16) : 1
  }

  private func place(of point: CGPoint) -> (x: Float, y: Float) {
    (
      Float((point.x - rect.minX) / rect.width * CGFloat(width)),
      Float((rect.maxY - point.y) / rect.height * CGFloat(height))
    )
  }

  /// Red, green and blue premultiplied by alpha, and alpha.
  private subscript(column: Int, row: Int) -> SIMD4<Float> {
    let pixel = min(max(row, 0), height - 1) * width + min(max(column, 0), width - 1)
    let first = 3 * pixel
    let color = SIMD4(
      Float(samples[first]), Float(samples[first + 1]), Float(samples[first + 2]), 255)
    return alpha.map { color * (Float($0[pixel]) / 255) } ?? color
  }

  /// The pixel that contains a point.
  func nearest(to point: CGPoint) -> SIMD4<Float> {
    let place = place(of: point)
    return self[Int(place.x.rounded(.down)), Int(place.y.rounded(.down))]
  }

  /// The bilinear interpolation of the four pixels around a point.
  func color(at point: CGPoint) -> SIMD4<Float> {
    let place = place(of: point)
    let (x, y) = (place.x - 0.5, place.y - 0.5)
    let (column, row) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
    let (right, below) = (x - Float(column), y - Float(row))
    let upper = self[column, row] * (1 - right) + self[column + 1, row] * right
    let lower = self[column, row + 1] * (1 - right) + self[column + 1, row + 1] * right
    return upper * (1 - below) + lower * below
  }
}

extension CGImage {
  /// The 8-bit alpha of each pixel; nil if all pixels are opaque.
  fileprivate var alphaBytes: [UInt8]? {
    guard let opacity else { return nil }
    if case .uint8(let values) = opacity { return values }
    return opacity.numbers.map { UInt8((min(max($0, 0), 1) * 255).rounded()) }
  }

  /// 8-bit samples in a color space.
  fileprivate func samples(in space: ImageColorSpace) -> [UInt8] {
    if case .uint8(let samples) = image.samples, image.colorSpace == space { return samples }
    let converted = image.converted(to: space, format: .uint8)
    if case .uint8(let samples) = converted.samples { return samples }
    return []
  }
}
