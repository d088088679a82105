import MediaCore

/// What is connected to what: the part of a session that a transaction changes.
struct CaptureTopology: Sendable {
  var inputs: [CaptureDeviceInput] = []
  var outputs: [CaptureOutput] = []
  /// Outputs of observers, such as a preview: connected and fed like ``outputs``, but not listed there.
  var onlookers: [CaptureOutput] = []
  var connections: [CaptureConnection] = []
  var preset = CaptureSession.Preset.inputPriority
  /// True for a default preset, which formats chosen by hand override.
  var isPresetImplicit = false
  /// Inputs and outputs that connect only by hand.
  var manual: Set<ObjectIdentifier> = []

  func contains(_ input: CaptureDeviceInput) -> Bool { inputs.contains { $0 === input } }
  func contains(_ output: CaptureOutput) -> Bool { consumers.contains { $0 === output } }

  /// All that takes samples.
  var consumers: [CaptureOutput] { outputs + onlookers }

  func connections(of output: CaptureOutput) -> [CaptureConnection] {
    connections.filter { $0.output === output }
  }

  func connections(from input: CaptureDeviceInput) -> [CaptureConnection] {
    connections.filter { connection in input.ports.contains { connection.carries(from: $0) } }
  }

  mutating func remove(_ input: CaptureDeviceInput) {
    inputs.removeAll { $0 === input }
    manual.remove(ObjectIdentifier(input))
    connections.removeAll { connection in input.ports.contains { connection.carries(from: $0) } }
    formConnections()
  }

  mutating func remove(_ output: CaptureOutput) {
    outputs.removeAll { $0 === output }
    onlookers.removeAll { $0 === output }
    manual.remove(ObjectIdentifier(output))
    connections.removeAll { $0.output === output }
  }

  /// Connects what may be connected and is not yet: first come, first served.
  mutating func formConnections() {
    for output in consumers where !manual.contains(ObjectIdentifier(output)) {
      for input in inputs where !manual.contains(ObjectIdentifier(input)) {
        for port in input.ports where canConnect(port, to: output) {
          connections.append(CaptureConnection(inputPort: port, output: output))
        }
      }
    }
  }

  /// True where the output has room for a connection from the port and none from it yet.
  func canConnect(_ port: CaptureInputPort, to output: CaptureOutput) -> Bool {
    let present = connections(of: output)
    return !present.contains { $0.carries(from: port) }
      && present.count { $0.mediaType == port.mediaType }
        < output.connectionLimit(for: port.mediaType)
  }
}
