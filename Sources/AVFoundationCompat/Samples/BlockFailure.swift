// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Success.
public let kCMBlockBufferNoErr: OSStatus = 0
/// Memory is exhausted, or the allocator does not allocate.
public let kCMBlockBufferBlockAllocationFailedErr: OSStatus = -12701
/// The custom source has an unsupported version, or a required function is missing.
public let kCMBlockBufferBadCustomBlockSourceErr: OSStatus = -12702
/// An offset is outside of the block.
public let kCMBlockBufferBadOffsetParameterErr: OSStatus = -12703
/// A length is out of range.
public let kCMBlockBufferBadLengthParameterErr: OSStatus = -12704
/// The block must not be empty.
public let kCMBlockBufferEmptyBBufErr: OSStatus = -12706

/// An error of a block buffer.
enum BlockFailure: Error {
  case noMemory
  case unusableSource
  case offset
  case length
  case empty

  /// Apple's status.
  var status: OSStatus {
    switch self {
    case .noMemory: kCMBlockBufferBlockAllocationFailedErr
    case .unusableSource: kCMBlockBufferBadCustomBlockSourceErr
    case .offset: kCMBlockBufferBadOffsetParameterErr
    case .length: kCMBlockBufferBadLengthParameterErr
    case .empty: kCMBlockBufferEmptyBBufErr
    }
  }

  /// The error for functions that throw.
  var error: AVError {
    switch self {
    case .noMemory: AVError(.outOfMemory, "there is no memory for the block buffer")
    case .unusableSource:
      AVError(.operationNotAllowed, "a block's custom source cannot be used: set its AllocateBlock")
    case .offset: AVError(.operationNotAllowed, "the offset is outside of the block buffer")
    case .length: AVError(.operationNotAllowed, "the length exceeds the block buffer")
    case .empty: AVError(.operationNotAllowed, "the block buffer to refer to is empty")
    }
  }

  /// The status that Apple's function returns.
  static func status(of call: () throws(BlockFailure) -> Void) -> OSStatus {
    do throws(BlockFailure) {
      try call()
      return kCMBlockBufferNoErr
    } catch { return error.status }
  }

  /// A call's result; its error is converted to an ``AVError``.
  static func rethrown<Result>(
    _ call: () throws(BlockFailure) -> Result
  ) throws(AVError) -> Result {
    do throws(BlockFailure) { return try call() } catch { throw error.error }
  }
}
