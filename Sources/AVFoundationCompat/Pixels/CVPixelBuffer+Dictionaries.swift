public import Foundation
public import MediaCore

// Programs write `as NSDictionary` where Core Foundation's type is asked for, which is Swift's own here.

/// As the other one, for Foundation's dictionaries.
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

/// As the other one, for Foundation's dictionaries.
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

/// As the other one, for Foundation's dictionaries.
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
  /// Entries whose keys are text; others are ignored, as keys that nobody knows are.
  init(_ dictionary: NSDictionary) {
    self = [:]
    for (key, value) in dictionary {
      if let key = key as? String { self[key] = value }
    }
  }
}
