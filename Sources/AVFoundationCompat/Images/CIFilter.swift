public import Foundation
public import RawDevelop

/// Makes a picture of inputs: a RAW developer, or a histogram.
open class CIFilter {
  /// Settings of a RAW developer; nil for another filter.
  var raw: RAWFilter?
  /// A key that no input has.
  private var unknownKey: String?

  init(raw: RAWFilter?) { self.raw = raw }

  /// A RAW developer for a DNG file; nil where it cannot be read or is none.
  public convenience init!(imageURL url: URL, options: [CIRAWFilterOption: Any]? = nil) {
    guard let filter = try? RAWFilter(url: url) else { return nil }
    self.init(raw: filter)
    for (key, value) in options ?? [:] { setValue(value, forKey: key.rawValue) }
  }

  /// A RAW developer for the bytes of a DNG file; nil where they are none.
  public convenience init!(imageData data: Data, options: [CIRAWFilterOption: Any]? = nil) {
    guard let filter = try? RAWFilter(data: [UInt8](data)) else { return nil }
    self.init(raw: filter)
    for (key, value) in options ?? [:] { setValue(value, forKey: key.rawValue) }
  }

  /// The filter's result; nil where ``error`` tells why there is none.
  open var outputImage: CIImage? {
    guard error == nil, let raw else { return nil }
    return CIImage(raw)
  }

  /// What is set and cannot be done; nil for nothing.
  var unusable: RawDevelopError? { nil }

  /// Why there is no result: a key or value that the filter does not know, or another decoder than those
  /// there are. Not of Core Image, which ends the program for an unknown key.
  public var error: RawDevelopError? {
    if let unknownKey {
      return RawDevelopError(
        .invalidArgument, "the filter has no input \(unknownKey) of the kind that was set")
    }
    if let unusable { return unusable }
    guard let raw, !RAWFilter.supportedDecoderVersions.contains(raw.decoderVersion) else {
      return nil
    }
    return RawDevelopError(
      .unsupported, "version \(raw.decoderVersion) of the developer is not there")
  }

  /// Sets an input by its key: a ``CIRAWFilterOption``'s raw value. What it does not know, and a value of
  /// another kind, leaves the filter without a result.
  open func setValue(_ value: Any?, forKey key: String) {
    guard raw?.set(value, CIRAWFilterOption(rawValue: key)) == true else {
      unknownKey = key
      return
    }
  }

  /// An input by its key; nil for a key that the filter does not know.
  open func value(forKey key: String) -> Any? { raw?.value(CIRAWFilterOption(rawValue: key)) }

  /// A filter that raises light by stops.
  public static func exposureAdjust() -> CIExposureAdjust { CIExposureAdjust() }

  /// A filter that mixes colors.
  public static func colorMatrix() -> CIColorMatrix { CIColorMatrix() }

  /// What the filter does to a color of linear light; nil for one that does not work on colors alone.
  var change: RAWFilter.LinearSpaceFilter? { nil }

  /// A filter that counts how often light occurs.
  public static func areaHistogram() -> CIAreaHistogram { CIAreaHistogram() }
}

/// Counts how often values occur in an area: a picture of one row, a pixel for each bin.
public final class CIAreaHistogram: CIFilter {
  /// The picture.
  public var inputImage: CIImage?
  /// The area; the whole picture's extent where it is infinite or null.
  public var extent = CGRect.infinite
  /// What the sum of a color's bins comes to; 1.
  public var scale: Float = 1
  /// Bins of a color: 1 to 2048; 64.
  public var count = 64

  init() { super.init(raw: nil) }

  /// Shares of each color's samples, in linear light of BT.2020's primaries for a RAW picture, and as
  /// they are for another; nil without a picture, or where it cannot be rendered.
  public override var outputImage: CIImage? {
    guard let inputImage else { return nil }
    let space: PictureColorSpace? =
      if case .raw = inputImage.content { .linearRec2020 } else { nil }
    guard let whole = try? inputImage.rendered(space, .float) else { return nil }
    let area = extent.isInfinite || extent.isNull ? inputImage.extent : extent
    let origin = inputImage.pixels.origin
    guard let picture = whole.part(area.offsetBy(dx: -origin.x, dy: -origin.y)) else { return nil }
    let bins = picture.histogram(bins: min(max(count, 1), 2048))
    let total = Float(picture.width * picture.height)
    let samples = (0..<bins.binCount).flatMap { bin in
      bins.counts.map { scale * Float($0[bin]) / total }
    }
    return CIImage(
      RenderedPicture(
        width: bins.binCount, height: 1, samples: .float(samples), colorSpace: .linearRec2020))
  }
}
