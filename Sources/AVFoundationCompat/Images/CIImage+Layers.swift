import Foundation
import RawDevelop

extension CIImage {
  /// An infinite image of one color; `cropped(to:)` makes it finite.
  public convenience init(color: CIColor) { self.init(.color(color), extent: .infinite) }

  /// An image without pixels.
  public static func empty() -> CIImage { layered([]) }

  /// This image over another one, each at its own position. Areas with no image, and those behind a color that is not
  /// opaque, are black. Images are opaque; a color is blended in linear light.
  public func composited(over dest: CIImage) -> CIImage {
    Self.layered(dest.layers + layers)
  }

  /// Images on top of each other, bottom first.
  static func layered(_ images: [CIImage]) -> CIImage {
    let layers = images.filter { !$0.extent.isNull }
    let isEverywhere = layers.contains { $0.extent.isInfinite }
    return CIImage(
      .layers(layers),
      extent: isEverywhere ? .infinite : layers.reduce(CGRect.null) { $0.union($1.extent) })
  }

  /// Bottom first.
  private var layers: [CIImage] {
    if case .layers(let layers) = content { return layers }
    return extent.isNull ? [] : [self]
  }

  /// The opacity, from 0 to 1.
  private var opacity: Float {
    switch content {
    case .color(let color): Float(min(max(color.alpha, 0), 1))
    case .turned(let image, _), .cropped(let image), .transformed(let image, _): image.opacity
    default: 1
    }
  }

  /// The pixels of layered images.
  static func flattened(
    _ layers: [CIImage], in area: CGRect, _ target: ImageColorSpace,
    _ format: RenderedImage.SampleFormat
  ) throws(RawDevelopError) -> RenderedImage {
    let size = try size(of: area)
    let seen = layers.filter { $0.opacity > 0 }
    let isMixed = seen.contains { $0.opacity < 1 }
    let inner = isMixed ? ImageColorSpace.linearSRGB : target
    let innerFormat = isMixed ? RenderedImage.SampleFormat.float : format
    var canvas = Canvas(area, size.width, size.height, innerFormat)
    for layer in seen {
      canvas.put(try layer.rendered(inner, innerFormat), in: layer.pixels, layer.opacity)
    }
    return canvas.image(inner).converted(to: target, format: format)
  }
}

/// Pixels onto which images are drawn.
private struct Canvas {
  private let area: CGRect
  private let width: Int
  private let height: Int
  private var samples: RenderedImage.Samples

  init(
    _ area: CGRect, _ width: Int, _ height: Int, _ format: RenderedImage.SampleFormat
  ) {
    (self.area, self.width, self.height) = (area, width, height)
    let count = 3 * width * height
    samples =
      switch format {
      case .uint8: .uint8([UInt8](repeating: 0, count: count))
      case .uint16: .uint16([UInt16](repeating: 0, count: count))
      case .half: .half([UInt16](repeating: 0, count: count))
      case .float: .float([Float](repeating: 0, count: count))
      }
  }

  func image(_ space: ImageColorSpace) -> RenderedImage {
    RenderedImage(width: width, height: height, samples: samples, colorSpace: space)
  }

  /// Draws an image at its position, which must lie within the canvas. An image that is not opaque must already be
  /// multiplied by its opacity.
  mutating func put(_ image: RenderedImage, in place: CGRect, _ opacity: Float) {
    let left = Int(place.minX - area.minX)
    let top = Int(area.maxY - place.maxY)
    func copy<Sample>(
      _ source: [Sample], _ target: inout [Sample], _ mix: ((Sample, Sample) -> Sample)? = nil
    ) {
      for row in 0..<image.height {
        let from = 3 * row * image.width
        let to = 3 * ((top + row) * width + left)
        guard let mix else {
          target[to..<to + 3 * image.width] = source[from..<from + 3 * image.width]
          continue
        }
        for index in 0..<3 * image.width {
          target[to + index] = mix(source[from + index], target[to + index])
        }
      }
    }
    switch (image.samples, samples) {
    case (.uint8(let source), .uint8(var target)):
      samples = .uint8([])
      copy(source, &target)
      samples = .uint8(target)
    case (.uint16(let source), .uint16(var target)):
      samples = .uint16([])
      copy(source, &target)
      samples = .uint16(target)
    case (.half(let source), .half(var target)):
      samples = .half([])
      copy(source, &target)
      samples = .half(target)
    case (.float(let source), .float(var target)):
      samples = .float([])
      copy(source, &target, opacity < 1 ? { $0 + $1 * (1 - opacity) } : nil)
      samples = .float(target)
    default: break
    }
  }
}
