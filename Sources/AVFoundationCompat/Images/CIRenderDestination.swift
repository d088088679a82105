import Foundation
import RawDevelop

/// Memory for a rendered image, top row first.
public final class CIRenderDestination {
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  /// The pixel format.
  public let format: CIFormat
  /// The color space of the result; nil for no conversion.
  public var colorSpace: CGColorSpace?
  let bytesPerRow: Int
  private let data: UnsafeMutableRawPointer

  /// A destination in memory with `height` rows of `bytesPerRow` bytes, which must outlive it.
  public init(
    bitmapData data: UnsafeMutableRawPointer, width: Int, height: Int, bytesPerRow: Int,
    format: CIFormat
  ) {
    self.data = data
    (self.width, self.height) = (max(width, 0), max(height, 0))
    self.bytesPerRow = bytesPerRow
    self.format = format
  }

  /// Copies an area of an image so that its lower left corner is at a point, clipped to both; returns the number of
  /// pixels.
  func copy(
    _ image: RenderedImage, _ rect: CGRect, _ point: CGPoint, _ layout: CIFormat.Layout
  ) -> Int {
    guard rect.isNumeric, point.x.isFinite, point.y.isFinite else { return 0 }
    let area = rect.intersection(CGRect(x: 0, y: 0, width: image.width, height: image.height))
      .integral
    let moved = area.offsetBy(dx: point.x - rect.minX, dy: point.y - rect.minY).integral
    guard !area.isNull, moved.isNumeric else { return 0 }
    let wanted = moved.intersection(CGRect(x: 0, y: 0, width: width, height: height))
    guard !wanted.isNull, wanted.width >= 1, wanted.height >= 1 else { return 0 }
    let (columns, rows) = (Int(wanted.width), Int(wanted.height))
    let left = Int(area.minX + wanted.minX - moved.minX)
    // Rows in memory count from the top.
    let top = image.height - Int(area.minY + wanted.minY - moved.minY) - rows
    let targetTop = height - Int(wanted.minY) - rows
    for row in 0..<rows {
      let line =
        data + (targetTop + row) * bytesPerRow + Int(wanted.minX) * layout.pixelBytes
      let first = ((top + row) * image.width + left) * 3
      switch image.samples {
      case .uint8(let samples):
        store(samples, first, columns, line, layout, opaque: 255) { UInt8(clamping: Int($0 + 0.5)) }
      case .uint16(let samples):
        store(samples, first, columns, line, layout, opaque: .max) {
          UInt16(clamping: Int($0 + 0.5))
        }
      case .half(let samples):
        // No half-float format has luminance.
        store(samples, first, columns, line, layout, opaque: 0x3C00) { _ in 0 }
      case .float(let samples):
        store(samples, first, columns, line, layout, opaque: 1) { Float($0) }
      }
    }
    return columns * rows
  }

  private func store<Sample: BitwiseCopyable>(
    _ samples: [Sample], _ first: Int, _ count: Int, _ line: UnsafeMutableRawPointer,
    _ layout: CIFormat.Layout, opaque: Sample, brightness: (Double) -> Sample
  ) {
    let step = layout.channels.count
    let size = MemoryLayout<Sample>.size
    for index in 0..<count {
      for (place, channel) in layout.channels.enumerated() {
        let sample =
          switch channel {
          case 3: opaque
          case 4: brightness(Self.brightness(samples, first + 3 * index))
          default: samples[first + 3 * index + channel]
          }
        line.storeBytes(of: sample, toByteOffset: (index * step + place) * size, as: Sample.self)
      }
    }
  }

  /// Luminance with Rec. 709 weights.
  private static func brightness<Sample>(_ samples: [Sample], _ index: Int) -> Double {
    func number(_ sample: Sample) -> Double {
      switch sample {
      case let value as UInt8: Double(value)
      case let value as UInt16: Double(value)
      case let value as Float: Double(value)
      default: 0
      }
    }
    return 0.2126 * number(samples[index]) + 0.7152 * number(samples[index + 1])
      + 0.0722 * number(samples[index + 2])
  }
}

extension RenderedImage {
  /// An area with its origin in the lower left corner; nil if it does not overlap the image.
  func part(_ rect: CGRect) -> RenderedImage? {
    let whole = rect.integral
    guard whole.isNumeric else { return nil }
    let area = whole.intersection(CGRect(x: 0, y: 0, width: width, height: height))
    guard !area.isNull, area.width >= 1, area.height >= 1 else { return nil }
    let top = height - Int(area.maxY)
    return cropped(
      columns: Int(area.minX)..<Int(area.maxX), rows: top..<top + Int(area.height))
  }
}
