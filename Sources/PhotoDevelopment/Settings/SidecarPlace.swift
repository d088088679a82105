/// The location of a photo's XMP, other than the XMP embedded in its file.
public enum SidecarPlace: Sendable, Hashable {
  /// In a file with the photo's name, next to it.
  case beside
  /// In this file.
  case file(String)
  /// Nowhere: the photo is among unrelated files, whose names mean nothing.
  case none
}
