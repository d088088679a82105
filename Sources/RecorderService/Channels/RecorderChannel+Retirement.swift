import MediaCore
import RecorderControl
import Synchronization

/// Ending the recorder between its takes.
extension RecorderChannel {
  /// What became of a recorder that was to end.
  enum Retirement: Sendable, Hashable {
    case ended
    /// None is there.
    case away
    /// Its process runs, and does not listen at present.
    case starting
    /// It has a take, or cannot be asked; why, in words.
    case busy(String)

    /// Why it goes on, in words; nil where it does not.
    var refusal: String? {
      switch self {
      case .ended, .away: nil
      case .starting: "the recorder is starting"
      case .busy(let reason): reason
      }
    }
  }

  /// Why a recorder is away that was told to end from here.
  static let endedHere = "the recorder was ended by the gateway"

  /// Seconds for which somebody who ends the gateway waits for a recorder's answer.
  private static let patience = 5.0

  /// Ends an idle recorder that this gateway starts, for good.
  ///
  /// - Returns: Why it keeps running; nil if it ended.
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

  /// Ends the recorder, unless it has a take. Where it is the gateway's to start, it is started again.
  ///
  /// - Parameter seconds: How long its answer is awaited.
  func retire(within seconds: Double = 30) async -> Retirement {
    // Its connection may end before its answer is looked at.
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
      // It may have ended by itself, or have let this client go.
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

  /// Ends a recorder of an earlier version, which has to be believed what it does.
  private func retireEarlier(_ client: ControlClient) async -> Retirement {
    guard let status = try? await client.send(.status).status,
      [.idle, .standingBy, .awaitingSource, .ended].contains(status.state),
      status.takesFinishing == 0
    else { return .busy("a take is being recorded or completed") }
    return (try? await client.send(.quit))?.isDone == true
      ? .ended : .busy("the recorder does not answer")
  }

  /// Waits until a recorder that was ended has left its socket, ten seconds at most.
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
