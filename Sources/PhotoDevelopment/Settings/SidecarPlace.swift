/// Where the XMP of a photo is, apart from what its file has embedded.
public enum SidecarPlace: Sendable, Hashable {
  /// In a file of the photo's name beside it.
  case beside
  /// In this file.
  case file(String)
  /// Nowhere: of a photo among others' files, whose names say nothing.
  case none
}
