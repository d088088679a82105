import MediaCore

/// An Avahi service file, through which Companion finds decks: `_hyperdeck_ctrl._tcp`.
public struct AvahiService: Sendable, Hashable {
  /// The name that people see.
  public var name: String
  /// The port.
  public var port: Int

  /// The type that decks announce and Companion looks for.
  public static let type = "_hyperdeck_ctrl._tcp"

  /// A service.
  public init(name: String, port: Int = 9993) {
    self.name = name
    self.port = port
  }

  /// The file, to be written to `/etc/avahi/services`.
  public var text: String {
    """
    <?xml version="1.0" standalone="no"?>
    <!DOCTYPE service-group SYSTEM "avahi-service.dtd">
    <service-group>
      <name>\(XMLText.escaped(name))</name>
      <service>
        <type>\(Self.type)</type>
        <port>\(port)</port>
        <txt-record>class=HyperDeck</txt-record>
        <txt-record>name=\(XMLText.escaped(String(name.prefix(60))))</txt-record>
      </service>
    </service-group>

    """
  }
}
