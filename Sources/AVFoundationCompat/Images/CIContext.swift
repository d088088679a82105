public import Foundation
public import RawDevelop

/// An option of a context.
public struct CIContextOption: RawRepresentable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The working color space. Has no effect: images are processed in linear light.
  public static let workingColorSpace = Self(rawValue: "working_color_space")
  /// The output color space. Has no effect: each rendering has its own.
  public static let outputColorSpace = Self(rawValue: "output_color_space")
  /// The format of intermediate results. Has no effect.
  public static let workingFormat = Self(rawValue: "working_format")
  /// Whether to cache intermediate results. Has no effect: nothing is cached.
  public static let cacheIntermediates = Self(rawValue: "kCIContextCacheIntermediates")
  /// Whether to render without a GPU. Has no effect: none is used.
  public static let useSoftwareRenderer = Self(rawValue: "software_renderer")
  /// Whether to downsample with higher quality. Has no effect.
  public static let highQualityDownsample = Self(rawValue: "high_quality_downsample")
  /// Whether to render with low priority. Has no effect.
  public static let priorityRequestLow = Self(rawValue: "kCIContextPriorityRequestLow")
  /// Whether to use a low-power GPU. Has no effect: none is used.
  public static let allowLowPower = Self(rawValue: "kCIContextAllowLowPower")
  /// The context's name. Has no effect.
  public static let name = Self(rawValue: "kCIContextName")
}

/// Renders images on all processors.
public final class CIContext: Sendable {
  /// A context. Options have no effect: there is no GPU or cache to choose.
  public init(options: [CIContextOption: Any]? = nil) {}

  /// Does nothing: nothing is cached.
  public func clearCaches() {}
  /// Does nothing: nothing is cached.
  public func reclaimResources() {}

  /// Renders an area of an image into memory, top row first.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - data: Memory with one row for each row of the area.
  ///   - rowBytes: Bytes from one row to the next.
  ///   - format: The pixel format.
  ///   - bounds: The area; pixels outside the image become 0.
  ///   - colorSpace: The color space of the result; nil for no conversion.
  /// - Returns: Nil on success, or the reason why nothing was written. Core Image returns nothing.
  @discardableResult
  public func render(
    _ image: CIImage, toBitmap data: UnsafeMutableRawPointer, rowBytes: Int, bounds: CGRect,
    format: CIFormat, colorSpace: CGColorSpace?
  ) -> RawDevelopError? {
    guard bounds.width >= 1, bounds.height >= 1, bounds.width < 1e6, bounds.height < 1e6 else {
      return RawDevelopError(.invalidArgument, "cannot render into \(bounds)")
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

  /// Renders an area of an image into a destination.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - rect: The area of the image.
  ///   - destination: The destination.
  ///   - point: The position of the area's lower left corner in the destination.
  /// - Returns: A completed task.
  /// - Throws: An error of developing; `RawDevelopError.Code.unsupported` for a format not declared in ``CIFormat``,
  ///   `RawDevelopError.Code.invalidArgument` for rows that are too short.
  @discardableResult
  public func startTask(
    toRender image: CIImage, from rect: CGRect, to destination: CIRenderDestination,
    at point: CGPoint
  ) throws(RawDevelopError) -> CIRenderTask {
    guard let layout = destination.format.layout else {
      throw RawDevelopError(.unsupported, "format \(destination.format.rawValue) is not supported")
    }
    guard destination.bytesPerRow >= destination.width * layout.pixelBytes else {
      throw RawDevelopError(
        .invalidArgument,
        "rows of \(destination.bytesPerRow) bytes cannot hold \(destination.width) pixels of "
          + "\(layout.pixelBytes)")
    }
    let image = image.extent.isInfinite ? image.cropped(to: rect) : image
    let bitmap = try image.rendered(destination.colorSpace?.space, layout.format)
    let origin = image.pixels.origin
    let pixels = destination.copy(
      bitmap, rect.offsetBy(dx: -origin.x, dy: -origin.y), point, layout)
    return CIRenderTask(info: CIRenderInfo(pixelsProcessed: pixels))
  }

  /// Renders an image into a destination, with the lower left corners aligned.
  ///
  /// - Throws: As ``startTask(toRender:from:to:at:)``.
  @discardableResult
  public func startTask(
    toRender image: CIImage, to destination: CIRenderDestination
  ) throws(RawDevelopError) -> CIRenderTask {
    try startTask(toRender: image, from: image.extent, to: destination, at: .zero)
  }

  /// An area of an image in memory; nil if it cannot be rendered or does not overlap the image.
  public func createCGImage(
    _ image: CIImage, from rect: CGRect, format: CIFormat = .RGBA8, colorSpace: CGColorSpace? = nil
  ) -> CGImage? {
    let image = image.extent.isInfinite ? image.cropped(to: rect) : image
    guard let layout = format.layout,
      let bitmap = try? image.rendered(colorSpace?.space, layout.format),
      let part = bitmap.part(
        rect.offsetBy(dx: -image.pixels.minX, dy: -image.pixels.minY))
    else { return nil }
    return CGImage(part)
  }
}

/// A rendering task.
public final class CIRenderTask: Sendable {
  private let info: CIRenderInfo

  init(info: CIRenderInfo) { self.info = info }

  /// Returns immediately because rendering is already complete.
  ///
  /// - Throws: Nothing here: errors are thrown when the task is started.
  @discardableResult
  public func waitUntilCompleted() throws -> CIRenderInfo { info }
}

/// Information about a rendering.
public struct CIRenderInfo: Sendable, Hashable {
  /// The number of pixels written.
  public let pixelsProcessed: Int
}
