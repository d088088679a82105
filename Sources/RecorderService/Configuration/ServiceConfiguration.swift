public import RecorderControl

/// The configuration of a gateway: what it serves, to whom, and where.
public struct ServiceConfiguration: Sendable, Hashable {
  /// An address to listen on.
  public struct Address: Sendable, Hashable, CustomStringConvertible {
    /// An IP address.
    public var host: String
    public var port: Int

    /// The default port.
    public static let standardPort = 8437

    /// An address of its parts.
    public init(host: String = "127.0.0.1", port: Int = standardPort) {
      self.host = host
      self.port = port
    }

    /// Reads `127.0.0.1:8437`, `[::1]:8437`, `0.0.0.0` or `:8437`; nil for anything else.
    ///
    /// - Parameters:
    ///   - text: A host, a port, or both.
    ///   - standardPort: The port if the text has none.
    public init?(_ text: String, standardPort: Int = Self.standardPort) {
      var host = text[...]
      var port = standardPort
      if let colon = text.lastIndex(of: ":"), text.hasPrefix("[") == text[..<colon].hasSuffix("]"),
        text.hasPrefix("[") || text.firstIndex(of: ":") == colon
      {
        guard let number = Int(text[text.index(after: colon)...]), (0...65_535).contains(number)
        else { return nil }
        (host, port) = (text[..<colon], number)
      }
      if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
      if host.isEmpty { host = "127.0.0.1" }
      if host == "localhost" { host = "127.0.0.1" }
      guard HostName.isAddress(String(host)) else { return nil }
      self.init(host: String(host), port: port)
    }

    /// True if only this machine can reach it.
    public var isLoopback: Bool { host == "::1" || host.hasPrefix("127.") }

    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
  }

  /// The permissions of a client.
  public enum Role: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    /// See video, levels and states.
    case view
    /// Start, stop, split, mark and choose presets as well.
    case operate

    public static func < (first: Self, second: Self) -> Bool {
      first == .view && second == .operate
    }
  }

  /// A secret, and the role of its owner.
  public struct Token: Sendable, Hashable {
    /// The name of its owner in the log.
    public var name: String
    public var role: Role
    /// 16 to 200 letters, digits and `-._~`.
    public var secret: String

    /// A token of its parts.
    public init(name: String, role: Role, secret: String) {
      self.name = name
      self.role = role
      self.secret = secret
    }
  }

  /// A certificate for TLS: files in PEM.
  public struct Certificate: Sendable, Hashable {
    /// The certificate, and those between it and the root.
    public var chainPath: String
    public var keyPath: String
    /// True for a certificate that the gateway makes, and replaces before it expires.
    public var isSelfMade = false
  }

  /// A channel: a recorder that is started, or that runs already.
  public struct Channel: Sendable, Hashable {
    /// The name in addresses: 1 to 32 letters, digits, `-` and `_`.
    public var name: String
    /// The name for people.
    public var title: String
    /// The socket of a recorder that the gateway does not start; nil for one that it starts.
    public var socketPath: String?
    /// The device; nil for the user's default, or the best one present.
    public var device: String?
    /// The audio device; nil for the preset's.
    public var audio: String?
    /// The preset's name; nil for the user's default.
    public var preset: String?
    /// The movies' name, with wildcards; nil for the preset's.
    public var output: String?
    /// The folder of the movies; nil for the user's default, or the working folder.
    public var folder: String?
    /// The library that takes are moved into; nil for none.
    public var library: String?
    /// A folder on another disk for a copy of each movie; nil for none.
    public var secondFolder: String?
    /// Where completed movies are sent, and how; nil for nowhere.
    public var upload: Upload?
    /// Where the HyperDeck Ethernet Protocol is spoken for it; nil for nowhere.
    public var hyperDeckAddress: Address?
    /// Where Open Sound Control is heard for it, over UDP; nil for nowhere.
    public var oscAddress: Address?
    /// Where it answers as Blackmagic's decks do over HTTP; nil for nowhere.
    public var restAddress: Address?
    /// True to stand by between takes from the start.
    public var startsOnStandby = false

    /// A channel with default settings.
    public init(name: String, title: String? = nil) {
      self.name = name
      self.title = title ?? name
    }

    /// The addresses of protocols without tokens, by their keys.
    var protocolAddresses: [String: Address] {
      ["hyperdeck": hyperDeckAddress, "osc": oscAddress, "rest": restAddress].compactMapValues(
        \.self)
    }
  }

  /// Proxies for browsers.
  public struct Proxies: Sendable, Hashable {
    /// The folder for proxies; nil for `recordctl/proxies` in the user's cache.
    public var folder: String?
    /// True to make one of each take that ends; else one is made when it is asked for.
    public var isAutomatic = false
  }

  /// Whether the gateway can be found by multicast DNS.
  public struct Announcing: Sendable, Hashable {
    /// The folder of Avahi's service files; nil for the system's.
    public var folder: String?
    /// True to announce the services that can be reached from other machines.
    public var isOn = true
  }

  /// Where a channel's movies are uploaded as they are completed, in the words of the recorder's options.
  public struct Upload: Sendable, Hashable {
    /// `s3://BUCKET/PREFIX`.
    public var address: String
    /// Bytes a second, such as `50MB`; nil for no limit.
    public var bandwidth: String?
    /// For how long nobody may delete the objects, such as `10y`; nil for the bucket's own rule.
    public var objectLock: String?
    /// True to remove each movie whose object is verified.
    public var removesVerified = false
  }

  public var address = Address()
  public var proxies = Proxies()
  public var announcing = Announcing()
  /// Additional names by which browsers may address the machine.
  public var hostNames: [String] = []
  public var certificate: Certificate?
  /// The networks whose HyperDeck, REST and OSC clients are served. These clients have no tokens.
  public var allowed = NetworkRange.loopback
  /// Empty to have two made: one to operate and one to view.
  public var tokens: [Token] = []
  public var channels: [Channel]

  /// The most channels of one gateway.
  public static let channelLimit = 64

  /// A configuration of these channels, on this machine's loopback.
  public init(channels: [Channel]) { self.channels = channels }
}

/// The syntax of host names.
enum HostName {
  /// True for an IPv4 or IPv6 address in digits.
  static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count == 4, parts.allSatisfy({ UInt8($0) != nil }) { return true }
    return text.contains(":")
      && text.allSatisfy { $0 == ":" || $0 == "." || $0.isHexDigit } && text.count <= 45
  }
}
