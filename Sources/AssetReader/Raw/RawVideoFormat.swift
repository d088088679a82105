public import MediaCore

/// The format of a raw video file, which the file itself does not state.
///
/// The file consists of frames without headers. A frame's planes follow one another, and rows have
/// no padding except the format's (v210 rows are multiples of 128 bytes).
public struct RawVideoFormat: Sendable, Hashable {
  /// The description of each frame.
  public var frame: PixelBuffer.Description
  /// The frame rate.
  public var frameRate: FrameRate
  /// False if the field order was not stated.
  var statesFieldOrder = true

  /// Creates a format, after checking that its size is possible.
  ///
  /// - Throws: ``AssetReaderError/Code/invalidArgument`` for a size that the format cannot have: a
  ///   side outside 1 to 16384, an odd width with horizontally subsampled chroma, or an odd height
  ///   with vertically subsampled chroma.
  public init(frame: PixelBuffer.Description, frameRate: FrameRate) throws(AssetReaderError) {
    let size = VideoDimensions(width: frame.width, height: frame.height)
    let subsampling = frame.format.descriptor.subsampling
    guard (1...16_384).contains(size.width), (1...16_384).contains(size.height) else {
      throw AssetReaderError(
        .invalidArgument, "invalid frame size \(size); each side is 1 to 16384")
    }
    guard size.width.isMultiple(of: 1 << subsampling.horizontalShift) else {
      throw AssetReaderError(
        .invalidArgument,
        "raw \(frame.format) (\(subsampling.rawValue)) needs an even width, not \(size.width)")
    }
    guard size.height.isMultiple(of: 1 << subsampling.verticalShift) else {
      throw AssetReaderError(
        .invalidArgument,
        "raw \(frame.format) (\(subsampling.rawValue)) needs an even height, not \(size.height)")
    }
    self.frame = frame
    self.frameRate = frameRate
  }

  /// Bytes of one frame in the file.
  public var bytesPerFrame: Int {
    frame.format.byteCount(width: frame.width, height: frame.height)
  }
}

extension PixelFormat {
  /// Finds a format by a name that users write: the case's name (`yuv422p10`), libav's
  /// (`yuv422p10le`) or a V4L2 code (`UYVY`), ignoring case. Nil for any other text.
  public init?(userName text: String) {
    let name = text.lowercased()
    let match = Self.allCases.first { format in
      let table = format.descriptor
      return format.rawValue == name || table.name.lowercased() == name || table.libavName == name
        || table.v4l2Codes.contains { $0.description.lowercased() == name }
    }
    guard let match else { return nil }
    self = match
  }
}
