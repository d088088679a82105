import AssetWriter
public import MediaCore

/// Appends pixel buffers with presentation times to a video input, and provides a pool of buffers.
public final class AVAssetWriterInputPixelBufferAdaptor: Sendable {
  public let assetWriterInput: AVAssetWriterInput
  /// The attributes of the pool's buffers, as they were passed. Apple's type is `[String: Any]?` too.
  public var sourcePixelBufferAttributes: [String: Any]? { attributes.dictionary }
  private let base: AssetWriterInputPixelBufferAdaptor?
  private let mistake: AVError?
  private let attributes: Attributes

  /// Unchecked: the dictionary's values are never changed after it was passed.
  private struct Attributes: @unchecked Sendable {
    let dictionary: [String: Any]?
  }

  /// - Parameters:
  ///   - input: A video input without another adaptor.
  ///   - sourcePixelBufferAttributes: The attributes of the pool's buffers: `kCVPixelBufferPixelFormatTypeKey`, and
  ///     width and height if they differ from the track's; nil for no pool. If they are invalid, appends fail, and
  ///     the writer's `error` names the key.
  public init(
    assetWriterInput input: AVAssetWriterInput, sourcePixelBufferAttributes: [String: Any]? = nil
  ) {
    assetWriterInput = input
    attributes = Attributes(dictionary: sourcePixelBufferAttributes)
    input.noteUse()
    do throws(AVError) {
      let native = try input.base.get()
      let details = try sourcePixelBufferAttributes.map { attributes throws(AVError) in
        try Self.details(attributes, of: input)
      }
      base = AssetWriterInputPixelBufferAdaptor(
        assetWriterInput: native, sourcePixelBufferAttributes: details)
      mistake = nil
    } catch {
      input.refuse(error)
      base = nil
      mistake = error
    }
  }

  /// The pool of buffers; nil without attributes.
  public var pixelBufferPool: CVPixelBufferPool? { base?.pixelBufferPool }

  /// Appends a frame.
  ///
  /// - Returns: False on failure; the writer's `error` says why.
  @discardableResult
  public func append(
    _ pixelBuffer: CVPixelBuffer, withPresentationTime presentationTime: CMTime
  ) -> Bool {
    if let mistake {
      assetWriterInput.refuse(mistake)
      return false
    }
    return assetWriterInput.append(
      CMSampleBuffer(.video(pixelBuffer), presentationTimeStamp: presentationTime))
  }

  private static func details(
    _ dictionary: [String: Any], of input: AVAssetWriterInput
  ) throws(AVError) -> PixelBuffer.Description {
    let attributes = try PixelBufferAttributes(dictionary)
    guard let format = attributes.format else {
      throw AVError(
        .unsupportedOutputSettings,
        "pixel buffer attributes: kCVPixelBufferPixelFormatTypeKey is missing")
    }
    let track = input.outputSettings
    guard let width = attributes.width ?? track?[AVVideoWidthKey] as? Int,
      let height = attributes.height ?? track?[AVVideoHeightKey] as? Int
    else {
      throw AVError(
        .unsupportedOutputSettings, "pixel buffer attributes: the input lacks dimensions")
    }
    return PixelBuffer.Description(
      format: format, width: width, height: height,
      color: PixelBuffer.Description.usualColor(of: format, range: attributes.range))
  }
}

extension AVAssetWriterInputPixelBufferAdaptor: Hashable {
  public static func == (
    lhs: AVAssetWriterInputPixelBufferAdaptor, rhs: AVAssetWriterInputPixelBufferAdaptor
  ) -> Bool { lhs === rhs }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
