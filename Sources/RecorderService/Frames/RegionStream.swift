import MediaCore
import Monitor
import RecorderControl

/// A region of a channel's frames, pixel for pixel, for one viewer.
///
/// It has its own connection to the recorder. The recorder sends the next frame once the viewer has shown
/// this one: a slow viewer gets fewer frames, and nobody else has to wait.
actor RegionStream {
  private let socketPath: String
  private let send: @Sendable ([UInt8]) -> Void
  private let failed: @Sendable (String) -> Void
  /// The last error that was reported.
  private var reported: String?
  private var wish: MonitorSubscription
  private var client: ControlClient?
  /// The frame that the viewer has yet to show.
  private var sent: MonitorFrame?

  /// - Parameters:
  ///   - socketPath: The recorder's socket.
  ///   - wish: A subscription with a region.
  ///   - failed: Called with the reason if the recorder is running but sends no frames, once for each reason
  ///     in a row.
  ///   - send: Called with messages as ``ServedFrame/message(_:)`` makes them.
  init(
    socketPath: String, wish: MonitorSubscription,
    failed: @escaping @Sendable (String) -> Void = { _ in },
    send: @escaping @Sendable ([UInt8]) -> Void
  ) {
    (self.socketPath, self.wish, self.send, self.failed) = (socketPath, wish, send, failed)
  }

  /// Serves until the task is cancelled; a recorder that is gone is looked for once a second.
  func run() async {
    while !Task.isCancelled {
      if let client = try? ControlClient(path: socketPath, within: 0) {
        (self.client, sent) = (client, nil)
        // Covers the first command, too, so that a recorder that hangs does not occupy a viewer's place.
        await withTaskCancellationHandler {
          await ask()
          for await picture in client.frames { take(picture) }
        } onCancel: {
          client.close()
        }
        client.close()
        self.client = nil
      }
      try? await Task.sleep(for: .seconds(1))
    }
  }

  /// Changes the subscription.
  func want(_ wish: MonitorSubscription) async {
    guard wish != self.wish else { return }
    self.wish = wish
    await ask()
  }

  /// Notes that the viewer has shown a frame.
  func acknowledge(_ number: Int) {
    guard let sent, sent.header.number == number else { return }
    self.sent = nil
    client?.acknowledge(sent)
  }

  private func ask() async {
    var wish = wish
    // Scopes are drawn in this process.
    wish.scopes = []
    guard let client else { return }
    do throws(ControlError) {
      if let refusal = try await client.send(.monitor(wish)).error { fail(refusal.message) }
    } catch {
      // If the recorder is away, this stream tries again, and the channel reports it.
      if error.code == .tooManyClients || error.code == .notPermitted { fail(error.message) }
    }
  }

  private func fail(_ reason: String) {
    guard reported != reason else { return }
    reported = reason
    failed("no source pixels for a viewer: \(reason)")
  }

  private func take(_ frame: MonitorFrame) {
    let served: ServedFrame
    do throws(ServiceError) { served = try ServedFrame(frame, wish.scopes) } catch {
      fail(error.message)
      client?.acknowledge(frame)
      return
    }
    sent = frame
    send(served.message(wish.scopes))
  }
}
