import Foundation
import ImageFiles
import MediaCore
import RawDevelop
import RawPhoto
import Synchronization

extension AVCapturePhoto {
  /// The photo as an 8-bit sRGB image, not rotated. A processed photo is decoded with each call; a RAW photo is
  /// rendered in its default look. Nil if it cannot be made, for example a HEIC photo if libheif has no decoder;
  /// ``fileDataError`` then says why.
  public func cgImageRepresentation() -> CGImage? {
    do throws(AVError) {
      let image = try base.isRawPhoto ? developed() : base.isHEIC ? decodedHEIC() : decoded()
      failure.withLock { $0 = nil }
      return CGImage(image)
    } catch {
      failure.withLock { $0 = error }
      return nil
    }
  }

  private func bytes() throws(AVError) -> [UInt8] {
    do throws(RawPhotoError) { return try base.fileDataRepresentation() } catch {
      throw AVError(error)
    }
  }

  private func developed() throws(AVError) -> RenderedImage {
    let bytes = try bytes()
    do throws(RawDevelopError) {
      var filter = try RAWFilter(data: bytes)
      filter.sampleFormat = .uint8
      return try filter.outputImage()
    } catch { throw AVError(.decodeFailed, error.message, underlyingError: error) }
  }

  private func decodedHEIC() throws(AVError) -> RenderedImage {
    let bytes = try bytes()
    do throws(ImageFileError) { return try RenderedImage(heif: bytes) } catch {
      throw AVError(.decodeFailed, error.message, underlyingError: error)
    }
  }

  private func decoded() throws(AVError) -> RenderedImage {
    try RenderedImage(decoding: Data(try bytes()), fileExtension: base.fileExtension)
  }
}

extension CapturePhoto {
  fileprivate var isHEIC: Bool { fileExtension == "heic" }
}
