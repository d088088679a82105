public import Foundation
public import MediaCore

// For programs that cast to `NSDictionary` where Apple's functions take a Core Foundation type, which is a Swift type
// here.

/// The same function for a Foundation dictionary.
@_disfavoredOverload
@discardableResult
public func CVPixelBufferCreate(
  _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
  _ pixelBufferAttributes: NSDictionary?,
  _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  CVPixelBufferCreate(
    allocator, width, height, pixelFormatType, pixelBufferAttributes.map(CFDictionary.init),
    pixelBufferOut)
}

/// The same function for Foundation dictionaries.
@_disfavoredOverload
@discardableResult
public func CVPixelBufferPoolCreate(
  _ allocator: CFAllocator?, _ poolAttributes: NSDictionary?,
  _ pixelBufferAttributes: NSDictionary?, _ poolOut: UnsafeMutablePointer<CVPixelBufferPool?>
) -> CVReturn {
  CVPixelBufferPoolCreate(
    allocator, poolAttributes.map(CFDictionary.init), pixelBufferAttributes.map(CFDictionary.init),
    poolOut)
}

/// The same function for a Foundation dictionary.
@_disfavoredOverload
@discardableResult
public func CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(
  _ allocator: CFAllocator?, _ pixelBufferPool: CVPixelBufferPool,
  _ auxAttributes: NSDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(
    allocator, pixelBufferPool, auxAttributes.map(CFDictionary.init), pixelBufferOut)
}

extension CFDictionary {
  /// The entries with string keys; others are ignored, like unknown keys.
  init(_ dictionary: NSDictionary) {
    self = [:]
    for (key, value) in dictionary {
      if let key = key as? String { self[key] = value }
    }
  }
}
