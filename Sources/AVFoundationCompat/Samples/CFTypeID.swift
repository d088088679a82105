// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Stands for Core Foundation's type ID. It is constant while the program runs.
public typealias CFTypeID = UInt

/// The types with an ID.
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

/// The type ID of a value; 0 for a type without one.
public func CFGetTypeID(_ cf: CFTypeRef) -> CFTypeID { NumberedType(of: cf)?.rawValue ?? 0 }

public func CVPixelBufferGetTypeID() -> CFTypeID { NumberedType.pixelBuffer.rawValue }
public func CVPixelBufferPoolGetTypeID() -> CFTypeID { NumberedType.pixelBufferPool.rawValue }
public func CMSampleBufferGetTypeID() -> CFTypeID { NumberedType.sampleBuffer.rawValue }
public func CMBlockBufferGetTypeID() -> CFTypeID { NumberedType.blockBuffer.rawValue }
public func CMFormatDescriptionGetTypeID() -> CFTypeID { NumberedType.formatDescription.rawValue }
public func CMBufferQueueGetTypeID() -> CFTypeID { NumberedType.bufferQueue.rawValue }
public func CMClockGetTypeID() -> CFTypeID { NumberedType.clock.rawValue }
public func CMTimebaseGetTypeID() -> CFTypeID { NumberedType.timebase.rawValue }
public func CMMemoryPoolGetTypeID() -> CFTypeID { NumberedType.memoryPool.rawValue }
public func VTCompressionSessionGetTypeID() -> CFTypeID {
  NumberedType.compressionSession.rawValue
}
public func VTDecompressionSessionGetTypeID() -> CFTypeID {
  NumberedType.decompressionSession.rawValue
}
public func VTPixelTransferSessionGetTypeID() -> CFTypeID {
  NumberedType.pixelTransferSession.rawValue
}
public func CGImageSourceGetTypeID() -> CFTypeID { NumberedType.imageSource.rawValue }
public func CGImageDestinationGetTypeID() -> CFTypeID { NumberedType.imageDestination.rawValue }

extension CGImage {
  public static var typeID: CFTypeID { NumberedType.image.rawValue }
}
