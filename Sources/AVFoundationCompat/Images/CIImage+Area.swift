import Foundation
import RawDevelop

extension CIImage {
  /// An image that fails to render with an error.
  static func failed(_ code: RawDevelopError.Code, _ message: String) -> CIImage {
    CIImage(
      .failed(RawDevelopError(code, message)), extent: CGRect(x: 0, y: 0, width: 1, height: 1))
  }

  /// The pixels of an integral area, also of an infinite image; black outside the image.
  func rendered(
    in area: CGRect, _ space: ImageColorSpace?, _ format: RenderedImage.SampleFormat
  ) throws(RawDevelopError) -> RenderedImage {
    let target = space ?? colorSpace?.space ?? .sRGB
    let size = try Self.size(of: area)
    switch content {
    case .failed(let error): throw error
    case .color(let color):
      return color.light(width: size.width, height: size.height)
        .converted(to: target, format: format)
    case .clamped(let image):
      return try image.rendered(target, format).clamped(from: image.pixels, to: area)
    case .blurred(let image, let blur):
      return try blur.blurred(image, in: area).converted(to: target, format: format)
    case .changed(let image, let inner, let change):
      return try image.rendered(in: area, inner, .float).changed(by: change)
        .converted(to: target, format: format)
    case .blended(let image, let background, let mask):
      let light = try [image, background, mask].map { (image) throws(RawDevelopError) in
        image.extent.isNull ? nil : try image.rendered(in: area, .linearSRGB, .float)
      }
      return RenderedImage.blended(light, size.width, size.height)
        .converted(to: target, format: format)
    case .layers(let layers):
      let parts = layers.map { $0.cropped(to: area) }.filter { !$0.extent.isNull }
      return try Self.flattened(parts, in: area, target, format)
    case .transformed(let image, let transform) where extent.isInfinite:
      return try image.rendered(in: area, under: transform, target, format)
    case .cropped(let image):
      let inside = area.intersection(pixels)
      guard inside != area else { return try image.rendered(in: area, target, format) }
      return try Self.flattened(
        inside.isNull || inside.isEmpty ? [] : [cropped(to: inside)], in: area, target, format)
    case .turned, .transformed, .raw, .image, .scaled:
      return try rendered(target, format).placed(from: pixels, in: area)
    }
  }

  /// The pixels of a transformed infinite image.
  private func rendered(
    in area: CGRect, under transform: CGAffineTransform, _ space: ImageColorSpace,
    _ format: RenderedImage.SampleFormat
  ) throws(RawDevelopError) -> RenderedImage {
    guard transform.a * transform.d != transform.b * transform.c else {
      throw RawDevelopError(.invalidArgument, "an image cannot be collapsed to a line")
    }
    if transform.isMoveByPixels {
      return try rendered(
        in: area.offsetBy(dx: -transform.tx, dy: -transform.ty), space, format)
    }
    let source = area.applying(transform.inverted()).insetBy(dx: -1, dy: -1).integral
    return try rendered(in: source, space, .float)
      .transformed(transform, from: source, to: area, as: format)
  }

  /// Width and height of an area in pixels.
  static func size(of area: CGRect) throws(RawDevelopError) -> (width: Int, height: Int) {
    guard !area.isNull, area.width >= 1, area.height >= 1, area.width * area.height < 0x1p27 else {
      throw RawDevelopError(
        .invalidArgument,
        area.isInfinite || area.width >= 0x1p27
          ? "an infinite image has no size; crop it first" : "the image has no pixels in \(area)")
    }
    return (Int(area.width), Int(area.height))
  }
}

extension RenderedImage {
  /// The pixels of an area, with edge pixels repeated beyond the edges.
  ///
  /// - Parameter source: The position of this image.
  fileprivate func clamped(from source: CGRect, to area: CGRect) -> RenderedImage {
    let columns = (0..<Int(area.width)).map {
      Int(min(max(area.minX + CGFloat($0) - source.minX, 0), CGFloat(width - 1)))
    }
    let rows = (0..<Int(area.height)).map {
      Int(min(max(source.maxY - area.maxY + CGFloat($0), 0), CGFloat(height - 1)))
    }
    return picked(rows, columns.map { 3 * $0 })
  }

  /// The pixels of an area, black outside this image.
  fileprivate func placed(from source: CGRect, in area: CGRect) -> RenderedImage {
    if source == area { return self }
    let columns = (0..<Int(area.width)).map { column -> Int in
      let place = area.minX + CGFloat(column) - source.minX
      return place >= 0 && place < CGFloat(width) ? 3 * Int(place) : -1
    }
    let rows = (0..<Int(area.height)).map { row -> Int in
      let place = source.maxY - area.maxY + CGFloat(row)
      return place >= 0 && place < CGFloat(height) ? Int(place) : -1
    }
    return picked(rows, columns)
  }

  /// The pixels at the given row indexes and sample offsets within a row; black for negative ones.
  private func picked(_ rows: [Int], _ columns: [Int]) -> RenderedImage {
    func pick<Sample: BitwiseCopyable>(_ samples: [Sample], _ black: Sample) -> [Sample] {
      samples.withUnsafeBufferPointer { samples in
        [Sample](unsafeUninitializedCapacity: 3 * rows.count * columns.count) { made, count in
          for row in rows {
            for column in columns {
              let isThere = row >= 0 && column >= 0
              let first = isThere ? 3 * width * row + column : 0
              for component in 0..<3 {
                made[count + component] = isThere ? samples[first + component] : black
              }
              count += 3
            }
          }
        }
      }
    }
    let made: Samples =
      switch samples {
      case .uint8(let samples): .uint8(pick(samples, 0))
      case .uint16(let samples): .uint16(pick(samples, 0))
      case .half(let samples): .half(pick(samples, 0))
      case .float(let samples): .float(pick(samples, 0))
      }
    return RenderedImage(
      width: columns.count, height: rows.count, samples: made, colorSpace: colorSpace)
  }

  /// Applies a function to each color.
  fileprivate func changed(by change: RAWFilter.LinearSpaceFilter) -> RenderedImage {
    guard case .float(var samples) = samples else { return self }
    for place in stride(from: 0, to: samples.count - 2, by: 3) {
      let color = change(SIMD3(samples[place], samples[place + 1], samples[place + 2]))
      for component in 0..<3 { samples[place + component] = color[component] }
    }
    return RenderedImage(
      width: width, height: height, samples: .float(samples), colorSpace: colorSpace)
  }

  /// Blends an image over another one by the luminance of a third; nil means black.
  fileprivate static func blended(
    _ images: [RenderedImage?], _ width: Int, _ height: Int
  ) -> RenderedImage {
    let light = images.map { image -> [Float] in
      if case .float(let samples)? = image?.samples { return samples }
      return [Float](repeating: 0, count: 3 * width * height)
    }
    var made = light[1]
    for place in stride(from: 0, to: made.count - 2, by: 3) {
      let mask = SIMD3(light[2][place], light[2][place + 1], light[2][place + 2])
      let share = min(max(mask.luminance, 0), 1)
      for index in place..<place + 3 { made[index] += (light[0][index] - made[index]) * share }
    }
    return RenderedImage(
      width: width, height: height, samples: .float(made), colorSpace: .linearSRGB)
  }
}
