import AssetReader
import MediaCore

/// The placement of a frame on a canvas: mirrored, rotated by quarter turns, scaled and moved.
/// Edges lie on even columns and rows, because some intermediate layouts share chroma between pairs
/// of them.
struct LayerPlacement: Hashable {
  /// A rectangle in samples.
  struct Area: Hashable {
    var x: Range<Int>
    var y: Range<Int>

    func intersection(_ other: Area) -> Area {
      Area(x: x.clamped(to: other.x), y: y.clamped(to: other.y))
    }
    var isEmpty: Bool { x.isEmpty || y.isEmpty }
  }

  /// True to mirror left to right, before rotating.
  let isMirrored: Bool
  /// Clockwise quarter turns, applied after mirroring.
  let quarterTurns: Int
  /// The area of the frame, inside and outside the canvas.
  let area: Area
  /// The part of the area that is drawn.
  let visible: Area

  /// Creates the placement of a frame.
  ///
  /// - Parameters:
  ///   - frame: Its display width and height.
  ///   - drawn: The part of the frame to draw.
  /// - Throws: `AssetReaderError` with `unsupported` for rotations that are not quarter turns, and
  ///   for impossible sizes.
  init(
    _ transform: PlaneTransform, of frame: (width: Double, height: Double), drawn: PlaneArea
  ) throws(AssetReaderError) {
    (isMirrored, quarterTurns) = try Self.turn(transform)
    let whole = PlaneArea(left: 0, top: 0, right: frame.width, bottom: frame.height)
    area = try Self.samples(transform.moved(whole))
    let part = PlaneArea(
      left: max(drawn.left, 0), top: max(drawn.top, 0), right: min(drawn.right, whole.right),
      bottom: min(drawn.bottom, whole.bottom))
    guard part != whole else {
      visible = area
      return
    }
    guard part.left < part.right, part.top < part.bottom else {
      visible = Area(x: 0..<0, y: 0..<0)
      return
    }
    visible = try Self.samples(transform.moved(part)).intersection(area)
  }

  /// The mirroring and quarter turns of a transform.
  ///
  /// - Throws: `AssetReaderError` with `unsupported` for other rotations.
  static func turn(
    _ transform: PlaneTransform
  ) throws(AssetReaderError) -> (Bool, Int) {
    let turn = [transform.a, transform.b, transform.c, transform.d]
    guard (turn + [transform.tx, transform.ty]).allSatisfy(\.isFinite) else {
      throw AssetReaderError(
        .unsupported, "video composition: a layer's transform is not finite; check its values")
    }
    let most = turn.map(\.magnitude).max() ?? 0
    // Sines and cosines of quarter turns have rounding errors.
    func sign(_ number: Double) -> Int { number.magnitude < most * 1e-6 ? 0 : number < 0 ? -1 : 1 }
    switch (sign(transform.a), sign(transform.b), sign(transform.c), sign(transform.d)) {
    case (1, 0, 0, 1): return (false, 0)
    case (0, 1, -1, 0): return (false, 1)
    case (-1, 0, 0, -1): return (false, 2)
    case (0, -1, 1, 0): return (false, 3)
    case (-1, 0, 0, 1): return (true, 0)
    case (0, -1, -1, 0): return (true, 1)
    case (1, 0, 0, -1): return (true, 2)
    case (0, 1, 1, 0): return (true, 3)
    default:
      throw AssetReaderError(
        .unsupported,
        "video composition: a layer's transform is skewed, not invertible, or not a rotation by a "
          + "multiple of 90 degrees")
    }
  }

  private static func samples(_ area: PlaneArea) throws(AssetReaderError) -> Area {
    // Rounds alike everywhere, so that a moving frame keeps its size.
    func edge(_ number: Double) -> Int {
      Int((min(max(number, -1e6), 1e6) / 2 + 0.5).rounded(.down)) * 2
    }
    let (left, top) = (edge(area.left), edge(area.top))
    let (width, height) = (max(edge(area.right) - left, 2), max(edge(area.bottom) - top, 2))
    guard width <= 16_384, height <= 16_384 else {
      throw AssetReaderError(
        .unsupported,
        "video composition: a layer of \(width)x\(height) is too large; scale it to 16384 at most")
    }
    return Area(x: left..<left + width, y: top..<top + height)
  }

  /// True if the frame covers the whole canvas.
  func covers(_ size: VideoDimensions) -> Bool {
    area == visible && area.x.lowerBound <= 0 && area.y.lowerBound <= 0
      && area.x.upperBound >= size.width && area.y.upperBound >= size.height
  }

  /// True if the frame's area is exactly the canvas.
  func fills(_ size: VideoDimensions) -> Bool {
    covers(size) && area.x == 0..<size.width && area.y == 0..<size.height
  }

  /// The processing of the frame before it is drawn.
  func processing(_ layout: VideoProcessing.Layout) -> VideoProcessing {
    var processing = VideoProcessing()
    processing.isMirrored = isMirrored
    processing.quarterTurns = quarterTurns
    processing.scaling = .init(VideoDimensions(width: area.x.count, height: area.y.count))
    processing.scaling?.fitting = .stretch
    processing.layout = layout
    return processing
  }
}
