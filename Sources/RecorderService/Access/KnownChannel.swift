import MediaCore

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A channel of the gateway's last configuration, as far as it identifies a renamed one.
struct KnownChannel: Codable {
  var name: String
  var socketPath: String?
  var device: String?
  var folder: String?
  /// The channel that takes over the takes of a removed one; nil for a channel that is not removed.
  var heir: String?

  init(_ channel: ServiceConfiguration.Channel) {
    name = channel.name
    (socketPath, device, folder) = (channel.socketPath, channel.device, channel.folder)
  }

  init(name: String, heir: String) { (self.name, self.heir) = (name, heir) }

  /// The channel with what is known of it.
  var channel: ServiceConfiguration.Channel {
    var channel = ServiceConfiguration.Channel(name: name)
    (channel.socketPath, channel.device, channel.folder) = (socketPath, device, folder)
    return channel
  }
}

extension RuntimeFolder {
  private var channelsPath: String { "\(path)/channels.json" }

  /// The channels that the last gateway noted; none if there was none.
  ///
  /// - Throws: ``ServiceError/Code/runtimeFolderFailed``.
  func knownChannels() throws(ServiceError) -> [KnownChannel] {
    guard let bytes = try GatewayFile.read(channelsPath, limit: 1 << 20) else { return [] }
    guard let known = JSONText.value([KnownChannel].self, bytes) else {
      throw ServiceError(.runtimeFolderFailed, "\(channelsPath) is not a list of channels")
    }
    return known
  }

  /// Notes channels for the next gateway.
  ///
  /// - Throws: ``ServiceError/Code/runtimeFolderFailed``.
  func remember(_ channels: [KnownChannel]) throws(ServiceError) {
    try GatewayFile.write(JSONText.contents(channels), channelsPath)
  }

  /// True if there is a list of takes of a channel.
  func hasTakes(ofChannel name: String) -> Bool { access(takesPath(ofChannel: name), F_OK) == 0 }
}
