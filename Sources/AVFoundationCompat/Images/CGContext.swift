public import Foundation
import RawDevelop

/// A bitmap into which images and rectangles are drawn, for programs that make movies from images: 8-bit red, green and
/// blue, with or without alpha.
///
/// The origin is the lower left corner; the top row comes first in memory. Paths, text, gradients and shadows are not
/// supported. A pixel is drawn if its center is covered, without antialiasing.
public final class CGContext {
  /// The positions of a pixel's samples among its bytes.
  struct Layout {
    /// Bytes per pixel.
    let pixelBytes: Int
    /// The byte offsets of red, green and blue.
    let colors: [Int]
    /// The byte offset of alpha or padding; nil if there is neither.
    let last: Int?
    /// False if that byte is padding.
    let hasAlpha: Bool
  }

  /// The state that is saved and restored.
  struct State {
    var transform = CGAffineTransform.identity
    var clips: [Area] = []
    var fill = CGColor(gray: 0, alpha: 1)
    var alpha: CGFloat = 1
    var quality = CGInterpolationQuality.default
  }

  /// A rectangle in its own coordinates.
  struct Area {
    let rect: CGRect
    /// Maps pixels to the rectangle's coordinates.
    let inverse: CGAffineTransform
  }

  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  /// Bytes from one row to the next.
  public let bytesPerRow: Int
  /// The memory layout of pixels.
  public let bitmapInfo: CGBitmapInfo
  /// The color space of the samples.
  public let colorSpace: CGColorSpace?
  let layout: Layout
  let space: ImageColorSpace
  let memory: UnsafeMutableRawPointer
  private let isOwned: Bool
  var state = State()
  private var saved: [State] = []

  /// A context with a bitmap in memory.
  ///
  /// - Parameters:
  ///   - data: Memory for `height` rows that outlives the context; nil to allocate zeroed memory.
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  ///   - bitsPerComponent: 8.
  ///   - bytesPerRow: Bytes from one row to the next; 0 for the minimum.
  ///   - space: The color space of the samples.
  ///   - bitmapInfo: A ``CGImageAlphaInfo`` (`.none` means three bytes per pixel) combined with the byte order of a
  ///     ``CGBitmapInfo``.
  /// - Returns: Nil for grays, other depths, floats, alpha that is not premultiplied, and rows that are too short.
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

  /// As ``init(data:width:height:bitsPerComponent:bytesPerRow:space:bitmapInfo:)`` with the raw value of `bitmapInfo`.
  public convenience init?(
    data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int,
    bytesPerRow: Int, space: CGColorSpace, bitmapInfo: CGBitmapInfo
  ) {
    self.init(
      data: data, width: width, height: height, bitsPerComponent: bitsPerComponent,
      bytesPerRow: bytesPerRow, space: space, bitmapInfo: bitmapInfo.rawValue)
  }

  deinit { if isOwned { memory.deallocate() } }

  /// The bitmap's memory.
  public var data: UnsafeMutableRawPointer? { memory }
  /// 8.
  public var bitsPerComponent: Int { 8 }
  /// Bits per pixel.
  public var bitsPerPixel: Int { 8 * layout.pixelBytes }
  /// The position of alpha in a pixel.
  public var alphaInfo: CGImageAlphaInfo {
    CGImageAlphaInfo(rawValue: bitmapInfo.intersection(.alphaInfoMask).rawValue) ?? .none
  }

  // MARK: Coordinates

  /// Maps drawing coordinates to pixels counted from the lower left corner.
  public var ctm: CGAffineTransform { state.transform }
  /// Prepends a transform to ``ctm``.
  public func concatenate(_ transform: CGAffineTransform) {
    state.transform = transform.concatenating(state.transform)
  }
  /// Translates everything drawn from now on.
  public func translateBy(x tx: CGFloat, y ty: CGFloat) {
    concatenate(CGAffineTransform(translationX: tx, y: ty))
  }
  /// Scales everything drawn from now on.
  public func scaleBy(x sx: CGFloat, y sy: CGFloat) {
    concatenate(CGAffineTransform(scaleX: sx, y: sy))
  }
  /// Rotates everything drawn from now on counterclockwise, by an angle in radians.
  public func rotate(by angle: CGFloat) { concatenate(CGAffineTransform(rotationAngle: angle)) }

  /// Saves coordinates, clipping, color, alpha and quality for ``restoreGState()``.
  public func saveGState() { saved.append(state) }
  /// Restores the last saved state; does nothing if none is saved.
  public func restoreGState() { if let last = saved.popLast() { state = last } }

  /// Limits drawing from now on to a rectangle.
  public func clip(to rect: CGRect) {
    state.clips.append(Area(rect: rect.standardized, inverse: state.transform.inverted()))
  }

  // MARK: Settings

  /// How images are resampled: `none` uses the nearest pixel; all others average.
  public var interpolationQuality: CGInterpolationQuality {
    get { state.quality }
    set { state.quality = newValue }
  }
  /// Has no effect: edges are not antialiased.
  public func setShouldAntialias(_ shouldAntialias: Bool) {}
  /// Has no effect: edges are not antialiased.
  public func setAllowsAntialiasing(_ allowsAntialiasing: Bool) {}

  /// The opacity of images and rectangles, 0 to 1, in addition to their own alpha.
  public func setAlpha(_ alpha: CGFloat) { state.alpha = min(max(alpha, 0), 1) }
  /// The fill color of rectangles; initially black. It is not converted to the context's color space.
  public func setFillColor(_ color: CGColor) { state.fill = color }
  /// The fill color of rectangles.
  public func setFillColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    state.fill = CGColor(red: red, green: green, blue: blue, alpha: alpha)
  }
  /// A gray fill color of rectangles.
  public func setFillColor(gray: CGFloat, alpha: CGFloat) {
    state.fill = CGColor(gray: gray, alpha: alpha)
  }
}

extension CGContext.Layout {
  /// Nil for a layout that contexts do not support.
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
