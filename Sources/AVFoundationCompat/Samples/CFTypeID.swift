// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Stands where Core Foundation's number of a type does: a number for as long as the program runs.
public typealias CFTypeID = UInt

/// The types that have numbers.
private enum NumberedType: CFTypeID {
  case pixelBuffer = 1
  case pixelBufferPool
  case sampleBuffer
  case blockBuffer
  case formatDescription
  case bufferQueue
  case clock
  case timebase
  case memoryPool
  case compressionSession
  case decompressionSession
  case pixelTransferSession
  case image
  case imageSource
  case imageDestination

  init?(of value: CFTypeRef) {
    switch value {
    case is CVPixelBuffer: self = .pixelBuffer
    case is CVPixelBufferPool: self = .pixelBufferPool
    case is CMSampleBuffer: self = .sampleBuffer
    case is CMBlockBuffer: self = .blockBuffer
    case is CMFormatDescription: self = .formatDescription
    case is CMBufferQueue: self = .bufferQueue
    case is CMClock: self = .clock
    case is CMTimebase: self = .timebase
    case is CMMemoryPool: self = .memoryPool
    case is VTCompressionSession: self = .compressionSession
    case is VTDecompressionSession: self = .decompressionSession
    case is VTPixelTransferSession: self = .pixelTransferSession
    case is CGImage: self = .image
    case is CGImageSource: self = .imageSource
    case is CGImageDestination: self = .imageDestination
    default: return nil
    }
  }
}

/// The number of a value's type; 0 for a type of which no function here tells the number.
public func CFGetTypeID(_ cf: CFTypeRef) -> CFTypeID { NumberedType(of: cf)?.rawValue ?? 0 }

/// The number of pictures.
public func CVPixelBufferGetTypeID() -> CFTypeID { NumberedType.pixelBuffer.rawValue }
/// The number of pools of pictures.
public func CVPixelBufferPoolGetTypeID() -> CFTypeID { NumberedType.pixelBufferPool.rawValue }
/// The number of samples.
public func CMSampleBufferGetTypeID() -> CFTypeID { NumberedType.sampleBuffer.rawValue }
/// The number of blocks of bytes.
public func CMBlockBufferGetTypeID() -> CFTypeID { NumberedType.blockBuffer.rawValue }
/// The number of format descriptions.
public func CMFormatDescriptionGetTypeID() -> CFTypeID { NumberedType.formatDescription.rawValue }
/// The number of queues of buffers.
public func CMBufferQueueGetTypeID() -> CFTypeID { NumberedType.bufferQueue.rawValue }
/// The number of clocks.
public func CMClockGetTypeID() -> CFTypeID { NumberedType.clock.rawValue }
/// The number of timebases.
public func CMTimebaseGetTypeID() -> CFTypeID { NumberedType.timebase.rawValue }
/// The number of pools of memory.
public func CMMemoryPoolGetTypeID() -> CFTypeID { NumberedType.memoryPool.rawValue }
/// The number of compression sessions.
public func VTCompressionSessionGetTypeID() -> CFTypeID {
  NumberedType.compressionSession.rawValue
}
/// The number of decompression sessions.
public func VTDecompressionSessionGetTypeID() -> CFTypeID {
  NumberedType.decompressionSession.rawValue
}
/// The number of sessions that transfer pictures.
public func VTPixelTransferSessionGetTypeID() -> CFTypeID {
  NumberedType.pixelTransferSession.rawValue
}
/// The number of sources of pictures.
public func CGImageSourceGetTypeID() -> CFTypeID { NumberedType.imageSource.rawValue }
/// The number of destinations of pictures.
public func CGImageDestinationGetTypeID() -> CFTypeID { NumberedType.imageDestination.rawValue }

extension CGImage {
  /// The number of pictures in memory.
  public static var typeID: CFTypeID { NumberedType.image.rawValue }
}
