import DNG
import Foundation
import ImageFiles
import RawDevelop

/// Images to write.
enum TestImages {
  static let width = 320
  static let height = 40

  /// Smooth colors: a ramp from left to right, from gray at the top to colors at the bottom.
  static func number(_ row: Int, _ column: Int, _ color: Int) -> Double {
    let ramp = Double(column) / Double(width - 1)
    let saturation = 0.4 * Double(row) / Double(height - 1)
    let wave = 0.5 + 0.5 * cos(2 * .pi * (ramp + Double(color) / 3))
    return ramp * (1 - saturation) + wave * saturation
  }

  static func numbers(_ scale: Double = 1, power: Double = 1) -> [Float] {
    (0..<3 * width * height).map { index in
      let (row, column) = (index / 3 / width, index / 3 % width)
      return Float(scale * pow(number(row, column, index % 3), power))
    }
  }

  private static let plainWords = numbers().map { UInt16(($0 * 65_535).rounded()) }
  private static let plainBytes = numbers().map { UInt8(($0 * 255).rounded()) }

  static func words(_ space: ImageColorSpace = .sRGB) -> RenderedImage {
    image(.uint16(plainWords), space)
  }

  static func bytes(_ space: ImageColorSpace = .sRGB) -> RenderedImage {
    image(.uint8(plainBytes), space)
  }

  /// Light from 0 to `scale`.
  static func floats(
    _ scale: Double = 1, power: Double = 1, _ space: ImageColorSpace = .linearSRGB
  ) -> RenderedImage {
    image(.float(numbers(scale, power: power)), space)
  }

  static func halves(_ space: ImageColorSpace = .linearRec2020) -> RenderedImage {
    image(.half(numbers(4).map { Float16($0).bitPattern }), space)
  }

  static func image(
    _ samples: RenderedImage.Samples, _ space: ImageColorSpace
  ) -> RenderedImage {
    RenderedImage(width: width, height: height, samples: samples, colorSpace: space)
  }

  /// Metadata with all fields set.
  static var metadata: PhotoMetadata {
    var metadata = PhotoMetadata()
    metadata.make = "Maker"
    metadata.model = "Model 1"
    metadata.lensModel = "50mm F1.8"
    metadata.serialNumber = "1234"
    metadata.artist = "A. Photographer"
    metadata.copyright = "All rights reserved"
    metadata.imageDescription = "A ramp"
    metadata.date = Date(timeIntervalSince1970: 1_700_000_000.25)
    metadata.timeZone = TimeZone(secondsFromGMT: 2 * 3600) ?? .gmt
    metadata.exposureTime = 1.0 / 250
    metadata.fNumber = 2.8
    metadata.isoSpeed = 400
    metadata.focalLength = 50
    metadata.location = PhotoMetadata.Location(latitude: 48.25, longitude: -11.5, altitude: 520)
    return metadata
  }

  static let xmp = """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
    xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
    xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/></rdf:RDF></x:xmpmeta>
    """

  static func content(_ image: RenderedImage, high: RenderedImage? = nil) -> ImageContent {
    ImageContent(image, highRange: high, metadata: metadata, xmp: xmp)
  }
}
