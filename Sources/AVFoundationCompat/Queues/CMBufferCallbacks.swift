// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// Returns a time of a buffer.
public typealias CMBufferGetTimeCallback = (any CMBuffer, UnsafeMutableRawPointer?) -> CMTime
/// Returns a property of a buffer that is true or false.
public typealias CMBufferGetBooleanCallback = (any CMBuffer, UnsafeMutableRawPointer?) -> Bool
/// Returns which of two buffers is dequeued first.
public typealias CMBufferCompareCallback = (any CMBuffer, any CMBuffer, UnsafeMutableRawPointer?) ->
  CFComparisonResult
/// Returns the size of a buffer in bytes.
public typealias CMBufferGetSizeCallback = (any CMBuffer, UnsafeMutableRawPointer?) -> Int

/// A queue's callbacks for its buffers, like ``CMBufferQueue/Handlers``.
///
/// They are Swift functions, because C functions could not take a buffer.
public struct CMBufferCallbacks {
  /// 0, without `getSize`, or 1.
  public var version: UInt32
  /// Passed to all callbacks.
  public var refcon: UnsafeMutableRawPointer?
  /// The decode time of a buffer; nil if unknown.
  public var getDecodeTimeStamp: CMBufferGetTimeCallback?
  /// The presentation time of a buffer; nil if unknown.
  public var getPresentationTimeStamp: CMBufferGetTimeCallback?
  /// The duration of a buffer; called once, when it is enqueued.
  public var getDuration: CMBufferGetTimeCallback
  /// Whether a buffer's data are ready; nil for always.
  public var isDataReady: CMBufferGetBooleanCallback?
  /// The order of buffers; nil for first in, first out.
  public var compare: CMBufferCompareCallback?
  /// The notification that a buffer's data became ready; nil for none.
  public var dataBecameReadyNotification: CFString?
  /// The size of a buffer in bytes; nil if unknown.
  public var getSize: CMBufferGetSizeCallback?

  public init(
    version: UInt32, refcon: UnsafeMutableRawPointer?,
    getDecodeTimeStamp: CMBufferGetTimeCallback?,
    getPresentationTimeStamp: CMBufferGetTimeCallback?,
    getDuration: @escaping CMBufferGetTimeCallback, isDataReady: CMBufferGetBooleanCallback?,
    compare: CMBufferCompareCallback?, dataBecameReadyNotification: CFString?,
    getSize: CMBufferGetSizeCallback?
  ) {
    self.version = version
    self.refcon = refcon
    self.getDecodeTimeStamp = getDecodeTimeStamp
    self.getPresentationTimeStamp = getPresentationTimeStamp
    self.getDuration = getDuration
    self.isDataReady = isDataReady
    self.compare = compare
    self.dataBecameReadyNotification = dataBecameReadyNotification
    self.getSize = getSize
  }

  /// Callbacks that call handlers and need no `refcon`.
  fileprivate init(_ handlers: CMBufferQueue.Handlers) {
    self.init(
      version: 1, refcon: nil,
      getDecodeTimeStamp: handlers.getDecodeTimeStamp.map { body in { buffer, _ in body(buffer) } },
      getPresentationTimeStamp: handlers.getPresentationTimeStamp.map { body in
        { buffer, _ in body(buffer) }
      },
      getDuration: { buffer, _ in handlers.getDuration(buffer) },
      isDataReady: handlers.isDataReady.map { body in { buffer, _ in body(buffer) } },
      compare: handlers.compare.map { body in { first, second, _ in body(first, second) } },
      dataBecameReadyNotification: handlers.dataBecameReadyNotification,
      getSize: handlers.getSize.map { body in { buffer, _ in body(buffer) } })
  }
}

/// A queue's handlers for its buffers, like ``CMBufferQueue/Handlers``.
public struct CMBufferHandlers {
  /// Must be 1.
  public var version: UInt32
  /// The decode time of a buffer; nil if unknown.
  public var getDecodeTimeStamp: CMBufferGetTimeHandler?
  /// The presentation time of a buffer; nil if unknown.
  public var getPresentationTimeStamp: CMBufferGetTimeHandler?
  /// The duration of a buffer; called once, when it is enqueued.
  public var getDuration: CMBufferGetTimeHandler
  /// Whether a buffer's data are ready; nil for always.
  public var isDataReady: CMBufferGetBooleanHandler?
  /// The order of buffers; nil for first in, first out.
  public var compare: CMBufferCompareHandler?
  /// The notification that a buffer's data became ready; nil for none.
  public var dataBecameReadyNotification: CFString?
  /// The size of a buffer in bytes; nil if unknown.
  public var getSize: CMBufferGetSizeHandler?

  public init(
    version: UInt32, getDecodeTimeStamp: CMBufferGetTimeHandler?,
    getPresentationTimeStamp: CMBufferGetTimeHandler?,
    getDuration: @escaping CMBufferGetTimeHandler, isDataReady: CMBufferGetBooleanHandler?,
    compare: CMBufferCompareHandler?, dataBecameReadyNotification: CFString?,
    getSize: CMBufferGetSizeHandler?
  ) {
    self.version = version
    self.getDecodeTimeStamp = getDecodeTimeStamp
    self.getPresentationTimeStamp = getPresentationTimeStamp
    self.getDuration = getDuration
    self.isDataReady = isDataReady
    self.compare = compare
    self.dataBecameReadyNotification = dataBecameReadyNotification
    self.getSize = getSize
  }
}

extension CMBufferQueue.Handlers {
  /// Handlers that call callbacks; version 0 has no `getSize`.
  init(_ callbacks: CMBufferCallbacks) throws(CMBufferQueue.Error) {
    guard callbacks.version <= 1 else { throw .invalidCMBufferCallbacksStruct }
    let refcon = callbacks.refcon
    self.init { builder in
      builder.dataBecameReadyNotification = callbacks.dataBecameReadyNotification
      if let body = callbacks.getDecodeTimeStamp {
        builder.getDecodeTimeStamp { body($0, refcon) }
      }
      if let body = callbacks.getPresentationTimeStamp {
        builder.getPresentationTimeStamp { body($0, refcon) }
      }
      builder.getDuration { callbacks.getDuration($0, refcon) }
      if let body = callbacks.isDataReady { builder.isDataReady { body($0, refcon) } }
      if let body = callbacks.compare { builder.compare { body($0, $1, refcon) } }
      if callbacks.version == 1, let body = callbacks.getSize {
        builder.getSize { body($0, refcon) }
      }
    }
  }

  init(_ handlers: CMBufferHandlers) throws(CMBufferQueue.Error) {
    guard handlers.version == 1 else { throw .invalidCMBufferCallbacksStruct }
    self.init { builder in
      builder.dataBecameReadyNotification = handlers.dataBecameReadyNotification
      if let body = handlers.getDecodeTimeStamp { builder.getDecodeTimeStamp(body) }
      if let body = handlers.getPresentationTimeStamp { builder.getPresentationTimeStamp(body) }
      builder.getDuration(handlers.getDuration)
      if let body = handlers.isDataReady { builder.isDataReady(body) }
      if let body = handlers.compare { builder.compare(body) }
      if let body = handlers.getSize { builder.getSize(body) }
    }
  }

  /// Callbacks at an address that is never freed.
  private static func address(of handlers: Self) -> UnsafePointer<CMBufferCallbacks> {
    let memory = UnsafeMutablePointer<CMBufferCallbacks>.allocate(capacity: 1)
    memory.initialize(to: CMBufferCallbacks(handlers))
    return UnsafePointer(memory)
  }

  // Written once, before the address is passed on.
  nonisolated(unsafe) fileprivate static let unsortedAddress = address(of: .unsortedSampleBuffers)
  nonisolated(unsafe) fileprivate static let sortedAddress = address(
    of: .outputPTSSortedSampleBuffers)
}

/// Callbacks for first-in, first-out samples. The address is never freed.
public func CMBufferQueueGetCallbacksForUnsortedSampleBuffers() -> UnsafePointer<CMBufferCallbacks>
{ CMBufferQueue.Handlers.unsortedAddress }

/// Callbacks for samples sorted by output presentation time. The address is never freed.
public func CMBufferQueueGetCallbacksForSampleBuffersSortedByOutputPTS() -> UnsafePointer<
  CMBufferCallbacks
> { CMBufferQueue.Handlers.sortedAddress }
