// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore
import Synchronization

/// The sample is not a sync sample. Never true here.
public let kCMSampleAttachmentKey_NotSync = "NotSync"
/// The sample depends on other samples.
public let kCMSampleAttachmentKey_DependsOnOthers = "DependsOnOthers"
/// Other samples depend on the sample.
public let kCMSampleAttachmentKey_IsDependedOnByOthers = "IsDependedOnByOthers"
/// The sample is decoded but not displayed.
public let kCMSampleAttachmentKey_DoNotDisplay = "DoNotDisplay"
/// The sample is displayed as soon as possible.
public let kCMSampleAttachmentKey_DisplayImmediately = "DisplayImmediately"

/// Why a frame was dropped.
public let kCMSampleBufferAttachmentKey_DroppedFrameReason = "DroppedFrameReason"
/// Details on why a frame was dropped.
public let kCMSampleBufferAttachmentKey_DroppedFrameReasonInfo = "DroppedFrameReasonInfo"
/// The camera's intrinsic matrix. No sample has it here, because lenses are unknown.
public let kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix = "CameraIntrinsicMatrix"
/// The duration of encoder delay to trim at the start of compressed audio. No sample has it here, because audio is
/// decoded exactly; writers ignore it.
public let kCMSampleBufferAttachmentKey_TrimDurationAtStart = "TrimDurationAtStart"
/// Like ``kCMSampleBufferAttachmentKey_TrimDurationAtStart``, at the end.
public let kCMSampleBufferAttachmentKey_TrimDurationAtEnd = "TrimDurationAtEnd"
/// The consumer was still busy with an earlier frame.
public let kCMSampleBufferDroppedFrameReason_FrameWasLate = "FrameWasLate"
/// Consumers hold all buffers.
public let kCMSampleBufferDroppedFrameReason_OutOfBuffers = "OutOfBuffers"
/// A break in the source.
public let kCMSampleBufferDroppedFrameReason_Discontinuity = "Discontinuity"

extension SampleBuffer {
  /// A sample that can have attachments.
  ///
  /// - Parameters:
  ///   - content: A frame or audio.
  ///   - presentationTimeStamp: The presentation time.
  ///   - duration: The duration; invalid if unknown.
  ///   - attachments: Facts from its source.
  public init(
    _ content: Content, presentationTimeStamp: CMTime, duration: CMTime = .invalid,
    attachments: Attachments = Attachments()
  ) {
    self.init(
      content: content, presentationTimeStamp: presentationTimeStamp, duration: duration,
      facts: attachments)
    notes = AttachmentStore()
  }

  /// A copy of the sample with its own attachments: those that propagate.
  func withOwnNotes() -> SampleBuffer {
    // Read once, because another thread may be setting it.
    let supplied = supplied
    var copy = with(supplied)
    let store = AttachmentStore()
    if let notes {
      let mode = kCMAttachmentMode_ShouldPropagate
      for (key, value) in notes.attachments(ofMode: mode) {
        store.set(value, forKey: key, mode: mode)
      }
      let ofSample = notes.contents.withLock { $0 }
      store.contents.withLock { contents in
        contents.ofSample = ofSample.ofSample
        if case .awaited? = supplied { contents.lent = SuppliedAudio.awaited }
        if let data = ofSample.lent as? DataSample { contents.lent = data }
      }
    }
    copy.notes = store
    return copy
  }

  /// The attachments of each sample in the buffer: always one entry.
  public var sampleAttachments: SampleAttachmentsArray { SampleAttachmentsArray(notes: notes) }

  /// The attachments of each sample in a buffer.
  public struct SampleAttachmentsArray: RandomAccessCollection {
    let notes: AttachmentStore?
    public var startIndex: Int { 0 }
    public var endIndex: Int { 1 }
    /// The attachments of a sample; the index must be 0.
    public subscript(index: Int) -> PerSampleAttachmentsDictionary {
      get { PerSampleAttachmentsDictionary(notes: notes) }
      nonmutating set {}
    }
  }

  /// The attachments of one sample.
  public struct PerSampleAttachmentsDictionary {
    let notes: AttachmentStore?

    /// The key of a sample attachment.
    public struct Key: RawRepresentable, Hashable, Sendable {
      public let rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }
      /// See ``kCMSampleAttachmentKey_NotSync``.
      public static let notSync = Key(rawValue: kCMSampleAttachmentKey_NotSync)
      /// See ``kCMSampleAttachmentKey_DependsOnOthers``.
      public static let dependsOnOthers = Key(rawValue: kCMSampleAttachmentKey_DependsOnOthers)
      /// See ``kCMSampleAttachmentKey_IsDependedOnByOthers``.
      public static let isDependedOnByOthers = Key(
        rawValue: kCMSampleAttachmentKey_IsDependedOnByOthers)
      /// See ``kCMSampleAttachmentKey_DoNotDisplay``.
      public static let doNotDisplay = Key(rawValue: kCMSampleAttachmentKey_DoNotDisplay)
      /// See ``kCMSampleAttachmentKey_DisplayImmediately``.
      public static let displayImmediately = Key(
        rawValue: kCMSampleAttachmentKey_DisplayImmediately)
    }

    /// The attachment for a key; setting nil removes it.
    public subscript(key: Key) -> Any? {
      get { notes?.contents.withLock { $0 }.ofSample?[key.rawValue] }
      nonmutating set {
        // `Any`, as in Apple's API. The lock protects the entry, and the caller hands over the value.
        nonisolated(unsafe) let sent = newValue
        notes?.contents.withLock { $0.ofSample = ($0.ofSample ?? [:]).merging([:]) { $1 } }
        notes?.contents.withLock { $0.ofSample?[key.rawValue] = sent }
      }
    }
  }
}

/// The attachments of each sample in a buffer: an array of one dictionary.
///
/// - Parameters:
///   - sbuf: The sample buffer.
///   - createIfNecessary: False to return nil if there are none.
/// - Returns: A copy. To change attachments, use `CMSampleBuffer.sampleAttachments`.
public func CMSampleBufferGetSampleAttachmentsArray(
  _ sbuf: CMSampleBuffer, createIfNecessary: Bool
) -> CFArray? {
  let present = sbuf.notes?.contents.withLock { $0 }.ofSample
  if let present { return [present] }
  return createIfNecessary ? [[String: Any]()] : nil
}
