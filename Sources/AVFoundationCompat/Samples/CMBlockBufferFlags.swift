// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// How a block of bytes is made.
public typealias CMBlockBufferFlags = UInt32
/// Memory is wanted at once: so it always is here.
public let kCMBlockBufferAssureMemoryNowFlag: CMBlockBufferFlags = 1
/// A contiguous block is a copy, also where the bytes lie together as they are.
public let kCMBlockBufferAlwaysCopyDataFlag: CMBlockBufferFlags = 2
/// References to references are kept: here a block always refers to memory itself, which makes no
/// difference to a program.
public let kCMBlockBufferDontOptimizeDepthFlag: CMBlockBufferFlags = 4
/// A block that is empty may be referred to. What is added to it later is not seen.
public let kCMBlockBufferPermitEmptyReferenceFlag: CMBlockBufferFlags = 8

extension CMBlockBuffer {
  /// ``CMBlockBufferFlags`` by their Swift names.
  public struct Flags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: CMBlockBufferFlags
    /// Flags from their bits.
    public init(rawValue: CMBlockBufferFlags) { self.rawValue = rawValue }
    /// See ``kCMBlockBufferAssureMemoryNowFlag``.
    public static let assureMemoryNow = Flags(rawValue: kCMBlockBufferAssureMemoryNowFlag)
    /// See ``kCMBlockBufferAlwaysCopyDataFlag``.
    public static let alwaysCopyData = Flags(rawValue: kCMBlockBufferAlwaysCopyDataFlag)
    /// See ``kCMBlockBufferDontOptimizeDepthFlag``.
    public static let dontOptimizeDepth = Flags(rawValue: kCMBlockBufferDontOptimizeDepthFlag)
    /// See ``kCMBlockBufferPermitEmptyReferenceFlag``.
    public static let permitEmptyReference = Flags(
      rawValue: kCMBlockBufferPermitEmptyReferenceFlag)
  }
}
