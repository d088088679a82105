import MediaCore

extension PhotoFile {
  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - byteLimit: The most bytes to read; by default the greatest size of a TIFF file.
  /// - Throws: ``RawPhotoError/Code/fileFailed`` if the file cannot be read, is too large, or is not a regular
  ///   file: pipes and devices may have no end.
  public static func read(
    _ path: String, byteLimit: Int = Int(UInt32.max)
  ) throws(RawPhotoError) -> [UInt8] {
    try RegularFile.bytes(of: path, byteLimit: byteLimit) { message, errno in
      RawPhotoError(.fileFailed, message, errno: errno)
    }
  }
}
