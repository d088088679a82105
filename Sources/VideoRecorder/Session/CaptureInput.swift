/// A source of samples for a session, as `AVCaptureInput` is. ``CaptureDeviceInput`` is the only
/// subclass.
///
/// Unchecked: what the class itself keeps is constant, and ``CaptureDeviceInput`` guards its own.
open class CaptureInput: @unchecked Sendable {
  /// What it delivers: one port a type of media.
  public final let ports: [CaptureInputPort]

  package init(ports: [CaptureInputPort]) {
    self.ports = ports
    for port in ports { port.input = self }
  }
}

extension CaptureInput: Hashable {
  /// True for the same object.
  public static func == (lhs: CaptureInput, rhs: CaptureInput) -> Bool { lhs === rhs }
  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
