// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// Tells a time of a buffer.
public typealias CMBufferGetTimeCallback = (any CMBuffer, UnsafeMutableRawPointer?) -> CMTime
/// Tells whether something is so of a buffer.
public typealias CMBufferGetBooleanCallback = (any CMBuffer, UnsafeMutableRawPointer?) -> Bool
/// Tells which of two buffers is given away first.
public typealias CMBufferCompareCallback = (any CMBuffer, any CMBuffer, UnsafeMutableRawPointer?) ->
  CFComparisonResult
/// Tells the size of a buffer in bytes.
public typealias CMBufferGetSizeCallback = (any CMBuffer, UnsafeMutableRawPointer?) -> Int

/// What a queue asks of its buffers, as ``CMBufferQueue/Handlers``.
///
/// The callbacks are Swift's functions and not C's, which could not take a buffer.
public struct CMBufferCallbacks {
  /// 0, without `getSize`, or 1.
  public var version: UInt32
  /// Handed to all callbacks.
  public var refcon: UnsafeMutableRawPointer?
  /// When a buffer is decoded; nil if nobody knows.
  public var getDecodeTimeStamp: CMBufferGetTimeCallback?
  /// When a buffer is shown or heard; nil if nobody knows.
  public var getPresentationTimeStamp: CMBufferGetTimeCallback?
  /// How long a buffer lasts; asked once, when the buffer comes.
  public var getDuration: CMBufferGetTimeCallback
  /// Whether a buffer's data are there; nil for always.
  public var isDataReady: CMBufferGetBooleanCallback?
  /// The order of buffers; nil for that in which they come.
  public var compare: CMBufferCompareCallback?
  /// The notification that tells that a buffer's data are there; nil for none.
  public var dataBecameReadyNotification: CFString?
  /// Bytes of a buffer; nil if nobody knows.
  public var getSize: CMBufferGetSizeCallback?

  /// Callbacks from their parts.
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

  /// Handlers as callbacks that need no `refcon`.
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

/// What a queue asks of its buffers, as ``CMBufferQueue/Handlers``.
public struct CMBufferHandlers {
  /// 1.
  public var version: UInt32
  /// When a buffer is decoded; nil if nobody knows.
  public var getDecodeTimeStamp: CMBufferGetTimeHandler?
  /// When a buffer is shown or heard; nil if nobody knows.
  public var getPresentationTimeStamp: CMBufferGetTimeHandler?
  /// How long a buffer lasts; asked once, when the buffer comes.
  public var getDuration: CMBufferGetTimeHandler
  /// Whether a buffer's data are there; nil for always.
  public var isDataReady: CMBufferGetBooleanHandler?
  /// The order of buffers; nil for that in which they come.
  public var compare: CMBufferCompareHandler?
  /// The notification that tells that a buffer's data are there; nil for none.
  public var dataBecameReadyNotification: CFString?
  /// Bytes of a buffer; nil if nobody knows.
  public var getSize: CMBufferGetSizeHandler?

  /// Handlers from their parts.
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
  /// A program's callbacks; those of version 0 have no `getSize`.
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

  /// A program's handlers.
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

  /// Callbacks at an address that is good for as long as the program runs.
  private static func address(of handlers: Self) -> UnsafePointer<CMBufferCallbacks> {
    let memory = UnsafeMutablePointer<CMBufferCallbacks>.allocate(capacity: 1)
    memory.initialize(to: CMBufferCallbacks(handlers))
    return UnsafePointer(memory)
  }

  // Written once, before anybody has the address.
  nonisolated(unsafe) fileprivate static let unsortedAddress = address(of: .unsortedSampleBuffers)
  nonisolated(unsafe) fileprivate static let sortedAddress = address(
    of: .outputPTSSortedSampleBuffers)
}

/// Callbacks for samples in the order in which they come; the address is good for as long as the program runs.
public func CMBufferQueueGetCallbacksForUnsortedSampleBuffers() -> UnsafePointer<CMBufferCallbacks>
{ CMBufferQueue.Handlers.unsortedAddress }

/// Callbacks for samples in the order in which they are shown or heard; the address is good for as long as the
/// program runs.
public func CMBufferQueueGetCallbacksForSampleBuffersSortedByOutputPTS() -> UnsafePointer<
  CMBufferCallbacks
> { CMBufferQueue.Handlers.sortedAddress }
