public import Foundation
import RawDevelop

/// Looks colors up in a table, with the nearest eight mixed, in linear light.
public final class CIColorCube: CIFilter {
  /// The picture; nil if the filter serves a RAW developer.
  public var inputImage: CIImage?
  /// Entries on a side: 2 to 128.
  public var cubeDimension: Float = 2
  /// Four floats an entry: red, green, blue and alpha, which changes
  /// nothing. Red changes fastest, and blue slowest.
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

  /// The picture; nil without one, and for a table of another size.
  public override var outputImage: CIImage? { changed(inputImage) }

  override var change: RAWFilter.LinearSpaceFilter? {
    guard let cube else { return nil }
    return { color in cube[color] }
  }
}

/// Looks colors up in a table, with the nearest eight mixed, by their numbers in a color space.
public final class CIColorCubeWithColorSpace: CIFilter {
  /// The picture.
  public var inputImage: CIImage?
  /// Entries on a side: 2 to 128.
  public var cubeDimension: Float = 2
  /// As of ``CIColorCube``.
  public var cubeData: Data = ColorCube.identity
  /// What the table's numbers mean; nil for linear light of sRGB's primaries.
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

  /// The picture; nil without one, and for a table of another size.
  public override var outputImage: CIImage? {
    guard error == nil, let inputImage, let cube else { return nil }
    return CIImage(
      .changed(inputImage, colorSpace?.space ?? .linearSRGB, { color in cube[color] }),
      extent: inputImage.extent)
  }
}

/// A table of colors.
private struct ColorCube: Sendable {
  private let side: Int
  private let colors: [SIMD3<Float>]

  /// Nil for a table of another size than the side says.
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
      "a color cube has 2 to 128 entries on a side, and four floats for each; inputCubeData does not have those of "
        + "\(dimension) on a side")
  }

  /// Two entries on a side that change nothing.
  static let identity: Data = {
    let numbers = (0..<8).flatMap { (entry: Int) -> [Float] in
      [Float(entry & 1), Float(entry >> 1 & 1), Float(entry >> 2), 1]
    }
    return numbers.withUnsafeBytes { Data($0) }
  }()

  /// The color for another one, whose numbers below 0 and above 1 count as these.
  subscript(color: SIMD3<Float>) -> SIMD3<Float> {
    let place = [color.x, color.y, color.z].map { number -> (first: Int, share: Float) in
      // NaN compares false, and so counts as 0.
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
