public import MediaCore

extension AssetWriterInput {
  /// Appends to an input from tasks: waits where the input itself refuses.
  public struct SampleBufferReceiver: Sendable {
    let input: AssetWriterInput
    private let core: WriterCore
    private let index: Int

    /// A receiver of an input that was added to a writer.
    ///
    /// - Throws: ``AssetWriterError/Code/inputNotAdded``.
    init(_ input: AssetWriterInput) throws(AssetWriterError) {
      self.input = input
      (core, index) = try input.bound
    }

    /// Appends a sample, after waiting for room if the queue is full.
    ///
    /// - Throws: As ``AssetWriterInput/append(_:)``, but never
    ///   ``AssetWriterError/Code/notReady``, and ``AssetWriterError/Code/trackTooFarAhead`` only
    ///   where the slower track got nothing for half a minute.
    public func append(_ sample: SampleBuffer) async throws(AssetWriterError) {
      while true {
        do throws(AssetWriterError) {
          try core.append(sample, to: index)
          return
        } catch {
          switch error.code {
          case .notReady: await core.waitUntilReady(index)
          case .trackTooFarAhead: try await waitForOthers(error)
          default: throw error
          }
        }
      }
    }

    /// Waits for another task to feed the slower track, but not forever.
    private func waitForOthers(_ error: AssetWriterError) async throws(AssetWriterError) {
      let isNear = await withTaskGroup(of: Bool.self) { group in
        group.addTask { await core.waitForOthers(index) }
        group.addTask {
          try? await Task.sleep(for: Self.slowerTrackTimeout)
          return false
        }
        defer { group.cancelAll() }
        return await group.next() ?? false
      }
      guard isNear else { throw error }
    }

    /// How long a track that is ahead waits for the slower one.
    private static let slowerTrackTimeout = Duration.seconds(30)

    /// Hands a sample over if there is room now. Never waits.
    ///
    /// - Returns: False where there is no room: the sample was not taken, which the report counts.
    /// - Throws: As ``AssetWriterInput/append(_:)``, for every other reason than room.
    public func appendImmediately(_ sample: SampleBuffer) throws(AssetWriterError) -> Bool {
      do throws(AssetWriterError) {
        try core.append(sample, to: index)
        return true
      } catch {
        if error.code == .notReady || error.code == .trackTooFarAhead { return false }
        throw error
      }
    }

    /// As ``appendImmediately(_:)``, for a frame whose slot was chosen: its time is ignored.
    ///
    /// - Returns: Slots that the frame before fills behind its own; nil where there is no room.
    package func appendImmediately(
      _ sample: SampleBuffer, slot: Int64
    ) throws(AssetWriterError) -> Int64? {
      do throws(AssetWriterError) {
        return try core.append(sample, slot: slot, to: index)
      } catch {
        if error.code == .notReady || error.code == .trackTooFarAhead { return nil }
        throw error
      }
    }

    /// Blocks a thread of the recorder's own until there is room, or nothing is written any more.
    ///
    /// - Parameter isOver: Asked now, and after each ``wakeBlocked()``; true ends the wait.
    package func blockUntilReady(unless isOver: () -> Bool) {
      core.blockUntilReady(index, unless: isOver)
    }

    /// Has a thread that blocks in ``blockUntilReady(unless:)`` look again whether it is to go on.
    package func wakeBlocked() { core.wakeBlocked() }

    /// Lets the last frame last until a time at least: what it fills is written without waiting for
    /// the next one, which has to be no earlier. Does nothing for a track that is not to have a
    /// constant rate, and before the first frame.
    ///
    /// - Throws: ``AssetWriterError/Code/inputNotAdded``, or as ``AssetWriterInput/append(_:)`` for
    ///   the status.
    public func holdLastFrame(until time: MediaTime) throws(AssetWriterError) {
      try core.holdLastFrame(of: index, until: time)
    }

    /// As ``holdLastFrame(until:)``, up to a slot.
    package func holdLastFrame(untilSlot slot: Int64) throws(AssetWriterError) {
      try core.holdLastFrame(of: index, until: slot)
    }

    /// Says that nothing more comes.
    ///
    /// - Throws: As ``AssetWriterInput/markAsFinished()``.
    public func finish() throws(AssetWriterError) { try input.markAsFinished() }
  }
}

extension AssetWriter {
  /// Adds an input, where it was not added yet, and gives the receiver that feeds it.
  ///
  /// - Throws: As ``add(_:)``; ``AssetWriterError/Code/invalidStatus`` where the input belongs to
  ///   another writer.
  public func inputReceiver(
    for input: AssetWriterInput
  ) throws(AssetWriterError) -> AssetWriterInput.SampleBufferReceiver {
    if !inputs.contains(where: { $0 === input }) { try add(input) }
    return try AssetWriterInput.SampleBufferReceiver(input)
  }
}
