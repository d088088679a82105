public import MediaCore

/// What a container or a configuration says about a frame; nil where it says nothing.
public struct FrameExpectation: Sendable, Hashable {
  /// Pixels in a row.
  public var width: Int?
  /// Rows of the frame.
  public var height: Int?
  /// The codec: decides the chroma format.
  public var codec: VideoCodecType?
  /// One picture or two, and which comes first.
  public var fieldOrder: FieldOrder?
  /// Primaries, transfer and matrix.
  public var color: ColorDescription?
  /// The frame rate; a frame that names none is not at odds with it.
  public var frameRate: FrameRate?

  /// An expectation; leave out what is not known.
  public init(
    width: Int? = nil, height: Int? = nil, codec: VideoCodecType? = nil,
    fieldOrder: FieldOrder? = nil, color: ColorDescription? = nil, frameRate: FrameRate? = nil
  ) {
    self.width = width
    self.height = height
    self.codec = codec
    self.fieldOrder = fieldOrder
    self.color = color
    self.frameRate = frameRate
  }
}
