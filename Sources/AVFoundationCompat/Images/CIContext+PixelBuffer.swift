public import Foundation
import MediaCore
public import RawDevelop
import VideoRecorder

extension CIContext {
  /// Renders an image into a pixel buffer in sRGB, with the lower left corners aligned; uncovered pixels become black.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - buffer: 32BGRA, 32ARGB, `420v`, `420f`, `2vuy` or `yuvs`; must not be used elsewhere during the call.
  /// - Returns: Nil on success, or the reason why nothing was written. Core Image returns nothing.
  @discardableResult
  public func render(_ image: CIImage, to buffer: CVPixelBuffer) -> RawDevelopError? {
    let bounds = CGRect(x: 0, y: 0, width: CGFloat(buffer.width), height: CGFloat(buffer.height))
    return render(image, to: buffer, bounds: bounds, colorSpace: CGColorSpace(.sRGB))
  }

  /// Renders an area of an image into the lower left corner of a pixel buffer; the rest becomes black.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - buffer: As ``render(_:to:)``.
  ///   - bounds: The area.
  ///   - colorSpace: The color space of the result; nil for no conversion.
  /// - Returns: As ``render(_:to:)``.
  @discardableResult
  public func render(
    _ image: CIImage, to buffer: CVPixelBuffer, bounds: CGRect, colorSpace: CGColorSpace?
  ) -> RawDevelopError? {
    do throws(RawDevelopError) {
      let formats: [PixelFormat: CIFormat] = [.bgrx32: .BGRA8, .xrgb32: .ARGB8]
      guard let format = formats[buffer.format] else {
        try convert(image, bounds, colorSpace, into: buffer)
        return nil
      }
      try fill(
        buffer.unsafeAddress(ofPlane: 0), step: buffer.bytesPerRow(plane: 0), of: buffer, format,
        image, bounds, colorSpace)
      return nil
    } catch { return error }
  }

  /// Renders, and converts the result to the buffer's pixel format.
  private func convert(
    _ image: CIImage, _ bounds: CGRect, _ colorSpace: CGColorSpace?, into buffer: PixelBuffer
  ) throws(RawDevelopError) {
    let wanted = FrameConversion(buffer.format, range: buffer.details.color.range)
    guard FrameConversion.available.contains(wanted) else {
      throw RawDevelopError(
        .unsupported, "cannot render into buffers of \(buffer.format)")
    }
    var details = buffer.details
    details.format = .bgrx32
    details.color.range = .full
    guard var drawn = try? MutablePixelBuffer(details) else {
      throw RawDevelopError(
        .unsupported, "not enough memory for \(buffer.width)x\(buffer.height) pixels")
    }
    let step = drawn.bytesPerRow(plane: 0)
    try drawn.withUnsafeMutableBytes(ofPlane: 0) { bytes throws(RawDevelopError) in
      guard let memory = bytes.baseAddress else { return }
      try fill(memory, step: step, of: buffer, .BGRA8, image, bounds, colorSpace)
    }
    guard let made = FrameConverter().convert(drawn.finish(), to: wanted) else {
      throw RawDevelopError(.unsupported, "cannot convert an image to \(buffer.format)")
    }
    for plane in 0..<buffer.planeCount { buffer.copyPlane(plane, of: made) }
  }

  /// Renders into memory with four bytes per pixel.
  private func fill(
    _ memory: UnsafeMutableRawPointer, step: Int, of buffer: PixelBuffer, _ format: CIFormat,
    _ image: CIImage, _ bounds: CGRect, _ colorSpace: CGColorSpace?
  ) throws(RawDevelopError) {
    let target = CIRenderDestination(
      bitmapData: memory, width: buffer.width, height: buffer.height, bytesPerRow: step,
      format: format)
    target.colorSpace = colorSpace
    for row in 0..<buffer.height {
      (memory + row * step).initializeMemory(as: UInt8.self, repeating: 0, count: 4 * buffer.width)
    }
    try startTask(toRender: image, from: bounds, to: target, at: .zero)
  }
}

extension PixelBuffer {
  /// Copies a plane from a buffer with the same pixel format and size.
  fileprivate func copyPlane(_ index: Int, of other: PixelBuffer) {
    let (to, from) = (unsafeAddress(ofPlane: index), other.unsafeAddress(ofPlane: index))
    let (step, otherStep) = (bytesPerRow(plane: index), other.bytesPerRow(plane: index))
    for row in 0..<format.rows(plane: index, height: height) {
      (to + row * step)
        .copyMemory(from: from + row * otherStep, byteCount: min(step, otherStep))
    }
  }
}
