// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore
import Synchronization

/// A sample that other samples can be decoded without: true for none here.
public let kCMSampleAttachmentKey_NotSync = "NotSync"
/// A sample that others are needed for.
public let kCMSampleAttachmentKey_DependsOnOthers = "DependsOnOthers"
/// A sample that others need.
public let kCMSampleAttachmentKey_IsDependedOnByOthers = "IsDependedOnByOthers"
/// A sample that is decoded and not shown.
public let kCMSampleAttachmentKey_DoNotDisplay = "DoNotDisplay"
/// A sample that is shown as soon as possible.
public let kCMSampleAttachmentKey_DisplayImmediately = "DisplayImmediately"

/// Why a picture was dropped.
public let kCMSampleBufferAttachmentKey_DroppedFrameReason = "DroppedFrameReason"
/// More on why a picture was dropped.
public let kCMSampleBufferAttachmentKey_DroppedFrameReasonInfo = "DroppedFrameReasonInfo"
/// How the camera maps a scene to pixels. No sample has it here: no lens is known.
public let kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix = "CameraIntrinsicMatrix"
/// What of compressed audio is no part of what was recorded, at its start. No sample has it here: audio is
/// decoded to the sample, and a writer does not look at it.
public let kCMSampleBufferAttachmentKey_TrimDurationAtStart = "TrimDurationAtStart"
/// As ``kCMSampleBufferAttachmentKey_TrimDurationAtStart``, at the end.
public let kCMSampleBufferAttachmentKey_TrimDurationAtEnd = "TrimDurationAtEnd"
/// The consumer was not done with the picture before.
public let kCMSampleBufferDroppedFrameReason_FrameWasLate = "FrameWasLate"
/// Consumers hold all buffers.
public let kCMSampleBufferDroppedFrameReason_OutOfBuffers = "OutOfBuffers"
/// A break in the source.
public let kCMSampleBufferDroppedFrameReason_Discontinuity = "Discontinuity"

extension SampleBuffer {
  /// A sample that notes can be put on.
  ///
  /// - Parameters:
  ///   - content: A picture or audio.
  ///   - presentationTimeStamp: When it is shown or heard.
  ///   - duration: How long it lasts; invalid where not known.
  ///   - attachments: What its source says of it.
  public init(
    _ content: Content, presentationTimeStamp: CMTime, duration: CMTime = .invalid,
    attachments: Attachments = Attachments()
  ) {
    self.init(
      content: content, presentationTimeStamp: presentationTimeStamp, duration: duration,
      facts: attachments)
    notes = AttachmentStore()
  }

  /// The sample with a store of its own for notes, those that propagate in it.
  func withOwnNotes() -> SampleBuffer {
    // Once, for another thread may be setting it.
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
        if case .awaited? = supplied { contents.lent = SuppliedSound.awaited }
        if let data = ofSample.lent as? DataSample { contents.lent = data }
      }
    }
    copy.notes = store
    return copy
  }

  /// What is noted on the samples of the buffer: one here.
  public var sampleAttachments: SampleAttachmentsArray { SampleAttachmentsArray(notes: notes) }

  /// Notes on each sample of a buffer.
  public struct SampleAttachmentsArray: RandomAccessCollection {
    let notes: AttachmentStore?
    /// 0.
    public var startIndex: Int { 0 }
    /// 1.
    public var endIndex: Int { 1 }
    /// The notes on a sample; index 0 alone.
    public subscript(index: Int) -> PerSampleAttachmentsDictionary {
      get { PerSampleAttachmentsDictionary(notes: notes) }
      nonmutating set {}
    }
  }

  /// Notes on one sample.
  public struct PerSampleAttachmentsDictionary {
    let notes: AttachmentStore?

    /// The name of a note.
    public struct Key: RawRepresentable, Hashable, Sendable {
      /// The name.
      public let rawValue: String
      /// A key from its name.
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

    /// A note by its key; nil takes it off.
    public subscript(key: Key) -> Any? {
      get { notes?.contents.withLock { $0 }.ofSample?[key.rawValue] }
      nonmutating set {
        nonisolated(unsafe) let sent = newValue
        notes?.contents.withLock { $0.ofSample = ($0.ofSample ?? [:]).merging([:]) { $1 } }
        notes?.contents.withLock { $0.ofSample?[key.rawValue] = sent }
      }
    }
  }
}

/// What is noted on each sample of a buffer: an array of one dictionary.
///
/// - Parameters:
///   - sbuf: The sample buffer.
///   - createIfNecessary: False for nil if nothing was noted.
/// - Returns: A copy. To note something, use `CMSampleBuffer.sampleAttachments`.
public func CMSampleBufferGetSampleAttachmentsArray(
  _ sbuf: CMSampleBuffer, createIfNecessary: Bool
) -> CFArray? {
  let present = sbuf.notes?.contents.withLock { $0 }.ofSample
  if let present { return [present] }
  return createIfNecessary ? [[String: Any]()] : nil
}
