/// A sender or receiver of datagrams: a numeric address and a port.
public struct OSCPeer: Sendable, Hashable, CustomStringConvertible {
  public var host: String
  public var port: Int

  /// A peer.
  public init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
