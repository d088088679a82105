package import DNG
import TIFF

extension PhotoMetadata.Orientation {
  /// How the picture of a JPEG, HEIF, TIFF or DNG file is to be turned for viewing; ``up`` where the file does not
  /// say it, and for files of other kinds.
  package init(ofFile bytes: [UInt8]) {
    let number: Int? =
      if PictureFileSummary.recognizes(bytes) {
        (try? PictureFileSummary(bytes))?.orientation
      } else {
        (try? TIFFFile(bytes).firstDirectory().value(.orientation, byteLimit: 8))?.integers.first
      }
    self = number.flatMap { UInt16(exactly: $0) }.flatMap(Self.init(rawValue:)) ?? .up
  }
}
