package import NIOCore
import NIOPosix
package import RecorderControl
import SystemPackage

/// The thread of a server of one of the field's protocols in front of a recorder. It has ordinary priority, and serves
/// all clients.
package struct ServerThread: Sendable {
  /// The server's event loop.
  package let loop: any EventLoop

  /// Runs a server on a thread of its own. The thread is gone when this returns.
  ///
  /// - Parameter serve: The server.
  /// - Throws: What the server throws.
  package static func run<Failure>(
    _ serve: (ServerThread) async throws(Failure) -> Void
  ) async throws(Failure) {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    var failure: Failure?
    do throws(Failure) { try await serve(ServerThread(loop: group.next())) } catch {
      failure = error
    }
    // Not cancelled with the task: the thread and the descriptors must go.
    try? await group.shutdownGracefully()
    if let failure { throw failure }
  }

  /// Passes the recorder's updates to a server until the task is cancelled. Both closures are called on the loop.
  ///
  /// - Parameters:
  ///   - recorder: The recorder.
  ///   - interval: The time between two ticks.
  ///   - tick: What the server does from time to time.
  ///   - adopt: Takes an update.
  package func follow(
    _ recorder: any RemoteRecorder, every interval: TimeAmount,
    tick: @escaping @Sendable () -> Void, adopt: @escaping @Sendable (RecorderUpdate) -> Void
  ) async {
    let ticks = loop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in tick() }
    for await update in recorder.updates() { loop.execute { adopt(update) } }
    // The recorder is known to be away for good; clients are served to the end of the task.
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
    ticks.cancel()
  }

  /// Why an address cannot be listened on, in one line.
  package static func listeningFailure(
    host: String, port: Int, _ error: any Error
  ) -> String {
    "cannot listen on \(host), port \(port): \(reason(of: error))"
  }

  /// Why the network failed, in the system's words.
  package static func reason(of error: any Error) -> String {
    (error as? IOError).map { "\(Errno(rawValue: $0.errnoCode))" } ?? "\(error)"
  }
}
