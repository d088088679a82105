import AssetWriter
public import MediaCore

/// Appends bare pictures with their times to a video input, and lends memory for them.
public final class AVAssetWriterInputPixelBufferAdaptor: Sendable {
  /// The input that is fed.
  public let assetWriterInput: AVAssetWriterInput
  /// What the pool's pictures are, as it was given; Apple's is `[String: Any]?` too.
  public var sourcePixelBufferAttributes: [String: Any]? { attributes.dictionary }
  private let base: AssetWriterInputPixelBufferAdaptor?
  private let mistake: AVError?
  private let attributes: Attributes

  /// Unchecked: a dictionary of values that nobody changes any more.
  private struct Attributes: @unchecked Sendable {
    let dictionary: [String: Any]?
  }

  /// An adaptor of a video input.
  ///
  /// - Parameters:
  ///   - input: A video input that has no adaptor.
  ///   - sourcePixelBufferAttributes: `kCVPixelBufferPixelFormatTypeKey`, and width and height
  ///     where they are not the track's: what the pool's pictures are; nil for no pool. A mistake in
  ///     them lets appends fail; the writer's `error` names the key.
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

  /// Memory for pictures; nil without attributes.
  public var pixelBufferPool: CVPixelBufferPool? { base?.pixelBufferPool }

  /// Hands a picture over.
  ///
  /// - Returns: False where it was not taken; the writer's `error` says why.
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
  /// True for the same object.
  public static func == (
    lhs: AVAssetWriterInputPixelBufferAdaptor, rhs: AVAssetWriterInputPixelBufferAdaptor
  ) -> Bool { lhs === rhs }
  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
