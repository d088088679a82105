public import Foundation
import RawDevelop

/// Memory of pixels that pictures and rectangles are drawn into, as programs do that make movies of pictures: 8 bits,
/// red, green and blue, with or without alpha.
///
/// Coordinates begin in the lower left corner; the topmost row is the first in memory. Paths, text, gradients and
/// shadows are not there. A pixel is drawn whole where its center is covered.
public final class CGContext {
  /// Where a pixel's samples lie among its bytes.
  struct Layout {
    /// Bytes of a pixel.
    let pixelBytes: Int
    /// The bytes of red, green and blue.
    let colors: [Int]
    /// The byte of alpha or of nothing; nil where there is none.
    let last: Int?
    /// False where that byte holds nothing.
    let hasAlpha: Bool
  }

  /// What is saved and restored.
  struct State {
    var transform = CGAffineTransform.identity
    var clips: [Area] = []
    var fill = CGColor(gray: 0, alpha: 1)
    var alpha: CGFloat = 1
    var quality = CGInterpolationQuality.default
  }

  /// A rectangle of some coordinates.
  struct Area {
    let rect: CGRect
    /// From pixels to the rectangle's coordinates.
    let inverse: CGAffineTransform
  }

  /// Pixels in a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// Bytes from a row to the next one.
  public let bytesPerRow: Int
  /// How pixels lie in memory.
  public let bitmapInfo: CGBitmapInfo
  /// What samples mean.
  public let colorSpace: CGColorSpace?
  let layout: Layout
  let space: PictureColorSpace
  let memory: UnsafeMutableRawPointer
  private let isOwned: Bool
  var state = State()
  private var saved: [State] = []

  /// A context in memory.
  ///
  /// - Parameters:
  ///   - data: The memory, of `height` rows, that outlasts the context; nil for some of its own, which is all zeros.
  ///   - width: Pixels in a row.
  ///   - height: Rows.
  ///   - bitsPerComponent: 8.
  ///   - bytesPerRow: From a row to the next one; 0 for as many as a row needs.
  ///   - space: What samples mean.
  ///   - bitmapInfo: A ``CGImageAlphaInfo``, of which `.none` stands for three bytes a pixel, with the order of bytes
  ///     of a ``CGBitmapInfo``.
  /// - Returns: Nil for grays, another depth, floats, alpha that colors are not multiplied by, and for rows that are too short.
  public init?(
    data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int,
    bytesPerRow: Int, space: CGColorSpace, bitmapInfo: UInt32
  ) {
    let info = CGBitmapInfo(rawValue: bitmapInfo)
    guard bitsPerComponent == 8, !space.isGray, (1...32_768).contains(width),
      (1...32_768).contains(height),
      let layout = Layout(info), bytesPerRow == 0 || bytesPerRow >= width * layout.pixelBytes
    else { return nil }
    let step = bytesPerRow == 0 ? width * layout.pixelBytes : bytesPerRow
    (self.width, self.height, self.bytesPerRow) = (width, height, step)
    (self.bitmapInfo, colorSpace, self.layout, self.space) = (info, space, layout, space.space)
    isOwned = data == nil
    if let data {
      memory = data
    } else {
      memory = .allocate(byteCount: step * height, alignment: 64)
      memory.initializeMemory(as: UInt8.self, repeating: 0, count: step * height)
    }
  }

  /// As the other one.
  public convenience init?(
    data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int,
    bytesPerRow: Int, space: CGColorSpace, bitmapInfo: CGBitmapInfo
  ) {
    self.init(
      data: data, width: width, height: height, bitsPerComponent: bitsPerComponent,
      bytesPerRow: bytesPerRow, space: space, bitmapInfo: bitmapInfo.rawValue)
  }

  deinit { if isOwned { memory.deallocate() } }

  /// The memory.
  public var data: UnsafeMutableRawPointer? { memory }
  /// 8.
  public var bitsPerComponent: Int { 8 }
  /// Bits of a pixel.
  public var bitsPerPixel: Int { 8 * layout.pixelBytes }
  /// Where a pixel's alpha is.
  public var alphaInfo: CGImageAlphaInfo {
    CGImageAlphaInfo(rawValue: bitmapInfo.intersection(.alphaInfoMask).rawValue) ?? .none
  }

  // MARK: Coordinates

  /// From the coordinates of what is drawn to pixels, from the lower left corner.
  public var ctm: CGAffineTransform { state.transform }
  /// Changes coordinates.
  public func concatenate(_ transform: CGAffineTransform) {
    state.transform = transform.concatenating(state.transform)
  }
  /// Moves what is drawn from here on.
  public func translateBy(x tx: CGFloat, y ty: CGFloat) {
    concatenate(CGAffineTransform(translationX: tx, y: ty))
  }
  /// Scales what is drawn from here on.
  public func scaleBy(x sx: CGFloat, y sy: CGFloat) {
    concatenate(CGAffineTransform(scaleX: sx, y: sy))
  }
  /// Turns what is drawn from here on, counterclockwise, by radians.
  public func rotate(by angle: CGFloat) { concatenate(CGAffineTransform(rotationAngle: angle)) }

  /// Keeps coordinates, clipping, color and quality for ``restoreGState()``.
  public func saveGState() { saved.append(state) }
  /// Goes back to what was kept last; nothing changes where nothing was.
  public func restoreGState() { if let last = saved.popLast() { state = last } }

  /// Leaves out from here on what lies outside of a rectangle.
  public func clip(to rect: CGRect) {
    state.clips.append(Area(rect: rect.standardized, inverse: state.transform.inverted()))
  }

  // MARK: Settings

  /// How pictures are drawn at another size: `none` takes the nearest pixel; the others are one, which averages.
  public var interpolationQuality: CGInterpolationQuality {
    get { state.quality }
    set { state.quality = newValue }
  }
  /// Edges are not smoothed. Changes nothing.
  public func setShouldAntialias(_ shouldAntialias: Bool) {}
  /// Edges are not smoothed. Changes nothing.
  public func setAllowsAntialiasing(_ allowsAntialiasing: Bool) {}

  /// How opaque pictures and rectangles are, 0 to 1, besides their colors' own alpha.
  public func setAlpha(_ alpha: CGFloat) { state.alpha = min(max(alpha, 0), 1) }
  /// The color of rectangles; black at first. It is not converted.
  public func setFillColor(_ color: CGColor) { state.fill = color }
  /// The color of rectangles.
  public func setFillColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    state.fill = CGColor(red: red, green: green, blue: blue, alpha: alpha)
  }
  /// The color of rectangles: a gray.
  public func setFillColor(gray: CGFloat, alpha: CGFloat) {
    state.fill = CGColor(gray: gray, alpha: alpha)
  }
}

extension CGContext.Layout {
  /// Nil for what contexts here do not draw into.
  fileprivate init?(_ info: CGBitmapInfo) {
    let alpha = CGImageAlphaInfo(rawValue: info.intersection(.alphaInfoMask).rawValue)
    let order = info.intersection(.byteOrderMask)
    guard let alpha, !info.contains(.floatComponents),
      [.byteOrderDefault, .byteOrder32Big, .byteOrder32Little].contains(order)
    else { return nil }
    let places: (colors: [Int], last: Int)
    switch alpha {
    case .none:
      guard order != .byteOrder32Little else { return nil }
      self.init(pixelBytes: 3, colors: [0, 1, 2], last: nil, hasAlpha: false)
      return
    case .premultipliedFirst, .noneSkipFirst: places = ([1, 2, 3], 0)
    case .premultipliedLast, .noneSkipLast: places = ([0, 1, 2], 3)
    case .first, .last, .alphaOnly: return nil
    }
    let isTurned = order == .byteOrder32Little
    self.init(
      pixelBytes: 4, colors: places.colors.map { isTurned ? 3 - $0 : $0 },
      last: isTurned ? 3 - places.last : places.last,
      hasAlpha: alpha == .premultipliedFirst || alpha == .premultipliedLast)
  }
}
