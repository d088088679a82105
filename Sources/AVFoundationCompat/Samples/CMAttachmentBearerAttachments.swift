public import MediaCore

/// The attachments of a buffer, with Swift names.
///
/// For a sample, the facts from its source (`timecode`, `sequenceNumber`, `isDamaged`) are available too.
@dynamicMemberLookup
public struct CMAttachmentBearerAttachments {
  private let bearer: any CMAttachmentBearer
  private var facts: SampleBuffer.Attachments

  init(_ bearer: any CMAttachmentBearer, facts: SampleBuffer.Attachments = .init()) {
    self.bearer = bearer
    self.facts = facts
  }

  /// The key of an attachment.
  public struct Key: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }

    /// Why a frame was dropped: one of `kCMSampleBufferDroppedFrameReason_…`.
    public static let droppedFrameReason = Key(
      rawValue: kCMSampleBufferAttachmentKey_DroppedFrameReason)
    /// Details on why a frame was dropped.
    public static let droppedFrameReasonInfo = Key(
      rawValue: kCMSampleBufferAttachmentKey_DroppedFrameReasonInfo)
    /// The intrinsic matrix of a phone's camera. No sample has it here.
    public static let cameraIntrinsicMatrix = Key(
      rawValue: kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix)
  }

  /// The value of an attachment and its mode.
  public enum Value {
    /// The attachment is propagated to buffers made from the buffer.
    case shouldPropagate(Any)
    /// The attachment is not propagated.
    case shouldNotPropagate(Any)

    public var value: Any {
      switch self {
      case .shouldPropagate(let value), .shouldNotPropagate(let value): value
      }
    }
  }

  /// The attachment for a key; setting nil removes it.
  public subscript(key: Key) -> Value? {
    get {
      bearer.attachment(forKey: key.rawValue).map { value, mode in
        mode == kCMAttachmentMode_ShouldPropagate
          ? .shouldPropagate(value) : .shouldNotPropagate(value)
      }
    }
    nonmutating set {
      var mode = kCMAttachmentMode_ShouldNotPropagate
      if case .shouldPropagate? = newValue { mode = kCMAttachmentMode_ShouldPropagate }
      bearer.setAttachment(newValue?.value, forKey: key.rawValue, mode: mode)
    }
  }

  /// The attachments that propagate.
  public var propagated: [String: Any] {
    bearer.attachments(ofMode: kCMAttachmentMode_ShouldPropagate)
  }
  /// The attachments that do not propagate.
  public var nonPropagated: [String: Any] {
    bearer.attachments(ofMode: kCMAttachmentMode_ShouldNotPropagate)
  }
  /// Removes all attachments.
  public func removeAll() { CMRemoveAllAttachments(bearer) }

  /// A fact from a sample's source.
  public subscript<Fact>(dynamicMember fact: WritableKeyPath<SampleBuffer.Attachments, Fact>)
    -> Fact
  {
    get { facts[keyPath: fact] }
    set { facts[keyPath: fact] = newValue }
  }

  var sourceFacts: SampleBuffer.Attachments { facts }
}

extension SampleBuffer {
  /// The attachments of the sample, including the facts from its source.
  public var attachments: CMAttachmentBearerAttachments {
    get { CMAttachmentBearerAttachments(self, facts: sourceFacts) }
    set { sourceFacts = newValue.sourceFacts }
  }
}
