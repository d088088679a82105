public import Dispatch

extension AssetWriterInput {
  /// Calls `block` on a queue whenever samples would be taken, until the input is finished: the
  /// block appends while ``isReadyForMoreMediaData`` is true, and calls ``markAsFinished()`` when
  /// there is no more. For tasks there is ``AssetWriter/inputReceiver(for:)``.
  ///
  /// - Throws: ``AssetWriterError/Code/inputNotAdded``.
  public func requestMediaDataWhenReady(
    on queue: DispatchQueue, using block: @escaping @Sendable () -> Void
  ) throws(AssetWriterError) {
    let (core, index) = try bound
    core.setReadyHandler(index) { queue.async(execute: block) }
  }
}
