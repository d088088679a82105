public import Foundation
import RawDevelop

/// Maps colors by a lookup table with trilinear interpolation, in linear light.
public final class CIColorCube: CIFilter {
  /// The image; nil if the filter is used by a RAW developer.
  public var inputImage: CIImage?
  /// Entries per side: 2 to 128.
  public var cubeDimension: Float = 2
  /// Four floats per entry: red, green, blue and alpha, which has no effect. Red varies fastest, blue slowest.
  public var cubeData: Data = ColorCube.identity

  init() { super.init(raw: nil) }

  override class var inputs: [CIFilterInput] {
    [
      .image(\CIColorCube.inputImage),
      .number(\CIColorCube.cubeDimension, "inputCubeDimension"),
      .exactly(\CIColorCube.cubeData, "inputCubeData"),
    ]
  }

  private var cube: ColorCube? { ColorCube(cubeDimension, cubeData) }

  override var unusable: RawDevelopError? { cube == nil ? ColorCube.error(cubeDimension) : nil }

  /// The result; nil without an image or if the table has the wrong size.
  public override var outputImage: CIImage? { changed(inputImage) }

  override var change: RAWFilter.LinearSpaceFilter? {
    guard let cube else { return nil }
    return { color in cube[color] }
  }
}

/// Maps colors by a lookup table with trilinear interpolation, with values in a color space.
public final class CIColorCubeWithColorSpace: CIFilter {
  public var inputImage: CIImage?
  /// Entries per side: 2 to 128.
  public var cubeDimension: Float = 2
  /// As in ``CIColorCube``.
  public var cubeData: Data = ColorCube.identity
  /// The color space of the table; nil for linear light with sRGB primaries.
  public var colorSpace: CGColorSpace?

  init() { super.init(raw: nil) }

  override class var inputs: [CIFilterInput] {
    [
      .image(\CIColorCubeWithColorSpace.inputImage),
      .number(\CIColorCubeWithColorSpace.cubeDimension, "inputCubeDimension"),
      .exactly(\CIColorCubeWithColorSpace.cubeData, "inputCubeData"),
      .exactly(\CIColorCubeWithColorSpace.colorSpace, "inputColorSpace"),
    ]
  }

  private var cube: ColorCube? { ColorCube(cubeDimension, cubeData) }

  override var unusable: RawDevelopError? { cube == nil ? ColorCube.error(cubeDimension) : nil }

  /// The result; nil without an image or if the table has the wrong size.
  public override var outputImage: CIImage? {
    guard error == nil, let inputImage, let cube else { return nil }
    return CIImage(
      .changed(inputImage, colorSpace?.space ?? .linearSRGB, { color in cube[color] }),
      extent: inputImage.extent)
  }
}

/// A color lookup table.
private struct ColorCube: Sendable {
  private let side: Int
  private let colors: [SIMD3<Float>]

  /// Nil if the table's size does not match the dimension.
  init?(_ dimension: Float, _ data: Data) {
    guard (2...128).contains(dimension) else { return nil }
    side = Int(dimension)
    let count = side * side * side
    guard data.count == 16 * count else { return nil }
    colors = data.withUnsafeBytes { bytes in
      func number(_ place: Int) -> Float {
        bytes.loadUnaligned(fromByteOffset: 4 * place, as: Float.self)
      }
      return (0..<count).map { entry -> SIMD3<Float> in
        SIMD3(number(4 * entry), number(4 * entry + 1), number(4 * entry + 2))
      }
    }
  }

  static func error(_ dimension: Float) -> RawDevelopError {
    RawDevelopError(
      .invalidArgument,
      "a color cube needs 2 to 128 entries per side, with four floats each; inputCubeData does not match "
        + "\(dimension) per side")
  }

  /// An identity table with two entries per side.
  static let identity: Data = {
    let numbers = (0..<8).flatMap { (entry: Int) -> [Float] in
      [Float(entry & 1), Float(entry >> 1 & 1), Float(entry >> 2), 1]
    }
    return numbers.withUnsafeBytes { Data($0) }
  }()

  /// Looks up a color; values are clamped to 0...1.
  subscript(color: SIMD3<Float>) -> SIMD3<Float> {
    let place = [color.x, color.y, color.z].map { number -> (first: Int, share: Float) in
      // NaN compares false and so becomes 0.
      let place = number > 0 ? min(number, 1) * Float(side - 1) : 0
      let first = min(Int(place), side - 2)
      return (first, place - Float(first))
    }
    let (red, green, blue) = (place[0], place[1], place[2])
    let corner = red.first + side * (green.first + side * blue.first)
    func mix(_ a: SIMD3<Float>, _ b: SIMD3<Float>, _ share: Float) -> SIMD3<Float> {
      a + (b - a) * share
    }
    func row(_ place: Int) -> SIMD3<Float> { mix(colors[place], colors[place + 1], red.share) }
    func plane(_ place: Int) -> SIMD3<Float> { mix(row(place), row(place + side), green.share) }
    return mix(plane(corner), plane(corner + side * side), blue.share)
  }
}
