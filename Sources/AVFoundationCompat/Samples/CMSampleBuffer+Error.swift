// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// There is no memory for a sample.
public let kCMSampleBufferError_AllocationFailed: OSStatus = -12730
/// A buffer has fewer samples.
public let kCMSampleBufferError_SampleIndexOutOfRange: OSStatus = -12734
/// Sizes of samples are not known.
public let kCMSampleBufferError_BufferHasNoSampleSizes: OSStatus = -12735
/// Times of samples are not known.
public let kCMSampleBufferError_BufferHasNoSampleTimingInfo: OSStatus = -12736
/// A sample cannot be made of a part of another one.
public let kCMSampleBufferError_CannotSubdivide: OSStatus = -12739
/// A time cannot be used.
public let kCMSampleBufferError_SampleTimingInfoInvalid: OSStatus = -12740
/// A call is for the other type of media.
public let kCMSampleBufferError_InvalidMediaTypeForOperation: OSStatus = -12741
/// Media are damaged.
public let kCMSampleBufferError_InvalidSampleData: OSStatus = -12742
/// A sample was given up.
public let kCMSampleBufferError_Invalidated: OSStatus = -12744
/// Media could not be made.
public let kCMSampleBufferError_DataFailed: OSStatus = -16750
/// Making media was cancelled.
public let kCMSampleBufferError_DataCanceled: OSStatus = -16751

extension SampleBuffer {
  /// Why a call on a sample fails, by Core Media's number.
  ///
  /// ``setOutputPresentationTimeStamp(newValue:)`` throws it. Others throw an ``AVError``; functions return the number.
  public struct Error: CoreMediaError {
    /// One of Apple's `kCMSampleBufferError_…`.
    public let status: OSStatus
    /// What failed, in one line.
    public let message: String

    private init(_ status: OSStatus, _ message: String) {
      (self.status, self.message) = (status, message)
    }

    /// There is no memory for a sample.
    public static let allocationFailed = Error(
      kCMSampleBufferError_AllocationFailed, "there is no memory for the sample")
    /// Something is missing that a sample cannot be without.
    public static let requiredParameterMissing = Error(
      kCMSampleBufferError_RequiredParameterMissing,
      "a sample needs media and a description, or has no place for what is to be set")
    /// A sample has its bytes already.
    public static let alreadyHasDataBuffer = Error(
      kCMSampleBufferError_AlreadyHasDataBuffer, "the sample already has a data buffer")
    /// The media are not there yet.
    public static let bufferNotReady = Error(
      kCMSampleBufferError_BufferNotReady, "the sample's media are yet to be set")
    /// A buffer has fewer samples.
    public static let sampleIndexOutOfRange = Error(
      kCMSampleBufferError_SampleIndexOutOfRange, "the buffer has no sample of this number")
    /// Sizes of samples are not known.
    public static let bufferHasNoSampleSizes = Error(
      kCMSampleBufferError_BufferHasNoSampleSizes, "the buffer does not know its samples' sizes")
    /// Times of samples are not known.
    public static let bufferHasNoSampleTimingInfo = Error(
      kCMSampleBufferError_BufferHasNoSampleTimingInfo,
      "the buffer does not know its samples' times")
    /// An array has another number of entries than a sample buffer here: one.
    public static let arrayTooSmall = Error(
      kCMSampleBufferError_ArrayTooSmall, "a sample buffer has one timing entry")
    /// Sizes and bytes do not agree.
    public static let invalidEntryCount = Error(
      kCMSampleBufferError_InvalidEntryCount, "the samples' sizes and the block's do not agree")
    /// A sample cannot be made of a part of another one.
    public static let cannotSubdivide = Error(
      kCMSampleBufferError_CannotSubdivide, "the sample cannot be divided")
    /// A time cannot be used.
    public static let sampleTimingInfoInvalid = Error(
      kCMSampleBufferError_SampleTimingInfoInvalid, "the sample's timing is not valid")
    /// A call is for the other type of media.
    public static let invalidMediaTypeForOperation = Error(
      kCMSampleBufferError_InvalidMediaTypeForOperation,
      "the call is for samples of another type of media")
    /// Media are damaged.
    public static let invalidSampleData = Error(
      kCMSampleBufferError_InvalidSampleData, "the sample's bytes are not valid")
    /// A sample cannot be made of what was given.
    public static let invalidMediaFormat = Error(
      kCMSampleBufferError_InvalidMediaFormat, "no sample is made of media of this format")
    /// A sample was given up.
    public static let invalidated = Error(
      kCMSampleBufferError_Invalidated, "the sample was invalidated")
    /// Media could not be made.
    public static let dataFailed = Error(
      kCMSampleBufferError_DataFailed, "the sample's media could not be made")
    /// Making media was cancelled.
    public static let dataCanceled = Error(
      kCMSampleBufferError_DataCanceled, "making the sample's media was cancelled")
  }
}
