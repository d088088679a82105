public import Dispatch

extension AssetWriterInput {
  /// Calls `block` on a queue whenever the input is ready for samples, until it is finished or writing ends. The block
  /// appends while ``isReadyForMoreMediaData`` is true, and calls ``markAsFinished()`` after the last sample. If it
  /// returns before that, it is called again, after a few milliseconds if it appended nothing; and once after a
  /// failure. In a task, use ``AssetWriter/inputReceiver(for:)`` instead.
  ///
  /// - Throws: ``AssetWriterError/Code/inputNotAdded``.
  public func requestMediaDataWhenReady(
    on queue: DispatchQueue, using block: @escaping @Sendable () -> Void
  ) throws(AssetWriterError) {
    let (core, index) = try bound
    core.request(index, on: queue, block)
  }
}
