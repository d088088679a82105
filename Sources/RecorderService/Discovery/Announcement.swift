import HyperDeck

/// A service that other machines find by multicast DNS, as a file for Avahi.
struct Announcement: Sendable, Hashable {
  /// The name of the file. It depends on the port only, so that a file that remained after a crash is replaced.
  var fileName: String
  var text: String

  /// The services of a configuration that other machines can reach: its page, and the decks of its channels.
  ///
  /// - Parameter port: The port of the page.
  static func all(of configuration: ServiceConfiguration, port: Int) -> [Self] {
    var all: [Self] = []
    if !configuration.address.isLoopback {
      all.append(page(isSecure: configuration.certificate != nil, port: port))
    }
    for channel in configuration.channels {
      guard let address = channel.hyperDeckAddress, !address.isLoopback, address.port != 0 else {
        continue
      }
      let service = AvahiService(name: channel.title, port: address.port)
      all.append(
        Self(fileName: "recordctl-hyperdeck-\(address.port).service", text: service.text))
    }
    return all
  }

  /// The page, for browsers that list local services. Avahi replaces `%h` with the machine's name.
  private static func page(isSecure: Bool, port: Int) -> Self {
    Self(
      fileName: "recordctl-page-\(port).service",
      text: """
        <?xml version="1.0" standalone="no"?>
        <!DOCTYPE service-group SYSTEM "avahi-service.dtd">
        <service-group>
          <name replace-wildcards="yes">Recorder on %h</name>
          <service>
            <type>\(isSecure ? "_https._tcp" : "_http._tcp")</type>
            <port>\(port)</port>
            <txt-record>path=/</txt-record>
          </service>
        </service-group>

        """)
  }
}
