import Glibc
import MediaCore
import RawDevelop

/// The map that turns a standard-range image into an HDR image (ISO 21496-1): for each color the logarithm of
/// (HDR + offset) / (SDR + offset), as bytes between the least and the greatest gain.
struct GainMap {
  /// Added to both lights to make the gain of black finite; the value that Adobe's format introduced.
  static let offset = 1.0 / 64

  let width: Int
  let height: Int
  /// Interleaved red, green and blue.
  let pixels: [UInt8]
  /// The gain of byte 0, in stops.
  let least: Double
  /// The gain of byte 255, in stops.
  let greatest: Double
  /// Stops from white to the HDR image's brightest light.
  let headroom: Double
  /// Samples of the HDR image outside the standard-range image's gamut.
  let clipped: Int

  /// The map between two images of the same size.
  ///
  /// - Parameters:
  ///   - base: The standard-range image.
  ///   - high: The same image as linear light with white at 1.
  ///   - reduction: How many rows and columns of the image each row and column of the map covers.
  init(base: CodeRows, high: RenderedImage, reduction: Int) {
    let width = max(base.image.width / reduction, 1)
    let height = max(base.image.height / reduction, 1)
    let source = GainMapRows(base: base, high: high, reduction: reduction, width: width)
    // A float map would take more memory than both images, so gains are computed twice and not stored.
    let extent = source.extent(rows: height)
    // At least a few thousandths of a stop, because the scale divides by the range.
    let least = log2(extent.least)
    let greatest = max(log2(extent.greatest), least + 0.004)
    let scale = 255 / (greatest - least)
    pixels = [UInt8](unsafeUninitializedCapacity: 3 * width * height) { target, count in
      ConcurrentMap.bands(filling: target, rowLength: 3 * width, of: 8) { rows, part in
        source.fill(rows, part, least: least, scale: scale)
      }
      count = 3 * width * height
    }
    (self.width, self.height) = (width, height)
    (self.least, self.greatest) = (Double(least), Double(greatest))
    headroom = max(Double(source.stops(ofPeak: extent.peak)), 0.004)
    clipped = extent.clipped
  }
}
