// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// All well.
public let kCMBlockBufferNoErr: OSStatus = 0
/// There is no memory for a block, or its allocator gives out none.
public let kCMBlockBufferBlockAllocationFailedErr: OSStatus = -12701
/// A custom source is of another version, or lacks the function that is needed.
public let kCMBlockBufferBadCustomBlockSourceErr: OSStatus = -12702
/// A place lies outside of a block.
public let kCMBlockBufferBadOffsetParameterErr: OSStatus = -12703
/// A length is out of its range.
public let kCMBlockBufferBadLengthParameterErr: OSStatus = -12704
/// A block that has to have bytes has none.
public let kCMBlockBufferEmptyBBufErr: OSStatus = -12706

/// Why a call on a block of bytes fails.
enum BlockFailure: Error {
  case noMemory
  case unusableSource
  case offset
  case length
  case empty

  /// Apple's number.
  var status: OSStatus {
    switch self {
    case .noMemory: kCMBlockBufferBlockAllocationFailedErr
    case .unusableSource: kCMBlockBufferBadCustomBlockSourceErr
    case .offset: kCMBlockBufferBadOffsetParameterErr
    case .length: kCMBlockBufferBadLengthParameterErr
    case .empty: kCMBlockBufferEmptyBBufErr
    }
  }

  /// For calls that throw.
  var error: AVError {
    switch self {
    case .noMemory: AVError(.outOfMemory, "there is no memory for the block of bytes")
    case .unusableSource:
      AVError(.operationNotAllowed, "a block's custom source cannot be used: give it AllocateBlock")
    case .offset: AVError(.operationNotAllowed, "the place lies outside of the block of bytes")
    case .length: AVError(.operationNotAllowed, "the length does not fit the block of bytes")
    case .empty: AVError(.operationNotAllowed, "the block of bytes to refer to is empty")
    }
  }

  /// What Apple's call returns.
  static func status(of call: () throws(BlockFailure) -> Void) -> OSStatus {
    do throws(BlockFailure) {
      try call()
      return kCMBlockBufferNoErr
    } catch { return error.status }
  }

  /// A call's result, or the error that programs are thrown.
  static func rethrown<Result>(
    _ call: () throws(BlockFailure) -> Result
  ) throws(AVError) -> Result {
    do throws(BlockFailure) { return try call() } catch { throw error.error }
  }
}
