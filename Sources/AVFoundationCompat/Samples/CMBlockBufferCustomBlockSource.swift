// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The version of a source.
public let kCMBlockBufferCustomBlockSourceVersion: UInt32 = 0

/// A program's own functions that give out the memory of a block, and take it back.
public struct CMBlockBufferCustomBlockSource {
  /// ``kCMBlockBufferCustomBlockSourceVersion``.
  public var version: UInt32
  /// Gives out memory of a size in bytes, or nil; not called for memory that is handed over.
  public var AllocateBlock:
    (@convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer?)?
  /// Takes memory back, with its size in bytes: once, on the thread that lets go of the memory last. Nil
  /// leaves it to the program.
  public var FreeBlock:
    (@convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer, Int) -> Void)?
  /// Handed to both.
  public var refCon: UnsafeMutableRawPointer?

  /// A source without functions.
  public init() {
    self.init(
      version: kCMBlockBufferCustomBlockSourceVersion, AllocateBlock: nil, FreeBlock: nil,
      refCon: nil)
  }

  /// A source from its parts.
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
