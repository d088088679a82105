import PictureFiles

/// Puts photos on a disk: whole, or not at all.
public enum PhotoFile {
  /// Writes a file next to its place, waits for the disk, and then gives it its name.
  ///
  /// - Parameters:
  ///   - bytes: All of the file.
  ///   - path: Where it goes.
  ///   - replacing: True to take the place of an older file.
  /// - Throws: ``RawPhotoError/Code/fileFailed`` with the system's error number, EEXIST for an older
  ///   file that is not to be replaced; then nothing is left behind.
  public static func write(
    _ bytes: [UInt8], to path: String, replacing: Bool = true
  ) throws(RawPhotoError) {
    do throws(PictureFileError) {
      _ = try WholeFile.write(to: path, replacing: replacing) {
        (output) throws(PictureFileError) in try output.append(bytes)
      }
    } catch { throw RawPhotoError(error) }
  }
}
