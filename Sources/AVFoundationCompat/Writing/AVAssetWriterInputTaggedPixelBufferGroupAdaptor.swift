public import MediaCore

/// Would write several pictures of one instant, as those of two eyes. No movie here has them: each is refused.
public final class AVAssetWriterInputTaggedPixelBufferGroupAdaptor: Sendable, ComparedByIdentity {
  /// The input behind.
  public let assetWriterInput: AVAssetWriterInput

  /// An adaptor that writes nothing. The attributes are ignored.
  public init(
    assetWriterInput input: AVAssetWriterInput,
    sourcePixelBufferAttributes: [String: Any]? = nil
  ) { assetWriterInput = input }

  /// Nil: pictures that are not written need no memory.
  public var sourcePixelBufferAttributes: [String: Any]? { nil }
  /// Nil.
  public var pixelBufferPool: CVPixelBufferPool? { nil }

  /// Writes nothing.
  ///
  /// - Returns: False; the writer's `error` says why.
  public func appendTaggedBuffers(
    _ taggedBuffers: [CMTaggedBuffer], withPresentationTime presentationTime: CMTime
  ) -> Bool {
    assetWriterInput.refuse(
      AVError(
        .operationNotAllowed,
        "several pictures of one instant are not written; append one by an"
          + " AVAssetWriterInputPixelBufferAdaptor"))
    return false
  }
}
