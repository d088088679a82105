import CTurboJPEG
import MediaCore
import Monitor

/// Previews as JPEG, through libjpeg-turbo.
enum JPEGEncoder {
  /// The JPEG's bytes.
  ///
  /// - Parameter quality: 1 to 100.
  /// - Throws: ``ServiceError/Code/encodingFailed``.
  static func encode(_ frame: PreviewFrame, quality: Int32) throws(ServiceError) -> [UInt8] {
    guard let compressor = tjInitCompress() else { throw failure(nil) }
    defer { tjDestroy(compressor) }
    let planes = JPEGPlanes(frame)
    var buffer: UnsafeMutablePointer<UInt8>?
    var size: UInt = 0
    defer { tjFree(buffer) }
    let status = planes.luma.withUnsafeBufferPointer { luma in
      planes.cb.withUnsafeBufferPointer { cb in
        planes.cr.withUnsafeBufferPointer { cr in
          var bases = [luma.baseAddress, cb.baseAddress, cr.baseAddress]
          return tjCompressFromYUVPlanes(
            compressor, &bases, Int32(planes.width), nil, Int32(planes.height),
            Int32(TJSAMP_420.rawValue), &buffer, &size, quality, TJFLAG_FASTDCT)
        }
      }
    }
    guard status == 0, let buffer else { throw failure(compressor) }
    return Array(UnsafeBufferPointer(start: buffer, count: Int(size)))
  }

  private static func failure(_ handle: tjhandle?) -> ServiceError {
    let reason = tjGetErrorStr2(handle).map { String(cString: $0) } ?? "no memory"
    return ServiceError(.encodingFailed, "a preview cannot be compressed: \(reason)")
  }
}
