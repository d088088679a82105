// swift-format-ignore-file: AlwaysUseLowerCamelCase

import MediaCore

/// Which of two values comes first.
public enum CFComparisonResult: Int, Sendable, Hashable {
  /// The first one.
  case compareLessThan = -1
  /// Neither.
  case compareEqualTo
  /// The second one.
  case compareGreaterThan
}

/// Tells a time of a buffer.
public typealias CMBufferGetTimeHandler = (any CMBuffer) -> CMTime
/// Tells whether something is so of a buffer.
public typealias CMBufferGetBooleanHandler = (any CMBuffer) -> Bool
/// Tells which of two buffers is given away first.
public typealias CMBufferCompareHandler = (any CMBuffer, any CMBuffer) -> CFComparisonResult
/// Tells the size of a buffer in bytes.
public typealias CMBufferGetSizeHandler = (any CMBuffer) -> Int

extension CMBufferQueue {
  /// What a queue asks of its buffers.
  ///
  /// Unchecked because Apple's handlers need not be `Sendable`: nobody sets them again, and a queue calls them one
  /// at a time, while it is locked. A program that gives handlers with a state of its own to several queues, or
  /// calls them itself, guards that state.
  public struct Handlers: @unchecked Sendable {
    /// When a buffer is decoded; nil if nobody knows.
    public let getDecodeTimeStamp: CMBufferGetTimeHandler?
    /// When a buffer is shown or heard; nil if nobody knows.
    public let getPresentationTimeStamp: CMBufferGetTimeHandler?
    /// How long a buffer lasts; asked once, when the buffer comes.
    public let getDuration: CMBufferGetTimeHandler
    /// Whether a buffer's data are there; nil for always.
    public let isDataReady: CMBufferGetBooleanHandler?
    /// The order of buffers; nil for that in which they come.
    public let compare: CMBufferCompareHandler?
    /// The notification that tells that a buffer's data are there, of any object; nil for none.
    public let dataBecameReadyNotification: String?
    /// Bytes of a buffer; nil if nobody knows.
    public let getSize: CMBufferGetSizeHandler?

    /// What handlers are made with.
    public struct Builder {
      /// The notification that tells that a buffer's data are there; nil for none.
      public var dataBecameReadyNotification: String?
      fileprivate var decodeTime: CMBufferGetTimeHandler?
      fileprivate var presentationTime: CMBufferGetTimeHandler?
      fileprivate var duration: CMBufferGetTimeHandler?
      fileprivate var readiness: CMBufferGetBooleanHandler?
      fileprivate var order: CMBufferCompareHandler?
      fileprivate var size: CMBufferGetSizeHandler?

      /// Sets what tells when a buffer is decoded.
      public mutating func getDecodeTimeStamp(_ body: @escaping CMBufferGetTimeHandler) {
        decodeTime = body
      }
      /// Sets what tells when a buffer is shown or heard.
      public mutating func getPresentationTimeStamp(_ body: @escaping CMBufferGetTimeHandler) {
        presentationTime = body
      }
      /// Sets what tells how long a buffer lasts: 0 unless set.
      public mutating func getDuration(_ body: @escaping CMBufferGetTimeHandler) {
        duration = body
      }
      /// Sets what tells whether a buffer's data are there.
      public mutating func isDataReady(_ body: @escaping CMBufferGetBooleanHandler) {
        readiness = body
      }
      /// Sets the order of buffers.
      public mutating func compare(_ body: @escaping CMBufferCompareHandler) { order = body }
      /// Sets what tells the size of a buffer.
      public mutating func getSize(_ body: @escaping CMBufferGetSizeHandler) { size = body }
    }

    /// Handlers that a function sets.
    public init(withHandlers body: (inout Builder) -> Void) {
      var builder = Builder()
      body(&builder)
      self.init(builder)
    }

    private init(_ builder: Builder) {
      getDecodeTimeStamp = builder.decodeTime
      getPresentationTimeStamp = builder.presentationTime
      getDuration = builder.duration ?? { _ in .zero }
      isDataReady = builder.readiness
      compare = builder.order
      dataBecameReadyNotification = builder.dataBecameReadyNotification
      getSize = builder.size
    }

    /// The same handlers, but for those that a function sets.
    public func withHandlers(_ body: (inout Builder) -> Void) -> Handlers {
      var builder = Builder()
      builder.dataBecameReadyNotification = dataBecameReadyNotification
      builder.decodeTime = getDecodeTimeStamp
      builder.presentationTime = getPresentationTimeStamp
      builder.duration = getDuration
      builder.readiness = isDataReady
      builder.order = compare
      builder.size = getSize
      body(&builder)
      return Handlers(builder)
    }

    /// Samples in the order in which they come. A buffer that is no sample has no time, no length and no size.
    public static let unsortedSampleBuffers = Handlers {
      $0.getDecodeTimeStamp { ($0 as? CMSampleBuffer)?.decodeTimeStamp ?? .invalid }
      $0.getPresentationTimeStamp { ($0 as? CMSampleBuffer)?.presentationTimeStamp ?? .invalid }
      $0.getDuration { ($0 as? CMSampleBuffer)?.duration ?? .invalid }
      $0.isDataReady { ($0 as? CMSampleBuffer).map(CMSampleBufferDataIsReady) ?? true }
      $0.dataBecameReadyNotification = kCMSampleBufferNotification_DataBecameReady
      $0.getSize { ($0 as? CMSampleBuffer)?.totalSampleSize ?? 0 }
    }

    /// Samples in the order in which they are shown or heard.
    public static let outputPTSSortedSampleBuffers = unsortedSampleBuffers.withHandlers {
      $0.getPresentationTimeStamp {
        ($0 as? CMSampleBuffer)?.outputPresentationTimeStamp ?? .invalid
      }
      $0.compare { first, second in
        guard let first = first as? CMSampleBuffer, let second = second as? CMSampleBuffer else {
          return .compareEqualTo
        }
        return CFComparisonResult(
          rawValue: Int(
            CMTimeCompare(first.outputPresentationTimeStamp, second.outputPresentationTimeStamp)
              .signum())) ?? .compareEqualTo
      }
    }
  }
}
