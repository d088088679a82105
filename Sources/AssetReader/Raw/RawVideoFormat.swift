public import MediaCore

/// What the bytes of a raw picture file are, which the file itself does not say.
///
/// A file is frame after frame without headers; the planes of a frame follow one another, rows
/// have no padding but the format's own (v210 rows are multiples of 128 bytes).
public struct RawVideoFormat: Sendable, Hashable {
  /// What each picture is.
  public var picture: PixelBuffer.Description
  /// The rate.
  public var frameRate: FrameRate
  /// False where nobody said whether frames are fields, and which is first.
  var saysFieldOrder = true

  /// A format, after a look at whether pictures of it can exist.
  ///
  /// - Throws: ``AssetReaderError/Code/invalidArgument`` for a size that the format cannot have:
  ///   an odd width where pixels share chroma, an odd height where rows do.
  public init(picture: PixelBuffer.Description, frameRate: FrameRate) throws(AssetReaderError) {
    let size = VideoDimensions(width: picture.width, height: picture.height)
    let subsampling = picture.format.descriptor.subsampling
    guard (1...16_384).contains(size.width), (1...16_384).contains(size.height) else {
      throw AssetReaderError(
        .invalidArgument, "invalid picture size \(size); each side is 1 to 16384")
    }
    guard size.width.isMultiple(of: 1 << subsampling.horizontalShift) else {
      throw AssetReaderError(
        .invalidArgument,
        "raw \(picture.format) (\(subsampling.rawValue)) needs an even width, not \(size.width)")
    }
    guard size.height.isMultiple(of: 1 << subsampling.verticalShift) else {
      throw AssetReaderError(
        .invalidArgument,
        "raw \(picture.format) (\(subsampling.rawValue)) needs an even height, not \(size.height)")
    }
    self.picture = picture
    self.frameRate = frameRate
  }

  /// Bytes of one frame in the file.
  public var bytesPerFrame: Int {
    picture.format.byteCount(width: picture.width, height: picture.height)
  }
}

extension PixelFormat {
  /// The format of a name as users write it: the case's own (`yuv422p10`), libav's (`yuv422p10le`)
  /// or a V4L2 code (`UYVY`), in either letter case. Nil for any other text.
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
