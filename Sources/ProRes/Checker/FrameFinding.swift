/// One thing that is wrong, or unusual, with a frame's bytes.
public struct FrameFinding: Sendable, Hashable, CustomStringConvertible {
  /// How bad it is.
  public enum Severity: String, Sendable, Hashable {
    /// Against RDD 36: a decoder may refuse the frame or show another picture.
    case error
    /// Allowed, but not what Apple's encoders write.
    case warning
  }

  /// The rules that a frame can break.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// Fewer bytes than a header has, or no `icpf`.
    case notAFrame
    /// `frame_size` is not the number of bytes.
    case frameSize
    /// `frame_header_size` does not fit the matrices that the flags announce.
    case headerSize
    /// `bitstream_version` does not fit chroma and alpha, or is unknown.
    case bitstreamVersion
    /// A bit that the standard reserves is set.
    case reservedBits
    /// A code that the standard reserves.
    case reservedValue
    /// A picture side of 0.
    case dimensions
    /// A weight outside 2 to 63.
    case matrixWeight
    /// Size, chroma, fields or rate are not those that were expected.
    case unexpectedValue
    /// Primaries, transfer function or matrix are not those that were expected.
    case unexpectedColor
    /// A picture's header or its sizes.
    case pictureHeader
    /// The number of slices is not the layout's.
    case sliceCount
    /// Slice sizes do not add up to the picture's.
    case sliceTable
    /// A slice's header or its component sizes.
    case sliceHeader
    /// `quantization_index` outside 1 to 224.
    case quantizationIndex
    /// A component's bytes are not valid code words.
    case entropyCode
    /// More than seven zero bits after a component's last code word.
    case componentPadding
    /// Alpha of rows below the picture, which the standard leaves out and libavcodec does not.
    case alphaRows
    /// Bytes after the last picture that are not zero.
    case stuffing
  }

  /// The rule that the frame breaks.
  public let code: Code
  /// How bad it is.
  public let severity: Severity
  /// The picture, counted from 0 in coding order; nil for the frame as a whole.
  public let picture: Int?
  /// The slice, counted from 0 in the picture; nil for the picture as a whole.
  public let slice: Int?
  /// What was found, in one line.
  public let message: String

  /// Place and message.
  public var description: String {
    var place = ""
    if let picture { place += "picture \(picture): " }
    if let slice { place += "slice \(slice): " }
    return "\(severity.rawValue): \(place)\(message)"
  }
}
