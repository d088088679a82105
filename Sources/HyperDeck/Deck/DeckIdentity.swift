/// The identity that a deck reports.
public struct DeckIdentity: Sendable, Hashable {
  /// The model. Companion's choices depend on it: a name that contains `HD Plus`, `Studio Mini` or
  /// `4K Pro` gets those of that deck.
  public var model: String
  /// The name that people gave it.
  public var name: String
  /// A unique, permanent number: twelve hexadecimal digits.
  public var uniqueID: String
  /// The version of the protocol.
  public var protocolVersion: String
  /// The version of the recorder.
  public var softwareVersion: String
  /// The input's name: `SDI`, `HDMI`. Clients choose from a deck's inputs; this deck has a single one.
  public var videoInput: String
  /// The volume's name until the recorder reports its folder.
  public var volumeName: String

  /// A deck.
  ///
  /// - Parameters:
  ///   - name: The name that people gave it; its ``uniqueID`` is derived from it by default.
  ///   - model: See ``model``.
  ///   - uniqueID: See ``uniqueID``; nil to derive it from the name.
  ///   - protocolVersion: The version of the protocol that it reports.
  ///   - softwareVersion: Its software's version.
  ///   - videoInput: See ``videoInput``.
  ///   - volumeName: See ``volumeName``.
  public init(
    name: String = "Recorder", model: String = "HyperDeck Studio HD Plus",
    uniqueID: String? = nil, protocolVersion: String = "1.11",
    softwareVersion: String = "0.0.0", videoInput: String = "SDI", volumeName: String = "Recorder"
  ) {
    self.name = name
    self.model = model
    self.uniqueID = uniqueID ?? Self.number(of: name)
    self.protocolVersion = protocolVersion
    self.softwareVersion = softwareVersion
    self.videoInput = videoInput
    self.volumeName = volumeName
  }

  /// Twelve digits derived from a name (FNV-1a).
  private static func number(of name: String) -> String {
    let hash = name.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    let digits = String(hash & 0xFFFF_FFFF_FFFF, radix: 16)
    return String(repeating: "0", count: 12 - digits.count) + digits
  }
}
