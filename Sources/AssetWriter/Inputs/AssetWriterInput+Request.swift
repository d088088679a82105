public import Dispatch

extension AssetWriterInput {
  /// Calls `block` on a queue whenever samples would be taken, until the input is finished or
  /// writing ends: the block appends while ``isReadyForMoreMediaData`` is true, and calls
  /// ``markAsFinished()`` when there is no more. One that returns before that is called again, after
  /// a few milliseconds where it appended nothing; and once after a failure. For tasks there is
  /// ``AssetWriter/inputReceiver(for:)``.
  ///
  /// - Throws: ``AssetWriterError/Code/inputNotAdded``.
  public func requestMediaDataWhenReady(
    on queue: DispatchQueue, using block: @escaping @Sendable () -> Void
  ) throws(AssetWriterError) {
    let (core, index) = try bound
    core.request(index, on: queue, block)
  }
}
