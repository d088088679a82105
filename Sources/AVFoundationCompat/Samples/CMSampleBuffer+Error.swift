// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// The sample could not be allocated.
public let kCMSampleBufferError_AllocationFailed: OSStatus = -12730
/// The sample index is out of range.
public let kCMSampleBufferError_SampleIndexOutOfRange: OSStatus = -12734
/// The sizes of the samples are unknown.
public let kCMSampleBufferError_BufferHasNoSampleSizes: OSStatus = -12735
/// The timing of the samples is unknown.
public let kCMSampleBufferError_BufferHasNoSampleTimingInfo: OSStatus = -12736
/// The sample cannot be divided.
public let kCMSampleBufferError_CannotSubdivide: OSStatus = -12739
/// The timing is invalid.
public let kCMSampleBufferError_SampleTimingInfoInvalid: OSStatus = -12740
/// The function is for another media type.
public let kCMSampleBufferError_InvalidMediaTypeForOperation: OSStatus = -12741
/// The media data are damaged.
public let kCMSampleBufferError_InvalidSampleData: OSStatus = -12742
/// The sample was invalidated.
public let kCMSampleBufferError_Invalidated: OSStatus = -12744
/// The media data could not be made.
public let kCMSampleBufferError_DataFailed: OSStatus = -16750
/// Making the media data was cancelled.
public let kCMSampleBufferError_DataCanceled: OSStatus = -16751

extension SampleBuffer {
  /// An error of a sample buffer, with Core Media's status code.
  ///
  /// Only a few methods throw it, such as ``setOutputPresentationTimeStamp(newValue:)``. Others throw an ``AVError``;
  /// functions return the status.
  public struct Error: CoreMediaError {
    /// One of Apple's `kCMSampleBufferError_…`.
    public let status: OSStatus
    /// What failed, in one line.
    public let message: String

    private init(_ status: OSStatus, _ message: String) {
      (self.status, self.message) = (status, message)
    }

    public static let allocationFailed = Error(
      kCMSampleBufferError_AllocationFailed, "there is no memory for the sample")
    /// A required argument is missing.
    public static let requiredParameterMissing = Error(
      kCMSampleBufferError_RequiredParameterMissing,
      "a sample needs media and a description, or cannot store what is set")
    /// The sample already has its bytes.
    public static let alreadyHasDataBuffer = Error(
      kCMSampleBufferError_AlreadyHasDataBuffer, "the sample already has a data buffer")
    /// The media data were not set yet.
    public static let bufferNotReady = Error(
      kCMSampleBufferError_BufferNotReady, "the sample's media were not set yet")
    /// The sample index is out of range.
    public static let sampleIndexOutOfRange = Error(
      kCMSampleBufferError_SampleIndexOutOfRange, "the buffer has no sample at this index")
    /// The sizes of the samples are unknown.
    public static let bufferHasNoSampleSizes = Error(
      kCMSampleBufferError_BufferHasNoSampleSizes, "the sizes of the buffer's samples are unknown")
    /// The timing of the samples is unknown.
    public static let bufferHasNoSampleTimingInfo = Error(
      kCMSampleBufferError_BufferHasNoSampleTimingInfo,
      "the timing of the buffer's samples is unknown")
    /// The number of entries is not 1, that of a sample buffer here.
    public static let arrayTooSmall = Error(
      kCMSampleBufferError_ArrayTooSmall, "a sample buffer has one timing entry")
    /// The sizes of samples and data differ.
    public static let invalidEntryCount = Error(
      kCMSampleBufferError_InvalidEntryCount,
      "the samples' sizes do not match the size of the block")
    /// The sample cannot be divided.
    public static let cannotSubdivide = Error(
      kCMSampleBufferError_CannotSubdivide, "the sample cannot be divided")
    /// The timing is invalid.
    public static let sampleTimingInfoInvalid = Error(
      kCMSampleBufferError_SampleTimingInfoInvalid, "the sample's timing is invalid")
    /// The function is for another media type.
    public static let invalidMediaTypeForOperation = Error(
      kCMSampleBufferError_InvalidMediaTypeForOperation,
      "the call is for samples of another type of media")
    /// The media data are damaged.
    public static let invalidSampleData = Error(
      kCMSampleBufferError_InvalidSampleData, "the sample's bytes are invalid")
    /// A sample cannot be made of media in this format.
    public static let invalidMediaFormat = Error(
      kCMSampleBufferError_InvalidMediaFormat, "a sample cannot be made of media in this format")
    /// The sample was invalidated.
    public static let invalidated = Error(
      kCMSampleBufferError_Invalidated, "the sample was invalidated")
    /// The media data could not be made.
    public static let dataFailed = Error(
      kCMSampleBufferError_DataFailed, "the sample's media could not be made")
    /// Making the media data was cancelled.
    public static let dataCanceled = Error(
      kCMSampleBufferError_DataCanceled, "making the sample's media was cancelled")
  }
}
