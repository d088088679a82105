import CRawKernels
import DNG
import Glibc
import MediaCore

/// A turned rectangular crop: the part of the image to render for it, and how to turn that part.
struct TurnedCrop {
  /// Half of its width and height, in square pixels of the unscaled image.
  private let half: SIMD2<Double>
  private let center: SIMD2<Double>
  private let axis: SIMD2<Double>
  /// The smallest part of the image that contains the crop, as fractions of width and height.
  let box: (left: Double, top: Double, right: Double, bottom: Double)
  private let image: SIMD2<Double>

  /// A crop of an image with the given size in square pixels; nil if it is not a rectangle there.
  init?(_ crop: ImageCrop, width: Double, height: Double) {
    let angle = crop.angle * .pi / 180
    axis = SIMD2(cos(angle), sin(angle))
    image = SIMD2(width, height)
    center = SIMD2(crop.left + crop.right, crop.top + crop.bottom) / 2 * image
    let corner = SIMD2(crop.right - crop.left, crop.bottom - crop.top) / 2 * image
    half = SIMD2(
      axis.x * corner.x + axis.y * corner.y, axis.x * corner.y - axis.y * corner.x)
    guard half.x >= 0.5, half.y >= 0.5 else { return nil }
    // Interpolation needs three more pixels.
    let reach =
      SIMD2(
        abs(axis.x) * half.x + abs(axis.y) * half.y, abs(axis.y) * half.x + abs(axis.x) * half.y)
      + SIMD2(3, 3)
    let (low, high) = ((center - reach) / image, (center + reach) / image)
    box = (max(low.x, 0), max(low.y, 0), min(high.x, 1), min(high.y, 1))
    guard box.left < box.right, box.top < box.bottom else { return nil }
  }

  /// The rendered size.
  func size(scale: Double) -> (width: Int, height: Int) {
    (
      max(Int((2 * half.x * scale).rounded()), 1), max(Int((2 * half.y * scale).rounded()), 1)
    )
  }

  /// Extracts the rectangle from a rendered part of the image.
  ///
  /// - Parameters:
  ///   - part: The rendered part, in the file's orientation.
  ///   - origin: The part's upper left corner, in square pixels of the unscaled image.
  ///   - scale: Rendered pixels per pixel of the image, across and down.
  func turn(
    _ part: RenderedImage, origin: SIMD2<Double>, scale: SIMD2<Double>, size: (Int, Int),
    _ orientation: PhotoMetadata.Orientation
  ) -> RenderedImage {
    let (width, height) = (Double(size.0), Double(size.1))
    // The step between the rectangle's pixels, in pixels of the part.
    let step = SIMD2(2 * half.x / width, 2 * half.y / height)
    let across = SIMD2(axis.x, axis.y) * step.x * scale
    let down = SIMD2(-axis.y, axis.x) * step.y * scale
    let first =
      (center - origin) * scale - across * (width - 1) / 2 - down * (height - 1) / 2
      - SIMD2(0.5, 0.5)
    var start = first
    if orientation.reversesColumns { start += across * (width - 1) }
    if orientation.reversesRows { start += down * (height - 1) }
    let byStored = (
      column: orientation.reversesColumns ? -across : across,
      row: orientation.reversesRows ? -down : down
    )
    let isTransposed = orientation.isTransposed
    let (byColumn, byRow) =
      isTransposed ? (byStored.row, byStored.column) : (byStored.column, byStored.row)
    let turn = raw_turn(
      x: start.x, y: start.y, x_by_column: byColumn.x, y_by_column: byColumn.y, x_by_row: byRow.x,
      y_by_row: byRow.y)
    return Self.turned(
      part, turn, width: isTransposed ? size.1 : size.0, height: isTransposed ? size.0 : size.1)
  }

  private static func turned(
    _ part: RenderedImage, _ turn: raw_turn, width: Int, height: Int
  ) -> RenderedImage {
    func rows<Sample: BitwiseCopyable & Sendable>(
      _ source: [Sample],
      _ kernel:
        @Sendable (
          UnsafePointer<raw_turn>, UnsafePointer<Sample>, Int, Int, Int, Int, Int,
          UnsafeMutablePointer<Sample>
        ) -> Void
    ) -> [Sample] {
      [Sample](unsafeUninitializedCapacity: 3 * width * height) { target, count in
        count = 3 * width * height
        // Safe: bands do not overlap, so each thread writes only its own rows.
        nonisolated(unsafe) let pixels = target.baseAddress
        ConcurrentMap.bands(height, of: 32) { band in
          guard let pixels else { return }
          withUnsafePointer(to: turn) { turn in
            source.withUnsafeBufferPointer { source in
              guard let source = source.baseAddress else { return }
              kernel(
                turn, source, part.width, part.height, width, band.lowerBound, band.upperBound,
                pixels)
            }
          }
        }
      }
    }
    let samples: RenderedImage.Samples =
      switch part.samples {
      case .uint8(let values):
        .uint8(rows(values) { raw_turn_bytes($0, $1, $2, $3, $4, $5, $6, $7) })
      case .uint16(let values):
        .uint16(rows(values) { raw_turn_words($0, $1, $2, $3, $4, $5, $6, $7) })
      case .half(let values):
        .half(
          RenderedImage.halves(
            rows(values.map { RenderedImage.number(half: $0) }) {
              raw_turn_floats($0, $1, $2, $3, $4, $5, $6, $7)
            }))
      case .float(let values):
        .float(rows(values) { raw_turn_floats($0, $1, $2, $3, $4, $5, $6, $7) })
      }
    return RenderedImage(
      width: width, height: height, samples: samples, colorSpace: part.colorSpace)
  }
}
