// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// How a block buffer is created.
public typealias CMBlockBufferFlags = UInt32
/// Allocate memory immediately. Always so here.
public let kCMBlockBufferAssureMemoryNowFlag: CMBlockBufferFlags = 1
/// Copy into a contiguous block even if the bytes are already contiguous.
public let kCMBlockBufferAlwaysCopyDataFlag: CMBlockBufferFlags = 2
/// Keep references to references. Here a block always refers to memory directly, which makes no difference to
/// programs.
public let kCMBlockBufferDontOptimizeDepthFlag: CMBlockBufferFlags = 4
/// Permit references to an empty block. What is appended to that block later is not seen.
public let kCMBlockBufferPermitEmptyReferenceFlag: CMBlockBufferFlags = 8

extension CMBlockBuffer {
  /// ``CMBlockBufferFlags`` as an option set.
  public struct Flags: OptionSet, Sendable {
    public let rawValue: CMBlockBufferFlags
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
