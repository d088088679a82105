// swift-format-ignore-file: AlwaysUseLowerCamelCase

import MediaCore

/// The order of two values.
public enum CFComparisonResult: Int, Sendable, Hashable {
  /// The first value is less.
  case compareLessThan = -1
  /// The values are equal.
  case compareEqualTo
  /// The first value is greater.
  case compareGreaterThan
}

/// Returns a time of a buffer.
public typealias CMBufferGetTimeHandler = (any CMBuffer) -> CMTime
/// Returns a property of a buffer that is true or false.
public typealias CMBufferGetBooleanHandler = (any CMBuffer) -> Bool
/// Returns which of two buffers is dequeued first.
public typealias CMBufferCompareHandler = (any CMBuffer, any CMBuffer) -> CFComparisonResult
/// Returns the size of a buffer in bytes.
public typealias CMBufferGetSizeHandler = (any CMBuffer) -> Int

extension CMBufferQueue {
  /// A queue's handlers for its buffers.
  ///
  /// Unchecked: Apple's handlers need not be `Sendable`. They are never reassigned, and a queue calls them one at a
  /// time, while it is locked. A program that passes handlers with shared state to several queues, or calls them
  /// itself, must protect that state.
  public struct Handlers: @unchecked Sendable {
    /// The decode time of a buffer; nil if unknown.
    public let getDecodeTimeStamp: CMBufferGetTimeHandler?
    /// The presentation time of a buffer; nil if unknown.
    public let getPresentationTimeStamp: CMBufferGetTimeHandler?
    /// The duration of a buffer; called once, when it is enqueued.
    public let getDuration: CMBufferGetTimeHandler
    /// Whether a buffer's data are ready; nil for always.
    public let isDataReady: CMBufferGetBooleanHandler?
    /// The order of buffers; nil for first in, first out.
    public let compare: CMBufferCompareHandler?
    /// The notification, from any object, that a buffer's data became ready; nil for none.
    public let dataBecameReadyNotification: String?
    /// The size of a buffer in bytes; nil if unknown.
    public let getSize: CMBufferGetSizeHandler?

    /// Sets handlers.
    public struct Builder {
      /// The notification that a buffer's data became ready; nil for none.
      public var dataBecameReadyNotification: String?
      fileprivate var decodeTime: CMBufferGetTimeHandler?
      fileprivate var presentationTime: CMBufferGetTimeHandler?
      fileprivate var duration: CMBufferGetTimeHandler?
      fileprivate var readiness: CMBufferGetBooleanHandler?
      fileprivate var order: CMBufferCompareHandler?
      fileprivate var size: CMBufferGetSizeHandler?

      /// Sets the handler for the decode time.
      public mutating func getDecodeTimeStamp(_ body: @escaping CMBufferGetTimeHandler) {
        decodeTime = body
      }
      /// Sets the handler for the presentation time.
      public mutating func getPresentationTimeStamp(_ body: @escaping CMBufferGetTimeHandler) {
        presentationTime = body
      }
      /// Sets the handler for the duration, which is 0 without one.
      public mutating func getDuration(_ body: @escaping CMBufferGetTimeHandler) {
        duration = body
      }
      /// Sets the handler for data readiness.
      public mutating func isDataReady(_ body: @escaping CMBufferGetBooleanHandler) {
        readiness = body
      }
      /// Sets the comparison that orders buffers.
      public mutating func compare(_ body: @escaping CMBufferCompareHandler) { order = body }
      /// Sets the handler for the size.
      public mutating func getSize(_ body: @escaping CMBufferGetSizeHandler) { size = body }
    }

    /// Handlers set by a function.
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

    /// A copy with the handlers that a function sets.
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

    /// Handlers for first-in, first-out samples. Buffers of other types have no times, duration or size.
    public static let unsortedSampleBuffers = Handlers {
      $0.getDecodeTimeStamp { ($0 as? CMSampleBuffer)?.decodeTimeStamp ?? .invalid }
      $0.getPresentationTimeStamp { ($0 as? CMSampleBuffer)?.presentationTimeStamp ?? .invalid }
      $0.getDuration { ($0 as? CMSampleBuffer)?.duration ?? .invalid }
      $0.isDataReady { ($0 as? CMSampleBuffer).map(CMSampleBufferDataIsReady) ?? true }
      $0.dataBecameReadyNotification = kCMSampleBufferNotification_DataBecameReady
      $0.getSize { ($0 as? CMSampleBuffer)?.totalSampleSize ?? 0 }
    }

    /// Handlers for samples sorted by output presentation time.
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
