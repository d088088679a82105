import CaptureDevices
import MediaCore
import Synchronization

extension CaptureSession {
  // MARK: Transactions

  /// Changes inputs, outputs and connections atomically: all of the changes take effect, or none.
  ///
  /// - Throws: What `change` throws. The session is unchanged then.
  public func configure<Result>(
    _ change: (CaptureSession) throws(CaptureError) -> Result
  ) throws(CaptureError) -> Result {
    let before = state.withLock { state in
      state.depth += 1
      return state.topology
    }
    do throws(CaptureError) {
      let result = try change(self)
      commitConfiguration()
      return result
    } catch {
      restore(before)
      commitConfiguration()
      throw error
    }
  }

  /// Begins a transaction. A running session is unaffected until its ``commitConfiguration()``.
  /// Transactions nest.
  public func beginConfiguration() { state.withLock { $0.depth += 1 } }

  /// Ends a transaction. With the outermost one, a running session applies all changes together, and reports
  /// devices that fail through ``events``.
  public func commitConfiguration() {
    let isLast = state.withLock { state in
      guard state.depth > 0 else { return false }
      state.depth -= 1
      return state.depth == 0
    }
    if isLast { applyConfiguration() }
  }

  /// How the devices' formats are chosen; ``Preset/inputPriority`` unless set. Choosing a device's
  /// format by hand sets it back to that, as Apple's session does.
  public var sessionPreset: Preset {
    get { state.withLock { $0.topology.preset } }
    set {
      guard canSetSessionPreset(newValue) else {
        send(
          .runtimeError(
            CaptureError(
              .formatUnavailable,
              "the session preset '\(newValue.rawValue)' fits no format of an input's device; "
                + "choose the format with activeFormat and leave the preset at inputPriority")))
        return
      }
      transact { topology in
        topology.preset = newValue
        topology.isPresetImplicit = false
      }
    }
  }

  /// True where every input's device has a format for the preset.
  public func canSetSessionPreset(_ preset: Preset) -> Bool {
    guard preset.isKnown else { return false }
    guard let criteria = preset.criteria else { return true }
    return deviceInputs.allSatisfy { Self.fits($0, criteria) }
  }

  /// True if the input has no video, or its device has a format that meets the criteria.
  private static func fits(_ input: CaptureDeviceInput, _ criteria: FormatCriteria) -> Bool {
    input.port(.video) == nil || !FormatSelector.rank(input.device.formats, criteria).isEmpty
  }

  // MARK: Inputs

  /// True where the input's device is there, not in the session yet, and has a format for the preset that was
  /// chosen.
  public func canAddInput(_ input: CaptureInput) -> Bool { refusal(of: input) == nil }

  /// Adds an input and connects it to the outputs that want what it has.
  ///
  /// - Throws: `CaptureError.Code.formatUnavailable` where the device has no format for the preset that was
  ///   chosen, `CaptureError.Code.deviceDisconnected` where it is gone, `CaptureError.Code.invalidState`
  ///   where it is in the session already.
  public func add(_ input: CaptureDeviceInput) throws(CaptureError) {
    try insert(input, isManual: false)
  }

  /// Apple's form of adding: tells of a refusal through ``events``.
  public func addInput(_ input: CaptureInput) {
    report { () throws(CaptureError) in try insert(input, isManual: false) }
  }

  /// Adds an input that is connected by ``add(_:)-(CaptureConnection)`` only: Apple's form, which
  /// tells of a refusal through ``events``.
  public func addInputWithNoConnections(_ input: CaptureInput) {
    report { () throws(CaptureError) in try insert(input, isManual: true) }
  }

  /// Removes an input and its connections.
  public func removeInput(_ input: CaptureInput) {
    guard let input = input as? CaptureDeviceInput else { return }
    input.device.removeObserver(ObjectIdentifier(self))
    transact { $0.remove(input) }
  }

  // MARK: Outputs

  /// True where the output is in no session yet.
  public func canAddOutput(_ output: CaptureOutput) -> Bool { refusal(of: output) == nil }

  /// Adds an output and connects it to the inputs that have what it wants.
  ///
  /// - Throws: `CaptureError.Code.invalidState` where ``canAddOutput(_:)`` says no.
  public func add(_ output: CaptureOutput) throws(CaptureError) {
    try insert(output, in: \.outputs, isManual: false)
  }

  /// Apple's form of adding: tells of a refusal through ``events``.
  public func addOutput(_ output: CaptureOutput) {
    report { () throws(CaptureError) in try add(output) }
  }

  /// Adds an output that is connected by ``add(_:)-(CaptureConnection)`` only: Apple's form, which
  /// tells of a refusal through ``events``.
  public func addOutputWithNoConnections(_ output: CaptureOutput) {
    report { () throws(CaptureError) in
      try insert(output, in: \.outputs, isManual: true)
    }
  }

  /// Removes an output and its connections.
  public func removeOutput(_ output: CaptureOutput) { remove(output, from: \.outputs) }

  /// Adds an output that is fed as others, and is not among ``outputs``: no program that clears or
  /// searches these meets it. A refusal is told through ``events``.
  ///
  /// - Parameter isManual: True for one that is connected by ``add(_:)-(CaptureConnection)`` only.
  package func addOnlooker(_ output: CaptureOutput, isManual: Bool) {
    report { () throws(CaptureError) in try insert(output, in: \.onlookers, isManual: isManual) }
  }

  /// Removes what ``addOnlooker(_:isManual:)`` added.
  package func removeOnlooker(_ output: CaptureOutput) { remove(output, from: \.onlookers) }

  // MARK: Connections

  /// True where both ends are in the session and the output has room for the connection.
  public func canAddConnection(_ connection: CaptureConnection) -> Bool {
    refusal(of: connection) == nil
  }

  /// Adds a connection made by hand.
  ///
  /// - Throws: `CaptureError.Code.invalidState` where ``canAddConnection(_:)`` says no.
  public func add(_ connection: CaptureConnection) throws(CaptureError) {
    if let refusal = refusal(of: connection) { throw refusal }
    transact { $0.connections.append(connection) }
  }

  /// Apple's form of adding: tells of a refusal through ``events``.
  public func addConnection(_ connection: CaptureConnection) {
    report { () throws(CaptureError) in try add(connection) }
  }

  /// Removes a connection.
  public func removeConnection(_ connection: CaptureConnection) {
    transact { $0.connections.removeAll { $0 === connection } }
  }

  // MARK: Inside

  private var deviceInputs: [CaptureDeviceInput] { state.withLock { $0.topology.inputs } }

  private func insert(_ input: CaptureInput, isManual: Bool) throws(CaptureError) {
    if let refusal = refusal(of: input) { throw refusal }
    guard let input = input as? CaptureDeviceInput else { return }
    observe(input.device)
    let hasChosenFormat = input.device.configuration.withLock { $0.activeFormat != nil }
    transact { topology in
      topology.inputs.append(input)
      if topology.isPresetImplicit, hasChosenFormat { topology.preset = .inputPriority }
      if isManual { topology.manual.insert(ObjectIdentifier(input)) }
      topology.formConnections()
    }
  }

  private func insert(
    _ output: CaptureOutput, in list: WritableKeyPath<CaptureTopology, [CaptureOutput]>,
    isManual: Bool
  ) throws(CaptureError) {
    if let refusal = refusal(of: output) { throw refusal }
    guard output.connectionList.claim(for: ObjectIdentifier(self)) else {
      throw CaptureError(.invalidState, "the output is in another session; remove it there first")
    }
    transact { topology in
      topology[keyPath: list].append(output)
      if isManual { topology.manual.insert(ObjectIdentifier(output)) }
      topology.formConnections()
    }
  }

  private func remove(
    _ output: CaptureOutput, from list: KeyPath<CaptureTopology, [CaptureOutput]>
  ) {
    let isPresent = state.withLock { state in
      state.topology[keyPath: list].contains { $0 === output }
    }
    guard isPresent else { return }
    transact { $0.remove(output) }
    output.connectionList.release()
    output.connectionsDidChange()
  }

  /// Makes one change, in the open transaction or in a transaction of its own.
  private func transact(_ change: (inout CaptureTopology) -> Void) {
    let (topology, isOpen) = state.withLock { state in
      change(&state.topology)
      return (state.topology, state.depth > 0)
    }
    publish(topology)
    if !isOpen { applyConfiguration() }
  }

  private func restore(_ topology: CaptureTopology) {
    let dropped = state.withLock { state in
      let dropped = state.topology
      state.topology = topology
      return dropped
    }
    for output in dropped.consumers where !topology.contains(output) {
      output.connectionList.release()
    }
    for output in topology.consumers where !dropped.contains(output) {
      _ = output.connectionList.claim(for: ObjectIdentifier(self))
    }
    for input in dropped.inputs where !topology.contains(input) {
      input.device.removeObserver(ObjectIdentifier(self))
    }
    for input in topology.inputs where !dropped.contains(input) {
      observe(input.device)
    }
    publish(topology)
  }

  /// Lets each output see its connections.
  private func publish(_ topology: CaptureTopology) {
    for output in topology.consumers {
      output.connectionList.set(topology.connections(of: output))
    }
  }

  private func report(_ change: () throws(CaptureError) -> Void) {
    do { try change() } catch { send(.runtimeError(error)) }
  }

  private func refusal(of input: CaptureInput) -> CaptureError? {
    guard let input = input as? CaptureDeviceInput else {
      return CaptureError(.invalidArgument, "the session does not support this kind of input")
    }
    guard input.device.isConnected else {
      return CaptureError(.deviceDisconnected, "\(input.device) is disconnected")
    }
    let isPresent = deviceInputs.contains {
      $0 === input || $0.device.uniqueID == input.device.uniqueID
    }
    if isPresent {
      return CaptureError(.invalidState, "\(input.device) is an input of the session already")
    }
    // The device overrides a default preset.
    let preset = state.withLock { $0.topology.isPresetImplicit ? nil : $0.topology.preset }
    guard let preset, let criteria = preset.criteria, !Self.fits(input, criteria) else {
      return nil
    }
    return CaptureError(
      .formatUnavailable,
      "\(input.device) has no format for the session preset '\(preset.rawValue)'; choose another preset "
        + "first")
  }

  private func refusal(of output: CaptureOutput) -> CaptureError? {
    if let refusal = output.connectionList.refusal { return refusal }
    if state.withLock({ $0.topology.contains(output) }) {
      return CaptureError(.invalidState, "the output is in the session already")
    }
    return output.connectionList.isFree(for: ObjectIdentifier(self))
      ? nil
      : CaptureError(.invalidState, "the output is in another session; remove it there first")
  }

  private func refusal(of connection: CaptureConnection) -> CaptureError? {
    let topology = state.withLock { $0.topology }
    guard let output = connection.output, topology.contains(output) else {
      return CaptureError(
        .invalidState, "the connection's output is not in the session; add it first")
    }
    guard let port = connection.inputPorts.first, connection.inputPorts.count == 1 else {
      return CaptureError(
        .invalidArgument,
        "a connection has one input port, not \(connection.inputPorts.count); make one for each port"
      )
    }
    guard
      topology.inputs.contains(where: { input in input.ports.contains { $0 === port } })
    else {
      return CaptureError(
        .invalidState, "the connection's input is not in the session; add it first")
    }
    return topology.canConnect(port, to: output)
      ? nil
      : CaptureError(
        .invalidState, "the output accepts no further connection for \(port.mediaType)")
  }
}
