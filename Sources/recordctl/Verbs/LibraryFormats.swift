import ArgumentParser
import ImageFiles

/// The image formats that a library keeps beside a RAW photo.
enum LibraryFormats {
  private static let formats: [ImageFileFormat] = [.jpeg, .gainMapJPEG, .heic]

  /// Refuses others for an edit.
  static func checkEdit(_ format: ImageFileFormat) throws {
    guard formats.contains(format) else {
      throw ValidationError("a library keeps edits as jpeg, jpeg-hdr or heic")
    }
  }

  /// Refuses others for an image of a photo that is saved.
  static func checkCompanion(_ format: ImageFileFormat) throws {
    guard formats.contains(format) else {
      throw ValidationError("a library accepts jpeg, jpeg-hdr or heic beside a RAW photo")
    }
  }
}
