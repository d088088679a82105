public import MediaCore

/// Would write several frames of the same time, for example for two eyes. Not supported: appends always fail.
public final class AVAssetWriterInputTaggedPixelBufferGroupAdaptor: Sendable, ComparedByIdentity {
  public let assetWriterInput: AVAssetWriterInput

  /// An adaptor that writes nothing. The attributes are ignored.
  public init(
    assetWriterInput input: AVAssetWriterInput,
    sourcePixelBufferAttributes: [String: Any]? = nil
  ) { assetWriterInput = input }

  /// Always nil.
  public var sourcePixelBufferAttributes: [String: Any]? { nil }
  /// Always nil.
  public var pixelBufferPool: CVPixelBufferPool? { nil }

  /// Always fails.
  ///
  /// - Returns: False; the writer's `error` says why.
  public func appendTaggedBuffers(
    _ taggedBuffers: [CMTaggedBuffer], withPresentationTime presentationTime: CMTime
  ) -> Bool {
    assetWriterInput.refuse(
      AVError(
        .operationNotAllowed,
        "several frames of the same time cannot be written; append one with an"
          + " AVAssetWriterInputPixelBufferAdaptor"))
    return false
  }
}
