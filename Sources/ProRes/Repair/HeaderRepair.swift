public import MediaCore

/// Puts right, in place, what other encoders write into a frame's header.
///
/// FFmpeg 5.1's encoders leave aspect and frame rate at 0, set reserved bits, say bitstream
/// version 0 for 4:4:4, and send the luma matrix twice in Proxy frames. The frame's length and its
/// pictures stay as they are.
public struct HeaderRepair: Sendable {
  /// The identifier to write, or nil to leave it.
  public var encoderIdentifier: FourCharCode?
  /// The aspect to write, or nil to leave it.
  public var aspectRatio: FrameHeader.AspectRatio?
  /// The frame rate to write, or nil to leave it.
  public var frameRate: FrameRate?
  /// The color to write, or nil to leave it.
  public var color: ColorDescription?
  /// The profile whose frames these are, or nil. A Proxy frame that carries its luma matrix twice
  /// gets Proxy's chroma matrix: only for an encoder that quantized chroma with it.
  public var profile: ProResProfile?

  /// A repair that writes what is given and mends reserved bits and the version anyway.
  public init(
    encoderIdentifier: FourCharCode? = nil, aspectRatio: FrameHeader.AspectRatio? = nil,
    frameRate: FrameRate? = nil, color: ColorDescription? = nil, profile: ProResProfile? = nil
  ) {
    self.encoderIdentifier = encoderIdentifier
    self.aspectRatio = aspectRatio
    self.frameRate = frameRate
    self.color = color
    self.profile = profile
  }

  /// Mends the header of one frame.
  ///
  /// - Parameter frame: All bytes of the frame; its first ones are written.
  /// - Throws: ``ProResError/Code/invalidFrame`` where the bytes have no frame header; then nothing
  ///   is written.
  public func mend(_ frame: UnsafeMutableRawBufferPointer) throws(ProResError) {
    var header = try FrameHeader(parsing: UnsafeRawBufferPointer(frame).bytes)
    header.bitstreamVersion = header.chromaFormatCode == 3 || header.alphaCode != 0 ? 1 : 0
    if let encoderIdentifier { header.encoderIdentifier = encoderIdentifier }
    if let aspectRatio { header.aspectRatioCode = aspectRatio.rawValue }
    if let frameRate { header.frameRateCode = FrameHeader.code(for: frameRate) }
    if let color = color?.frameHeaderColor {
      header.colorPrimaries = color.primaries.rawValue
      header.transferFunction = color.transferFunction.rawValue
      header.matrixCoefficients = color.matrix.rawValue
    }
    if profile == .proxy, header.chromaMatrix == .proxyLuma { header.chromaMatrix = .proxyChroma }
    guard header.encodedSize == header.declaredHeaderSize + 8 else {
      throw ProResError(
        .invalidFrame,
        "frame header of \(header.declaredHeaderSize) bytes has room for unknown fields; "
          + "it cannot be repaired in place")
    }
    frame.copyBytes(from: header.serialized())
  }
}
