package import DNG
import TIFF

extension PhotoMetadata.Orientation {
  /// The orientation of the image in a JPEG, HEIF, TIFF or DNG file; ``up`` if the file does not state it, and
  /// for other kinds of file.
  package init(ofFile bytes: [UInt8]) {
    let number: Int? =
      if ImageFileSummary.recognizes(bytes) {
        (try? ImageFileSummary(bytes))?.orientation
      } else {
        (try? TIFFFile(bytes).firstDirectory().value(.orientation, byteLimit: 8))?.integers.first
      }
    self = number.flatMap { UInt16(exactly: $0) }.flatMap(Self.init(rawValue:)) ?? .up
  }
}
