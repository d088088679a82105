public import MediaCore

/// What was put on a buffer, with Swift's names.
///
/// Of a sample, what its source says of it (`timecode`, `sequenceNumber`, `isDamaged`) can be read here,
/// too.
@dynamicMemberLookup
public struct CMAttachmentBearerAttachments {
  private let bearer: any CMAttachmentBearer
  private var facts: SampleBuffer.Attachments

  init(_ bearer: any CMAttachmentBearer, facts: SampleBuffer.Attachments = .init()) {
    self.bearer = bearer
    self.facts = facts
  }

  /// The name of an attachment.
  public struct Key: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name.
    public let rawValue: String
    /// A key from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A key from its name.
    public init(stringLiteral value: String) { rawValue = value }

    /// Why a picture was dropped: one of `kCMSampleBufferDroppedFrameReason_…`.
    public static let droppedFrameReason = Key(
      rawValue: kCMSampleBufferAttachmentKey_DroppedFrameReason)
    /// More on why a picture was dropped.
    public static let droppedFrameReasonInfo = Key(
      rawValue: kCMSampleBufferAttachmentKey_DroppedFrameReasonInfo)
    /// How a phone's lens maps the scene. No sample has it.
    public static let cameraIntrinsicMatrix = Key(
      rawValue: kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix)
  }

  /// An attachment.
  public enum Value {
    /// What is made of the buffer gets it, too.
    case shouldPropagate(Any)
    /// The buffer alone has it.
    case shouldNotPropagate(Any)

    /// The value, without its mode.
    public var value: Any {
      switch self {
      case .shouldPropagate(let value), .shouldNotPropagate(let value): value
      }
    }
  }

  /// An attachment by its key; nil takes it off.
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

  /// Those that what is made of the buffer gets.
  public var propagated: [String: Any] {
    bearer.attachments(ofMode: kCMAttachmentMode_ShouldPropagate)
  }
  /// Those that stay on the buffer.
  public var nonPropagated: [String: Any] {
    bearer.attachments(ofMode: kCMAttachmentMode_ShouldNotPropagate)
  }
  /// Takes all off.
  public func removeAll() { CMRemoveAllAttachments(bearer) }

  /// What a source says of a sample.
  public subscript<Fact>(dynamicMember fact: WritableKeyPath<SampleBuffer.Attachments, Fact>)
    -> Fact
  {
    get { facts[keyPath: fact] }
    set { facts[keyPath: fact] = newValue }
  }

  var sourceFacts: SampleBuffer.Attachments { facts }
}

extension SampleBuffer {
  /// What was put on the sample, and what its source says of it.
  public var attachments: CMAttachmentBearerAttachments {
    get { CMAttachmentBearerAttachments(self, facts: sourceFacts) }
    set { sourceFacts = newValue.sourceFacts }
  }
}
