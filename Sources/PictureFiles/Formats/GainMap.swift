import Glibc
import MediaCore
import RawDevelop

/// What makes an HDR picture of a picture of standard range (ISO 21496-1): for each color the
/// logarithm of (HDR + offset) / (SDR + offset), as bytes between a least and a greatest one.
struct GainMap {
  /// Added to both lights, so that black has a finite gain; the value that Adobe's format began with.
  static let offset = 1.0 / 64

  let width: Int
  let height: Int
  /// Interleaved red, green and blue.
  let pixels: [UInt8]
  /// Stops of the byte 0.
  let least: Double
  /// Stops of the byte 255.
  let greatest: Double
  /// Stops between white and the HDR picture's brightest light.
  let headroom: Double
  /// Samples of the HDR picture outside the gamut of the other one.
  let clipped: Int

  /// The map between two pictures of one size.
  ///
  /// - Parameters:
  ///   - base: The picture of standard range.
  ///   - high: The same one as light, of which 1 is white.
  ///   - reduction: How many pixels of a row, and rows, one of the map stands for.
  init(base: CodeRows, high: RenderedPicture, reduction: Int) {
    let width = max(base.picture.width / reduction, 1)
    let height = max(base.picture.height / reduction, 1)
    let source = GainMapRows(base: base, high: high, reduction: reduction, width: width)
    // A map of floats would take more memory than both pictures: gains are looked at twice, and not kept.
    let extent = source.extent(rows: height)
    // A gain of a few thousandths of a stop at least, so that there is a scale.
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
