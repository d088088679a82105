public import MediaCore

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
    public static let allocationFailed = Error(-12730, "there is no memory for the sample")
    /// Something is missing that a sample cannot be without.
    public static let requiredParameterMissing = Error(
      kCMSampleBufferError_RequiredParameterMissing,
      "a sample needs media and a description, or has no place for what is to be set")
    /// A sample has its bytes already.
    public static let alreadyHasDataBuffer = Error(
      kCMSampleBufferError_AlreadyHasDataBuffer, "the sample has its bytes already")
    /// The media are not there yet.
    public static let bufferNotReady = Error(-12733, "the sample's media are yet to be set")
    /// A buffer has fewer samples.
    public static let sampleIndexOutOfRange = Error(
      -12734, "the buffer has no sample of this number")
    /// Sizes of samples are not known.
    public static let bufferHasNoSampleSizes = Error(
      -12735, "the buffer does not know its samples' sizes")
    /// Times of samples are not known.
    public static let bufferHasNoSampleTimingInfo = Error(
      -12736, "the buffer does not know its samples' times")
    /// An array has another number of entries than a sample buffer here: one.
    public static let arrayTooSmall = Error(
      kCMSampleBufferError_ArrayTooSmall, "a sample buffer has one timing entry")
    /// Sizes and bytes do not agree.
    public static let invalidEntryCount = Error(
      kCMSampleBufferError_InvalidEntryCount, "the samples' sizes and the block's do not agree")
    /// A sample cannot be made of a part of another one.
    public static let cannotSubdivide = Error(-12739, "the sample cannot be divided")
    /// A time cannot be used.
    public static let sampleTimingInfoInvalid = Error(-12740, "the sample's timing is not valid")
    /// A call is for the other type of media.
    public static let invalidMediaTypeForOperation = Error(
      -12741, "the call is for samples of another type of media")
    /// Media are damaged.
    public static let invalidSampleData = Error(-12742, "the sample's bytes are not valid")
    /// A sample cannot be made of what was given.
    public static let invalidMediaFormat = Error(
      kCMSampleBufferError_InvalidMediaFormat, "no sample is made of media of this format")
    /// A sample was given up.
    public static let invalidated = Error(-12744, "the sample was invalidated")
    /// Media could not be made.
    public static let dataFailed = Error(-16750, "the sample's media could not be made")
    /// Making media was cancelled.
    public static let dataCanceled = Error(-16751, "making the sample's media was cancelled")
  }
}
