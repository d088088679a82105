public import Foundation
import MediaCore
public import RawDevelop
import VideoRecorder

extension CIContext {
  /// Renders a picture into a pixel buffer in sRGB, lower left corner to lower left corner; what it does not cover
  /// becomes black.
  ///
  /// - Parameters:
  ///   - image: The picture.
  ///   - buffer: 32BGRA, 32ARGB, `420v`, `420f`, `2vuy` or `yuvs`, which nobody else uses meanwhile.
  /// - Returns: Nil where all went well; or why nothing was written. Core Image returns nothing.
  @discardableResult
  public func render(_ image: CIImage, to buffer: CVPixelBuffer) -> RawDevelopError? {
    let bounds = CGRect(x: 0, y: 0, width: CGFloat(buffer.width), height: CGFloat(buffer.height))
    return render(image, to: buffer, bounds: bounds, colorSpace: CGColorSpace(.sRGB))
  }

  /// Renders an area of a picture into the lower left corner of a pixel buffer; the rest becomes black.
  ///
  /// - Parameters:
  ///   - image: The picture.
  ///   - buffer: As ``render(_:to:)``.
  ///   - bounds: The area.
  ///   - colorSpace: What numbers of red, green and blue mean; nil to keep them as they are.
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

  /// Renders, and brings what comes of it to the buffer's layout.
  private func convert(
    _ image: CIImage, _ bounds: CGRect, _ colorSpace: CGColorSpace?, into buffer: PixelBuffer
  ) throws(RawDevelopError) {
    let wanted = PictureConversion(buffer.format, range: buffer.details.color.range)
    guard PictureConversion.available.contains(wanted) else {
      throw RawDevelopError(
        .unsupported, "pictures are not rendered into buffers of \(buffer.format)")
    }
    var details = buffer.details
    details.format = .bgrx32
    details.color.range = .full
    guard var drawn = try? MutablePixelBuffer(details) else {
      throw RawDevelopError(
        .unsupported, "no memory for \(buffer.width)x\(buffer.height) pixels")
    }
    let step = drawn.bytesPerRow(plane: 0)
    try drawn.withUnsafeMutableBytes(ofPlane: 0) { bytes throws(RawDevelopError) in
      guard let memory = bytes.baseAddress else { return }
      try fill(memory, step: step, of: buffer, .BGRA8, image, bounds, colorSpace)
    }
    guard let made = PictureConverter().convert(drawn.finish(), to: wanted) else {
      throw RawDevelopError(.unsupported, "a picture cannot become \(buffer.format)")
    }
    for plane in 0..<buffer.planeCount { buffer.copyPlane(plane, of: made) }
  }

  /// Renders into memory of four bytes a pixel.
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
  /// Takes a plane over from a picture of the same layout and size.
  fileprivate func copyPlane(_ index: Int, of other: PixelBuffer) {
    let (to, from) = (unsafeAddress(ofPlane: index), other.unsafeAddress(ofPlane: index))
    let (step, otherStep) = (bytesPerRow(plane: index), other.bytesPerRow(plane: index))
    for row in 0..<format.rows(plane: index, height: height) {
      (to + row * step)
        .copyMemory(from: from + row * otherStep, byteCount: min(step, otherStep))
    }
  }
}
