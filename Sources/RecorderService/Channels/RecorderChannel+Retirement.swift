import MediaCore
import RecorderControl
import Synchronization

/// Ending the recorder between its takes.
extension RecorderChannel {
  /// The result of ending a recorder.
  enum Retirement: Sendable, Hashable {
    case ended
    /// No recorder is running.
    case away
    /// Its process runs, and does not listen at present.
    case starting
    /// It has a take, or does not answer; the reason in words.
    case busy(String)

    /// Why it keeps running, in words; nil if it has ended.
    var refusal: String? {
      switch self {
      case .ended, .away: nil
      case .starting: "the recorder is starting"
      case .busy(let reason): reason
      }
    }
  }

  /// The message for a recorder that the gateway itself has ended.
  static let endedHere = "the recorder was ended by the gateway"

  /// Seconds to wait for a recorder's answer when the gateway ends.
  private static let patience = 5.0

  /// Ends a recorder of the gateway's own that has no take, and does not start it again.
  ///
  /// - Returns: Why it keeps running; nil if it does not.
  package func endIfIdle() async -> String? {
    guard isOwn else { return nil }
    state.withLock { $0.mayLaunch = false }
    var outcome = await retire(within: Self.patience)
    // One that was started just now listens in a moment.
    for _ in 0..<30 where outcome == .starting {
      try? await Task.sleep(for: .milliseconds(100))
      outcome = await retire(within: Self.patience)
    }
    if outcome.refusal != nil { state.withLock { $0.mayLaunch = true } }
    return outcome.refusal
  }

  /// Ends the recorder, unless it has a take. A recorder of the gateway's own is then started again.
  ///
  /// - Parameter seconds: How long to wait for its answer.
  func retire(within seconds: Double = 30) async -> Retirement {
    // Set first, because its connection may end before its answer is read.
    state.withLock { $0.isRetiring = true }
    let outcome = await tellToRetire(within: seconds)
    if outcome != .ended { state.withLock { $0.isRetiring = false } }
    return outcome
  }

  private func tellToRetire(within seconds: Double) async -> Retirement {
    do throws(ControlError) {
      if let connected = state.withLock({ $0.client }) {
        return try await retire(connected, within: seconds)
      }
      let client = try ControlClient(path: socketPath, within: 0)
      defer { client.close() }
      return try await retire(client, within: seconds)
    } catch {
      guard error.code == .connectionClosed else { return unreached(error) }
      // It may have ended on its own, or only disconnected this client.
      let lost = error
      do throws(ControlError) { try ControlClient(path: socketPath, within: 0).close() } catch {
        return unreached(error)
      }
      return .busy(lost.message)
    }
  }

  private func unreached(_ error: ControlError) -> Retirement {
    guard error.code == .socketFailed else { return .busy(error.message) }
    return state.withLock { $0.process?.isRunning() ?? false } ? .starting : .away
  }

  private func retire(
    _ client: ControlClient, within seconds: Double
  ) async throws(ControlError) -> Retirement {
    let reply = try await client.send(.retire, within: seconds)
    guard let error = reply.error else { return .ended }
    guard error.code == "unknownCommand" else { return .busy(error.message) }
    return await retireEarlier(client)
  }

  /// Ends a recorder of an earlier version, which lacks the command; so its reported state has to do.
  private func retireEarlier(_ client: ControlClient) async -> Retirement {
    guard let status = try? await client.send(.status).status,
      [.idle, .standingBy, .awaitingSource, .ended].contains(status.state),
      status.takesFinishing == 0
    else { return .busy("a take is being recorded or completed") }
    return (try? await client.send(.quit))?.isDone == true
      ? .ended : .busy("the recorder does not answer")
  }

  /// Waits at most ten seconds until a recorder that was ended has closed its socket.
  func waitUntilGone() async {
    guard isOwn else { return }
    state.withLock { $0.mayLaunch = false }
    for _ in 0..<100 {
      let isThere = state.withLock { $0.client != nil || $0.process?.isRunning() ?? false }
      guard isThere else { return }
      try? await Task.sleep(for: .milliseconds(100))
    }
  }
}
