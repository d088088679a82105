package import CaptureDevices
import MediaCore
import RecorderControl
import Takes

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

extension ServiceConfiguration {
  /// Reads a TOML file.
  ///
  /// - Throws: ``ServiceError/Code/invalidConfiguration`` with the file, line, column and key of the error.
  public init(path: String) throws(ServiceError) {
    do throws(CaptureError) {
      try self.init(text: PresetLibrary.read(path), path: path)
    } catch {
      throw ServiceError(.invalidConfiguration, from: error)
    }
  }

  /// The user's configuration: `recordctl/serve.toml` in the XDG configuration folder; nil if that file is missing.
  public static var standardPath: String? {
    let folder = UserConfiguration.folder(variable("XDG_CONFIG_HOME"), home: variable("HOME"))
    return access(folder + "/serve.toml", F_OK) == 0 ? folder + "/serve.toml" : nil
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Reads the text of a TOML file.
  ///
  /// - Parameter path: How messages call the file.
  package init(text: String, path: String) throws(CaptureError) {
    let root = PresetTable(try PresetDocument(text: text, path: path))
    try root.check(keys: "listen", "names", "allow", "tls", "proxies", "mdns", "token", "channel")
    self.init(channels: [])
    if let address = try root.parsed(
      "listen", wanted: "address; write 127.0.0.1:8437, 0.0.0.0:8437 or [::1]:8437",
      { Address($0) })
    {
      self.address = address
    }
    hostNames = try root.strings("names") ?? []
    if let networks = try root.strings("allow") {
      allowed = try networks.map { (text) throws(CaptureError) in
        guard let range = NetworkRange(text) else {
          throw root.error(
            "allow", "\"\(text)\" is not an address or a network; write 192.168.10.0/24")
        }
        return range
      }
    }
    if let table = try root.table("proxies") {
      try table.check(keys: "folder", "automatic")
      proxies.folder = try Self.folder(table)
      proxies.isAutomatic = try table.boolean("automatic") ?? false
    }
    if let table = try root.table("mdns") {
      try table.check(keys: "folder", "announce")
      announcing.folder = try Self.folder(table)
      announcing.isOn = try table.boolean("announce") ?? true
    }
    if let table = try root.table("tls") { certificate = try Self.certificate(table) }
    try readTokens(root)
    try readChannels(root)
  }

  private static func folder(_ table: PresetTable) throws(CaptureError) -> String? {
    guard let folder = try table.string("folder") else { return nil }
    guard folder.hasPrefix("/") else {
      throw table.error("folder", "must be an absolute path")
    }
    return folder
  }

  private mutating func readTokens(_ root: PresetTable) throws(CaptureError) {
    for table in try root.tables("token") {
      let token = try Self.token(table)
      guard !tokens.contains(where: { $0.secret == token.secret || $0.name == token.name }) else {
        throw table.error("name", "the token \(token.name) occurs twice")
      }
      tokens.append(token)
    }
  }

  private mutating func readChannels(_ root: PresetTable) throws(CaptureError) {
    var places = ListeningPlaces()
    places.add("listen", address, isDatagram: false)
    for table in try root.tables("channel") {
      let channel = try Self.channel(table)
      guard !channels.contains(where: { $0.name == channel.name }) else {
        throw table.error("name", "there is another channel of the name \(channel.name)")
      }
      guard channels.count < Self.channelLimit else {
        throw table.error("name", "more than \(Self.channelLimit) channels")
      }
      let open = channel.protocolAddresses.filter { !$0.value.isLoopback }.keys.min()
      if allowed == NetworkRange.loopback, let open {
        throw table.error(
          open,
          "beyond this machine it needs \"allow\": the networks that may control it without a token"
        )
      }
      try places.add(channel, table)
      channels.append(channel)
    }
    guard !channels.isEmpty else {
      throw root.error("channel", "no channel is configured; add a table [[channel]] with a name")
    }
  }

  private static func certificate(_ table: PresetTable) throws(CaptureError) -> Certificate {
    try table.check(keys: "certificate", "key", "self-made")
    if try table.boolean("self-made") ?? false {
      if let key = table.keys.first(where: { $0 != "self-made" }) {
        throw table.error(key, "is for a certificate from elsewhere; leave it or \"self-made\" out")
      }
      return .selfMade(variable)
    }
    guard let chain = try table.string("certificate") else {
      throw table.error("certificate", "is missing; name a file in PEM, or write self-made = true")
    }
    guard let key = try table.string("key") else {
      throw table.error("key", "is missing; name a file in PEM")
    }
    return Certificate(chainPath: chain, keyPath: key)
  }

  private static func token(_ table: PresetTable) throws(CaptureError) -> Token {
    try table.check(keys: "name", "role", "secret")
    guard let name = try table.string("name"), isName(name) else {
      throw table.error("name", nameRule)
    }
    guard let role = try table.choice("role", ["view": Role.view, "operate": Role.operate]) else {
      throw table.error("role", "is missing; write \"view\" or \"operate\"")
    }
    guard let secret = try table.string("secret"), AccessToken.isSecret(secret) else {
      throw table.error("secret", "must be 16 to 200 letters, digits and -._~")
    }
    return Token(name: name, role: role, secret: secret)
  }

  private static func channel(_ table: PresetTable) throws(CaptureError) -> Channel {
    try table.check(
      keys: "name", "title", "socket", "device", "audio", "preset", "output", "folder", "library",
      "second-folder", "standby", "hyperdeck", "osc", "rest", "upload", "upload-bandwidth",
      "upload-object-lock", "upload-remove")
    guard let name = try table.string("name"), isName(name) else {
      throw table.error("name", nameRule)
    }
    let title = try table.string("title")
    do throws(CaptureError) { try MovieName.check(title ?? "", as: "the title") } catch {
      throw table.error("title", error.message)
    }
    var channel = Channel(name: name, title: title)
    channel.socketPath = try table.string("socket")
    channel.device = try table.string("device")
    channel.audio = try table.string("audio")
    channel.preset = try table.string("preset")
    channel.output = try table.string("output")
    channel.folder = try table.string("folder")
    channel.library = try table.string("library")
    channel.secondFolder = try table.string("second-folder")
    channel.upload = try upload(table)
    channel.hyperDeckAddress = try table.parsed(
      "hyperdeck", wanted: "address; write 127.0.0.1:9993 or 0.0.0.0:9993",
      { Address($0, standardPort: 9993) })
    channel.oscAddress = try table.parsed(
      "osc", wanted: "address; write 127.0.0.1:8000 or 0.0.0.0:8000",
      { Address($0, standardPort: 8000) })
    channel.restAddress = try table.parsed(
      "rest", wanted: "address; write 127.0.0.1:8080 or 0.0.0.0:80",
      { Address($0, standardPort: 80) })
    channel.startsOnStandby = try table.boolean("standby") ?? false
    try checkIsStartedHere(channel, table)
    if let output = channel.output {
      do throws(CaptureError) { _ = try MovieName(presetName: output) } catch {
        throw table.error("output", error.message)
      }
      // The recorder takes this for a path, to which it adds no ending.
      channel.output = output.hasSuffix(".mov") ? output : output + ".mov"
    }
    try checkFolders(of: channel, table)
    return channel
  }

  /// Refuses settings for a recorder that the gateway does not start, which has its own.
  private static func checkIsStartedHere(
    _ channel: Channel, _ table: PresetTable
  ) throws(CaptureError) {
    let usable = ["name", "title", "socket", "hyperdeck", "osc", "rest"]
    guard channel.socketPath != nil, let key = table.keys.first(where: { !usable.contains($0) })
    else { return }
    throw table.error(
      key, "is for a recorder that is started from here; the one at \"socket\" runs already")
  }

  /// Takes go to two folders, the second one of the channel's own or of its preset.
  private static func checkFolders(of channel: Channel, _ table: PresetTable) throws(CaptureError) {
    var second = (key: "second-folder", path: channel.secondFolder)
    if let name = channel.preset {
      let preset: Preset
      do throws(CaptureError) { preset = try PresetLibrary().preset(named: name) } catch {
        throw table.error("preset", error.message)
      }
      if second.path == nil { second = ("preset", preset.secondFolder) }
    }
    guard let folder = channel.folder, let path = second.path,
      SecondFolder(path, beside: folder).isFirst
    else { return }
    let subject =
      second.key == "preset" ? "has \"folder\" as its second folder" : "is \"folder\" itself"
    throw table.error(
      second.key, "\(subject), and no take can start; name one on another disk")
  }

  private static func upload(
    _ table: PresetTable
  ) throws(CaptureError) -> ServiceConfiguration.Upload? {
    guard let address = try table.string("upload") else {
      for key in ["upload-bandwidth", "upload-object-lock", "upload-remove"]
      where table.keys.contains(key) {
        throw table.error(key, "needs \"upload\", the address that movies are sent to")
      }
      return nil
    }
    guard address.hasPrefix("s3://"), address.utf8.count > 7 else {
      throw table.error("upload", "is not an address; write \"s3://BUCKET/PREFIX\"")
    }
    guard try table.string("library") == nil else {
      throw table.error(
        "upload",
        "sends movies from where they are recorded; leave \"library\" out, which moves them")
    }
    var upload = ServiceConfiguration.Upload(address: address)
    upload.bandwidth = try table.string("upload-bandwidth")
    upload.objectLock = try table.string("upload-object-lock")
    upload.removesVerified = try table.boolean("upload-remove") ?? false
    return upload
  }

  private static let nameRule = "must be 1 to 32 letters, digits, - and _"

  /// True if a text can be the name of a channel or token.
  static func isName(_ text: String) -> Bool {
    (1...32).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
