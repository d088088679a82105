extension CMBufferQueue {
  /// An error of a queue, with Core Media's status code.
  public struct Error: CoreMediaError {
    /// One of `kCMBufferQueueError_…`.
    public let status: OSStatus
    /// What failed and what to do about it, in one line.
    public let message: String

    private init(_ status: OSStatus, _ message: String) {
      (self.status, self.message) = (status, message)
    }

    public static let allocationFailed = Error(
      kCMBufferQueueError_AllocationFailed, "there is no memory for the queue")
    /// A required argument is nil.
    public static let requiredParameterMissing = Error(
      kCMBufferQueueError_RequiredParameterMissing,
      "a trigger needs a function, or a place for its token")
    /// The callbacks' version is not supported.
    public static let invalidCMBufferCallbacksStruct = Error(
      kCMBufferQueueError_InvalidCMBufferCallbacksStruct,
      "the version of a queue's callbacks must be 0 or 1")
    /// A buffer was enqueued after the end of data.
    public static let enqueueAfterEndOfData = Error(
      kCMBufferQueueError_EnqueueAfterEndOfData,
      "the end of the data is marked; reset the queue to enqueue again")
    /// The queue has reached its capacity.
    public static let queueIsFull = Error(
      kCMBufferQueueError_QueueIsFull, "the queue is full; dequeue a buffer first")
    /// A trigger's duration is not numeric.
    public static let badTriggerDuration = Error(
      kCMBufferQueueError_BadTriggerDuration, "the duration of a trigger must be numeric")
    /// A trigger tried to change its queue.
    public static let cannotModifyQueueFromTriggerCallback = Error(
      kCMBufferQueueError_CannotModifyQueueFromTriggerCallback,
      "a trigger must not change its queue; do it after the trigger has returned")
    /// The condition is unknown, or takes another kind of threshold.
    public static let invalidTriggerCondition = Error(
      kCMBufferQueueError_InvalidTriggerCondition,
      "no trigger condition takes this kind of threshold")
    public static let invalidTriggerToken = Error(
      kCMBufferQueueError_InvalidTriggerToken, "the queue has no such trigger")
    /// The buffer was rejected.
    public static let invalidBuffer = Error(
      kCMBufferQueueError_InvalidBuffer, "the buffer is not valid for this queue")

    /// A status returned by a program's validation callback.
    init(status: OSStatus) {
      self.init(status, "the validation callback rejected the buffer with status \(status)")
    }
  }
}
