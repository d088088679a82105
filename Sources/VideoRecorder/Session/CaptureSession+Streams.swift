import CLibav
import CaptureDevices
import Dispatch
import MediaCore
import Synchronization

extension CaptureSession {
  // MARK: On the control queue

  /// Opens and starts a stream for each input that somebody listens to.
  func startStreams() -> Result<Void, CaptureError> {
    dispatchPrecondition(condition: .onQueue(control))
    let topology = state.withLock { state -> CaptureTopology? in
      guard !state.isRunning else { return nil }
      state.ended = []
      return state.topology
    }
    guard let topology else { return .success(()) }
    // Now, because frames do not wait, and because an upgrade may replace the libraries of a recorder that runs
    // for weeks.
    libav_load()
    do throws(CaptureError) {
      try start(inputs: topology.inputs, of: topology)
    } catch {
      stopAll()
      return .failure(error)
    }
    state.withLock { $0.isRunning = true }
    send(.didStartRunning)
    return .success(())
  }

  func stopStreams() {
    dispatchPrecondition(condition: .onQueue(control))
    guard state.withLock({ $0.isRunning }) else { return }
    stopWaiting()
    stopAll()
    let outputs = state.withLock { state in
      state.isRunning = false
      state.interruptions = [:]
      return state.topology.consumers
    }
    for output in outputs { output.sessionDidStop() }
    send(.didStopRunning)
  }

  private func stopAll() {
    let running = streams.withLock { streams in
      defer { streams = [] }
      return streams
    }
    for stream in running { stream.stop() }
  }

  /// Opens every device before the first one streams, so that a refusal costs no other device a frame.
  ///
  /// - Parameter isReturning: True for reconnected devices, which have to deliver the same format as before.
  private func start(
    inputs: [CaptureDeviceInput], of topology: CaptureTopology, isReturning: Bool = false
  ) throws(CaptureError) {
    var opened: [RunningStream] = []
    do throws(CaptureError) {
      for case let output as CaptureVideoDataOutput in topology.consumers {
        if let obstacle = output.obstacle { throw obstacle }
      }
      for case let output as CaptureAudioDataOutput in topology.consumers {
        if let obstacle = output.obstacle { throw obstacle }
      }
      for input in inputs {
        let routes = topology.connections(from: input)
        guard !routes.isEmpty else { continue }
        opened.append(try RunningStream(input, routes: routes, isReturning: isReturning))
      }
      streams.withLock { $0.append(contentsOf: opened) }
      for output in topology.consumers { output.connectionsDidChange() }
      // Audio first: it is trimmed to the first frame, and so must be there when that comes.
      let order =
        opened.filter { $0.request.format.audio != nil }
        + opened.filter { $0.request.format.audio == nil }
      for stream in order {
        try stream.start { [weak self, weak stream] event in
          guard let stream else { return }
          self?.handle(event, from: stream)
        }
      }
    } catch {
      for stream in opened { stream.stop() }
      streams.withLock { streams in
        streams.removeAll { stream in opened.contains { $0 === stream } }
      }
      throw error
    }
  }

  /// Brings the streams in line with the topology and the devices' formats.
  private func reconcile() {
    dispatchPrecondition(condition: .onQueue(control))
    let (topology, isRunning, ended) = state.withLock {
      ($0.topology, $0.isRunning, $0.ended)
    }
    applyPreset(topology)
    guard isRunning else {
      for output in topology.consumers { output.connectionsDidChange() }
      return
    }
    let running = streams.withLock { $0 }
    let kept = running.filter { stream in
      guard !stream.isEnded, topology.contains(stream.input),
        !topology.connections(from: stream.input).isEmpty,
        !ended.contains(ObjectIdentifier(stream.input)),
        let request = try? stream.input.request()
      else { return false }
      return request.isSame(as: stream.request)
    }
    for stream in running where !kept.contains(where: { $0 === stream }) { stream.stop() }
    streams.withLock { $0 = kept }
    for stream in kept { stream.setRoutes(topology.connections(from: stream.input)) }
    let missing = topology.inputs.filter { input in
      !kept.contains { $0.input === input } && !ended.contains(ObjectIdentifier(input))
    }
    do throws(CaptureError) {
      try start(inputs: missing, of: topology)
      for input in missing { didOpen(input) }
    } catch {
      send(.runtimeError(error))
    }
  }

  /// Chooses the formats that the preset asks for, of those that have the rate that was chosen.
  private func applyPreset(_ topology: CaptureTopology) {
    for input in topology.inputs where input.port(.video) != nil {
      let device = input.device
      let rate = device.chosenFrameRate
      guard let best = topology.preset.bestFormat(of: device.formats, at: rate),
        device.activeFormat != best
      else { continue }
      // Without this session's observer, which would take the choice for the user's own.
      device.removeObserver(ObjectIdentifier(self))
      defer { observe(device) }
      do throws(CaptureError) {
        try device.configure { device throws(CaptureError) in
          try device.setActiveFormat(best)
          // Throws if no format of the preset has that rate.
          if let rate { try device.setActiveFrameRate(rate) }
        }
      } catch {
        send(.runtimeError(error))
      }
    }
  }

  // MARK: From any thread

  /// Applies a finished transaction before the call returns.
  func applyConfiguration() { control.sync { reconcile() } }

  /// Follows what the user chooses of a device.
  func observe(_ device: CaptureDevice) {
    device.addObserver(ObjectIdentifier(self)) { [weak self] in self?.deviceDidChange($0) }
  }

  /// The user chose another format or rate of a device. A format takes the place of the preset's.
  private func deviceDidChange(_ change: CaptureDevice.Change) {
    let isOpen = state.withLock { state in
      if change == .format { state.topology.preset = .inputPriority }
      state.ended = []
      return state.depth > 0
    }
    if !isOpen { applyConfiguration() }
  }

  // MARK: On a stream's thread

  private func handle(_ event: CaptureEvent, from stream: RunningStream) {
    let device = stream.input.device.uniqueID
    switch event {
    case .sample: break
    case .lost(let count, let reason, _):
      send(.samplesLost(count: count, reason: reason, deviceID: device))
    case .signalLost: interrupt(device, .signalLost)
    case .signalRestored: endInterruption(of: device)
    case .formatChanged:
      retire(stream)
      interrupt(device, .formatChanged)
    case .ended:
      retire(stream)
      send(.deviceEnded(deviceID: device))
    case .failed(let error):
      retire(stream)
      send(.runtimeError(error))
      if let reason = error.interruptionReason { interrupt(device, reason) }
      awaitReturn(of: stream.input)
    }
  }

  // MARK: Devices that come back

  /// The interval of checks for a disconnected device, if the system does not announce arrivals.
  private static let retryInterval = Duration.milliseconds(500)
  /// The interval if it does: a device that was pulled and replugged at once may not be announced.
  private static let longestWait = Duration.seconds(5)

  private func awaitReturn(of input: CaptureDeviceInput) {
    guard reconnectsDevices, input.device.canComeBack else { return }
    // It reports only later arrivals: a device that is back already is found by the first check.
    let arrivals = input.device.driver.arrivals
    let changes = input.device.isConnected ? nil : arrivals
    let wait = Task { [weak self] in
      await Self.waitForChange(changes)
      guard !Task.isCancelled, let self else { return }
      control.async { [weak self] in self?.reconnect(input) }
    }
    let before = returns.withLock { $0.updateValue(wait, forKey: ObjectIdentifier(input)) }
    before?.cancel()
  }

  private static func waitForChange(_ changes: AsyncStream<Void>?) async {
    guard let changes else {
      try? await Task.sleep(for: retryInterval)
      return
    }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for await _ in changes { return } }
      group.addTask { try? await Task.sleep(for: longestWait) }
      await group.next()
      group.cancelAll()
    }
  }

  /// Waits for no device any more.
  func stopWaiting() {
    let waits = returns.withLock { returns in
      defer { returns = [:] }
      return returns.values
    }
    for wait in waits { wait.cancel() }
  }

  /// Reopens a device whose stream has failed; keeps waiting if it is absent.
  private func reconnect(_ input: CaptureDeviceInput) {
    dispatchPrecondition(condition: .onQueue(control))
    let topology = state.withLock { state -> CaptureTopology? in
      let isAwaited =
        state.isRunning && state.reconnectsDevices && state.topology.contains(input)
        && state.ended.contains(ObjectIdentifier(input))
      return isAwaited ? state.topology : nil
    }
    guard let topology else { return }
    let device = input.device.uniqueID
    do throws(CaptureError) {
      // Before the first event, which may tell of the next failure already.
      state.withLock { _ = $0.ended.remove(ObjectIdentifier(input)) }
      try start(inputs: [input], of: topology, isReturning: true)
      didOpen(input)
    } catch {
      state.withLock { _ = $0.ended.insert(ObjectIdentifier(input)) }
      guard error.code == .formatUnavailable || error.code == .formatChanged else {
        return awaitReturn(of: input)
      }
      // The signal is a different one: the program has to choose a format again.
      interrupt(device, .formatChanged)
      for connection in topology.connections(from: input) {
        connection.output?.receive(.formatChanged, from: connection)
      }
    }
  }

  private func interrupt(_ device: String, _ reason: CaptureSessionEvent.InterruptionReason) {
    let isNews = state.withLock { state in
      state.interruptions.updateValue(reason, forKey: device) != reason
    }
    if isNews { send(.wasInterrupted(reason, deviceID: device)) }
  }

  /// Ends an interruption once there is a new stream, unless that one has reported the next already.
  private func didOpen(_ input: CaptureDeviceInput) {
    if input.ports.allSatisfy(\.isWell) { endInterruption(of: input.device.uniqueID) }
  }

  private func endInterruption(of device: String) {
    let was = state.withLock { $0.interruptions.removeValue(forKey: device) }
    if was != nil { send(.interruptionEnded(deviceID: device)) }
  }

  /// Closes a device whose stream has ended. It is not reopened until the user chooses a
  /// format or restarts the session.
  private func retire(_ stream: RunningStream) {
    stream.markEnded()
    state.withLock { _ = $0.ended.insert(ObjectIdentifier(stream.input)) }
    control.async { [weak self] in
      stream.stop()
      self?.streams.withLock { $0.removeAll { $0 === stream } }
    }
  }
}
