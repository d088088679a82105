public import MediaCore
public import VideoRecorder

/// Would play a session's sound. None is played here: no session takes one, which `canAddOutput` says.
///
/// Unchecked because its superclass is open: it adds no stored property.
public final class AVCaptureAudioPreviewOutput: CaptureOutput, @unchecked Sendable {
  /// An output that plays nothing.
  public override init() {
    super.init(
      connectionList: CaptureConnectionList(
        refusal: CaptureError(
          .invalidArgument,
          "sound is not played here; take it from an audio data output and hand it to a player")))
  }

  /// Nil, for the device that the system plays on; setting it changes nothing.
  public var outputDeviceUniqueID: String? {
    get { nil }
    set {}
  }
  /// 0: nothing is played. Setting it changes nothing.
  public var volume: Float {
    get { 0 }
    set {}
  }
}

/// Would take metadata from the program into a session. No session takes one, which `canAddInput` says: an asset
/// writer takes metadata, by an `AVAssetWriterInputMetadataAdaptor`.
///
/// Unchecked because its superclass is open: it adds two `let`s of `Sendable` types.
public final class AVCaptureMetadataInput: CaptureInput, @unchecked Sendable {
  /// What the metadata would be.
  public let formatDescription: CMMetadataFormatDescription
  /// The clock that their times would be on.
  public let clock: CMClock

  /// An input that takes nothing.
  public init(formatDescription desc: CMMetadataFormatDescription, clock: CMClock) {
    (formatDescription, self.clock) = (desc, clock)
    super.init(ports: [])
  }

  /// - Throws: ``AVError/Code/operationNotAllowed``: no session takes the input.
  public func append(_ metadata: AVTimedMetadataGroup) throws {
    throw AVError(
      .operationNotAllowed, "no session here takes metadata; append them to an asset writer")
  }
}
