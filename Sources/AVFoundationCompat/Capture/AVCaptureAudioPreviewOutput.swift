public import MediaCore
public import VideoRecorder

/// Would play a session's audio. Playback is not supported: `canAddOutput` returns false for it.
///
/// Unchecked because its superclass is open: it adds no stored property.
public final class AVCaptureAudioPreviewOutput: CaptureOutput, @unchecked Sendable {
  /// An output that plays nothing.
  public override init() {
    super.init(
      connectionList: CaptureConnectionList(
        refusal: CaptureError(
          .invalidArgument,
          "audio playback is not supported; take audio from an audio data output and pass it to a player"
        )))
  }

  /// Nil: nothing is played. Setting it has no effect.
  public var outputDeviceUniqueID: String? {
    get { nil }
    set {}
  }
  /// 0: nothing is played. Setting it has no effect.
  public var volume: Float {
    get { 0 }
    set {}
  }
}

/// Would take metadata from the program into a session. Not supported: `canAddInput` returns false for it. An asset
/// writer takes metadata through an `AVAssetWriterInputMetadataAdaptor`.
///
/// Unchecked because its superclass is open: it adds two `let`s of `Sendable` types.
public final class AVCaptureMetadataInput: CaptureInput, @unchecked Sendable {
  public let formatDescription: CMMetadataFormatDescription
  /// The clock of the metadata's times.
  public let clock: CMClock

  /// An input that takes nothing.
  public init(formatDescription desc: CMMetadataFormatDescription, clock: CMClock) {
    (formatDescription, self.clock) = (desc, clock)
    super.init(ports: [])
  }

  /// - Throws: ``AVError/Code/operationNotAllowed``, always: no session takes the input.
  public func append(_ metadata: AVTimedMetadataGroup) throws {
    throw AVError(
      .operationNotAllowed, "sessions do not take metadata; append it to an asset writer")
  }
}
