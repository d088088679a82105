import CaptureDevices
import MediaCore
import Synchronization

/// A device that streams for a session, and where its samples go.
final class RunningStream: Sendable {
  let input: CaptureDeviceInput
  let request: CaptureStreamRequest
  private let stream: any CaptureStream
  private let routes: Mutex<[Route]>
  private let phase = Mutex(Phase.open)

  private enum Phase { case open, ended, stopped }

  /// A connection, and the output at its end, which is looked up once.
  private struct Route {
    let connection: CaptureConnection
    let output: CaptureOutput

    init?(_ connection: CaptureConnection) {
      guard let output = connection.output else { return nil }
      self.connection = connection
      self.output = output
    }
  }

  /// Opens the device.
  ///
  /// - Parameter isReturning: True for a reconnected device, which has to deliver the same format as before: a
  ///   signal of the same size and rate may still differ in fields or colors.
  init(
    _ input: CaptureDeviceInput, routes: [CaptureConnection], isReturning: Bool
  ) throws(CaptureError) {
    self.input = input
    self.request = try input.request()
    self.stream = try input.device.driver.openStream(request)
    let before = input.port(stream.formatDescription.mediaType)?.lastFormat
    if isReturning, let before, before != stream.formatDescription {
      stream.stop()
      throw CaptureError(
        .formatChanged, "\(input.device) is back with another format; choose its format again")
    }
    self.routes = Mutex(routes.compactMap(Route.init))
    for port in input.ports {
      let agreed = stream.formatDescription
      port.open(
        CaptureInputPort.Agreement(
          formatDescription: agreed.mediaType == port.mediaType ? agreed : port.formatDescription,
          frameRate: stream.frameRate ?? request.frameRate, isRealTime: stream.isRealTime,
          metadata: stream.metadata))
    }
  }

  func setRoutes(_ connections: [CaptureConnection]) {
    let routes = connections.compactMap(Route.init)
    self.routes.withLock { $0 = routes }
  }

  /// Starts the flow of samples. `observer` gets all other events, after the outputs.
  func start(_ observer: @escaping @Sendable (CaptureEvent) -> Void) throws(CaptureError) {
    try stream.start { [weak self] event in
      guard let self else { return }
      deliver(event)
      if case .sample = event { return }
      observer(event)
    }
  }

  /// True once the stream has announced its end.
  var isEnded: Bool { phase.withLock { $0 != .open } }

  /// Notes that the stream has announced its end.
  func markEnded() { phase.withLock { if $0 == .open { $0 = .ended } } }

  /// Ends the flow and gives the device back, once.
  func stop() {
    let isFirst = phase.withLock { phase in
      defer { phase = .stopped }
      return phase != .stopped
    }
    guard isFirst else { return }
    stream.stop()
    for port in input.ports { port.close() }
  }

  /// Fans an event out, on the stream's thread.
  private func deliver(_ event: CaptureEvent) {
    let routes = routes.withLock { $0 }
    if case .sample(let sample) = event {
      for route in routes
      where route.connection.mediaType == sample.mediaType && route.connection.isActive {
        route.connection.deliver(event, to: route.output)
      }
      return
    }
    let active = routes.filter(\.connection.isActive)
    for port in input.ports {
      switch event {
      case .signalLost: port.noteSignal(isPresent: false)
      case .signalRestored: port.noteSignal(isPresent: true)
      default: if event.endsStream { port.end(with: event) }
      }
    }
    for route in active { route.connection.deliver(event, to: route.output) }
  }
}
