// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The only version of a custom source.
public let kCMBlockBufferCustomBlockSourceVersion: UInt32 = 0

/// A program's functions that allocate and free the memory of a block.
public struct CMBlockBufferCustomBlockSource {
  /// ``kCMBlockBufferCustomBlockSourceVersion``.
  public var version: UInt32
  /// Returns memory of a size in bytes, or nil; not called for existing memory.
  public var AllocateBlock:
    (@convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer?)?
  /// Frees memory of a size in bytes. Called once, on the thread that releases the last reference. Nil leaves the
  /// memory to the program.
  public var FreeBlock:
    (@convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer, Int) -> Void)?
  /// Passed to both functions.
  public var refCon: UnsafeMutableRawPointer?

  /// A source without functions.
  public init() {
    self.init(
      version: kCMBlockBufferCustomBlockSourceVersion, AllocateBlock: nil, FreeBlock: nil,
      refCon: nil)
  }

  public init(
    version: UInt32,
    AllocateBlock: (@convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer?)?,
    FreeBlock: (@convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer, Int) -> Void)?,
    refCon: UnsafeMutableRawPointer?
  ) {
    self.version = version
    self.AllocateBlock = AllocateBlock
    self.FreeBlock = FreeBlock
    self.refCon = refCon
  }
}
