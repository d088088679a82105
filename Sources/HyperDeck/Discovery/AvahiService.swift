/// A service file of Avahi, by which Companion finds decks: `_hyperdeck_ctrl._tcp`.
public struct AvahiService: Sendable, Hashable {
  /// The name that people see.
  public var name: String
  /// The port.
  public var port: Int

  /// The type that decks announce, and that Companion looks for.
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
      <name>\(Self.escaped(name))</name>
      <service>
        <type>\(Self.type)</type>
        <port>\(port)</port>
        <txt-record>class=HyperDeck</txt-record>
        <txt-record>name=\(Self.escaped(String(name.prefix(60))))</txt-record>
      </service>
    </service-group>

    """
  }

  /// Text as XML has it; characters that XML lacks are left out.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default:
        if scalar.value >= 0x20, scalar.properties.generalCategory != .control,
          scalar.value != 0xFFFE, scalar.value != 0xFFFF
        {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }
}
