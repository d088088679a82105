import MediaCore
public import RecorderControl
import Synchronization
public import Takes

/// Orders to the channel's recorder.
extension RecorderChannel {
  /// Begins a take, immediately or at a set time.
  ///
  /// - Returns: The recorder's reply. A refusal is a reply, too: see `RecorderReply.error`.
  /// - Throws: ``ServiceError/Code/notConnected``.
  public func start(
    _ slate: TakeSlate = TakeSlate(), at moment: ArmedStart? = nil
  ) async throws(ServiceError) -> RecorderReply {
    try await send(.start(slate, moment))
  }

  /// Ends the take, or cancels a scheduled start.
  ///
  /// - Parameter number: The take to end, by its number in the recorder's session; nil for any.
  /// - Returns: As ``start(_:at:)``.
  /// - Throws: ``ServiceError/Code/anotherTake`` if another take is recorded, or a start is scheduled for
  ///   another one; otherwise as ``start(_:at:)``.
  public func stop(ofTake number: Int? = nil) async throws(ServiceError) -> RecorderReply {
    // The known status may be outdated, or that of a previous recorder.
    if let number, let recorder = try await send(.status).status {
      if recorder.state == .recording, let take = recorder.take, take.number != number {
        throw ServiceError(
          .anotherTake,
          "take \(number) has ended, and take \(take.number) is recorded: it was not stopped")
      }
      if recorder.state != .recording, let armed = recorder.armed {
        throw ServiceError(
          .anotherTake,
          "take \(number) has ended, and a start is set for \(armed.date): it was not cancelled")
      }
    }
    return try await send(.stop)
  }

  /// Goes on in a new movie.
  ///
  /// - Returns: As ``start(_:at:)``.
  /// - Throws: As ``start(_:at:)``.
  public func split() async throws(ServiceError) -> RecorderReply { try await send(.split) }

  /// Marks the frame that was recorded last.
  ///
  /// - Returns: As ``start(_:at:)``.
  /// - Throws: As ``start(_:at:)``.
  public func mark(_ note: String) async throws(ServiceError) -> RecorderReply {
    try await send(.mark(note))
  }

  /// Stands by between takes, or idles.
  ///
  /// - Returns: As ``start(_:at:)``.
  /// - Throws: As ``start(_:at:)``.
  public func standBy(_ isOn: Bool) async throws(ServiceError) -> RecorderReply {
    try await send(.standBy(isOn))
  }

  /// Records the next takes by a preset of the recorder's library.
  ///
  /// - Returns: As ``start(_:at:)``.
  /// - Throws: As ``start(_:at:)``.
  public func choosePreset(_ name: String) async throws(ServiceError) -> RecorderReply {
    try await send(.preset(name))
  }

  private func send(_ command: RecorderCommand) async throws(ServiceError) -> RecorderReply {
    let (client, status) = state.withLock { ($0.client, $0.status) }
    guard let client else {
      let reason = status.message.map { ": \($0.withoutPaths)" } ?? ""
      throw ServiceError(.notConnected, "the recorder of channel \(name) is not connected\(reason)")
    }
    do throws(ControlError) {
      let reply = try await client.send(command)
      if let recorder = reply.status { adopt(recorder, from: client) }
      return reply
    } catch {
      throw ServiceError(.notConnected, from: error)
    }
  }
}
