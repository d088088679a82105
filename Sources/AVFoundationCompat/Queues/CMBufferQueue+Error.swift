extension CMBufferQueue {
  /// Why a call on a queue fails, by Core Media's number.
  public struct Error: CoreMediaError {
    /// One of `kCMBufferQueueError_…`.
    public let status: OSStatus
    /// What failed and what to do about it, in one line.
    public let message: String

    private init(_ status: OSStatus, _ message: String) {
      (self.status, self.message) = (status, message)
    }

    /// There is no memory for a queue.
    public static let allocationFailed = Error(
      kCMBufferQueueError_AllocationFailed, "there is no memory for the queue")
    /// Something is nil that must not be.
    public static let requiredParameterMissing = Error(
      kCMBufferQueueError_RequiredParameterMissing,
      "a trigger needs a function, or a place for its token")
    /// Callbacks are of another version than 0 and 1.
    public static let invalidCMBufferCallbacksStruct = Error(
      kCMBufferQueueError_InvalidCMBufferCallbacksStruct,
      "callbacks of a queue are of version 0 or 1")
    /// A buffer comes behind the end of the data.
    public static let enqueueAfterEndOfData = Error(
      kCMBufferQueueError_EnqueueAfterEndOfData,
      "the end of the data is marked; reset the queue to enqueue again")
    /// There are as many buffers as the queue takes.
    public static let queueIsFull = Error(
      kCMBufferQueueError_QueueIsFull, "the queue is full; dequeue a buffer first")
    /// A trigger's time is no number.
    public static let badTriggerDuration = Error(
      kCMBufferQueueError_BadTriggerDuration, "the duration of a trigger is a number of seconds")
    /// A trigger changes its queue.
    public static let cannotModifyQueueFromTriggerCallback = Error(
      kCMBufferQueueError_CannotModifyQueueFromTriggerCallback,
      "a trigger must not change its queue; do it after the trigger has returned")
    /// There is no such condition, or it takes another threshold.
    public static let invalidTriggerCondition = Error(
      kCMBufferQueueError_InvalidTriggerCondition,
      "no trigger condition takes this kind of threshold")
    /// The queue has no such trigger.
    public static let invalidTriggerToken = Error(
      kCMBufferQueueError_InvalidTriggerToken, "the queue has no such trigger")
    /// A buffer is refused.
    public static let invalidBuffer = Error(
      kCMBufferQueueError_InvalidBuffer, "the buffer is not valid for this queue")

    /// A program's own number, of its validation callback.
    init(status: OSStatus) {
      self.init(status, "the validation callback refuses the buffer with status \(status)")
    }
  }
}
