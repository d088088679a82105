import MediaCore

extension PhotoFile {
  /// The bytes of a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - byteLimit: The most bytes that are read: by default all that a TIFF file can have.
  /// - Throws: ``RawPhotoError/Code/fileFailed`` where it cannot be read, is larger, or is no file:
  ///   a pipe or a device has no end that could be waited for.
  public static func read(
    _ path: String, byteLimit: Int = Int(UInt32.max)
  ) throws(RawPhotoError) -> [UInt8] {
    try RegularFile.bytes(of: path, byteLimit: byteLimit) { message, errno in
      RawPhotoError(.fileFailed, message, errno: errno)
    }
  }
}
