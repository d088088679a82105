public import Foundation
public import RawDevelop

/// A setting of a context.
public struct CIContextOption: RawRepresentable, Sendable, Hashable {
  /// Apple's word for it.
  public let rawValue: String
  /// An option by its word.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The space to compute in. Changes nothing: pictures are developed in linear light.
  public static let workingColorSpace = Self(rawValue: "working_color_space")
  /// The space of what is rendered. Changes nothing: each rendering is given its own.
  public static let outputColorSpace = Self(rawValue: "output_color_space")
  /// How what is between is stored. Changes nothing.
  public static let workingFormat = Self(rawValue: "working_format")
  /// Whether what is between is kept. Changes nothing: nothing is.
  public static let cacheIntermediates = Self(rawValue: "kCIContextCacheIntermediates")
  /// Whether to do without a graphics processor. Changes nothing: none is used.
  public static let useSoftwareRenderer = Self(rawValue: "software_renderer")
  /// Whether to scale with more care. Changes nothing.
  public static let highQualityDownsample = Self(rawValue: "high_quality_downsample")
  /// Whether to let others go first. Changes nothing.
  public static let priorityRequestLow = Self(rawValue: "kCIContextPriorityRequestLow")
  /// Whether to use a graphics processor of low power. Changes nothing: none is used.
  public static let allowLowPower = Self(rawValue: "kCIContextAllowLowPower")
  /// What a context is called. Changes nothing.
  public static let name = Self(rawValue: "kCIContextName")
}

/// Renders pictures, on all processors.
public final class CIContext: Sendable {
  /// A context. Options change nothing here: there is no graphics processor and no cache to choose.
  public init(options: [CIContextOption: Any]? = nil) {}

  /// Does nothing: nothing is kept.
  public func clearCaches() {}
  /// Does nothing: nothing is kept.
  public func reclaimResources() {}

  /// Renders an area of a picture into memory, the topmost row first.
  ///
  /// - Parameters:
  ///   - image: The picture.
  ///   - data: The memory, of a row for each of the area's.
  ///   - rowBytes: Bytes from one row to the next.
  ///   - format: How a pixel is stored.
  ///   - bounds: The area; what the picture does not cover becomes 0.
  ///   - colorSpace: Nil to keep numbers as they are.
  /// - Returns: Nil where all went well; or why nothing was written. Core Image returns nothing.
  @discardableResult
  public func render(
    _ image: CIImage, toBitmap data: UnsafeMutableRawPointer, rowBytes: Int, bounds: CGRect,
    format: CIFormat, colorSpace: CGColorSpace?
  ) -> RawDevelopError? {
    guard bounds.width >= 1, bounds.height >= 1, bounds.width < 1e6, bounds.height < 1e6 else {
      return RawDevelopError(.invalidArgument, "nothing can be rendered into \(bounds)")
    }
    let target = CIRenderDestination(
      bitmapData: data, width: Int(bounds.width), height: Int(bounds.height),
      bytesPerRow: rowBytes, format: format)
    target.colorSpace = colorSpace
    do throws(RawDevelopError) {
      try startTask(toRender: image, from: bounds, to: target, at: .zero)
      return nil
    } catch {
      return error
    }
  }

  /// Renders an area of a picture into a destination.
  ///
  /// - Parameters:
  ///   - image: The picture.
  ///   - rect: The area of the picture.
  ///   - destination: Where it goes.
  ///   - point: Where its lower left corner comes to lie in the destination.
  /// - Returns: A task that is done already.
  /// - Throws: What developing throws; `RawDevelopError.Code.unsupported` for another format than
  ///   ``CIFormat`` names, `RawDevelopError.Code.invalidArgument` for rows that are too short.
  @discardableResult
  public func startTask(
    toRender image: CIImage, from rect: CGRect, to destination: CIRenderDestination,
    at point: CGPoint
  ) throws(RawDevelopError) -> CIRenderTask {
    guard let layout = destination.format.layout else {
      throw RawDevelopError(.unsupported, "format \(destination.format.rawValue) is not rendered")
    }
    guard destination.bytesPerRow >= destination.width * layout.pixelBytes else {
      throw RawDevelopError(
        .invalidArgument,
        "rows of \(destination.bytesPerRow) bytes do not hold \(destination.width) pixels of "
          + "\(layout.pixelBytes)")
    }
    let image = image.extent.isInfinite ? image.cropped(to: rect) : image
    let picture = try image.rendered(destination.colorSpace?.space, layout.format)
    let origin = image.pixels.origin
    let pixels = destination.copy(
      picture, rect.offsetBy(dx: -origin.x, dy: -origin.y), point, layout)
    return CIRenderTask(info: CIRenderInfo(pixelsProcessed: pixels))
  }

  /// Renders a picture into a destination, lower left corner to lower left corner.
  ///
  /// - Throws: As ``startTask(toRender:from:to:at:)``.
  @discardableResult
  public func startTask(
    toRender image: CIImage, to destination: CIRenderDestination
  ) throws(RawDevelopError) -> CIRenderTask {
    try startTask(toRender: image, from: image.extent, to: destination, at: .zero)
  }

  /// An area of a picture in memory; nil where it cannot be rendered, or none of it is there.
  public func createCGImage(
    _ image: CIImage, from rect: CGRect, format: CIFormat = .RGBA8, colorSpace: CGColorSpace? = nil
  ) -> CGImage? {
    let image = image.extent.isInfinite ? image.cropped(to: rect) : image
    guard let layout = format.layout,
      let picture = try? image.rendered(colorSpace?.space, layout.format),
      let part = picture.part(
        rect.offsetBy(dx: -image.pixels.minX, dy: -image.pixels.minY))
    else { return nil }
    return CGImage(part)
  }
}

/// A rendering that was started.
public final class CIRenderTask: Sendable {
  private let info: CIRenderInfo

  init(info: CIRenderInfo) { self.info = info }

  /// Waits for its end.
  ///
  /// - Throws: Nothing here: what fails, fails when the task is started.
  @discardableResult
  public func waitUntilCompleted() throws -> CIRenderInfo { info }
}

/// What a rendering was.
public struct CIRenderInfo: Sendable, Hashable {
  /// Pixels that were written.
  public let pixelsProcessed: Int
}
