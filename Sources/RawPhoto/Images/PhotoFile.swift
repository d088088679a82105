import ImageFiles

/// Writes photos to disk, completely or not at all.
public enum PhotoFile {
  /// Writes a file next to its destination, syncs it to disk, then renames it.
  ///
  /// - Parameters:
  ///   - bytes: The contents.
  ///   - path: The destination.
  ///   - replacing: True to replace an existing file.
  /// - Throws: ``RawPhotoError/Code/fileFailed`` with the system's error number, EEXIST for an existing file that
  ///   is not to be replaced; nothing is left behind.
  public static func write(
    _ bytes: [UInt8], to path: String, replacing: Bool = true
  ) throws(RawPhotoError) {
    do throws(ImageFileError) {
      _ = try WholeFile.write(to: path, replacing: replacing) {
        (output) throws(ImageFileError) in try output.append(bytes)
      }
    } catch { throw RawPhotoError(error) }
  }
}
