import CaptureDevices
import MediaCore
import RecorderControl
import Takes

/// The listening addresses of a configuration, each of which can be used once.
struct ListeningPlaces {
  private struct Place {
    /// The user of the address, in words.
    var name: String
    var address: ServiceConfiguration.Address
    /// True for UDP, whose ports are separate from those of TCP.
    var isDatagram: Bool
  }

  private var places: [Place] = []

  mutating func add(
    _ name: String, _ address: ServiceConfiguration.Address, isDatagram: Bool
  ) {
    places.append(Place(name: name, address: address, isDatagram: isDatagram))
  }

  /// Adds the addresses of a channel.
  ///
  /// - Throws: An error at the key of an address that is already used.
  mutating func add(
    _ channel: ServiceConfiguration.Channel, _ table: PresetTable
  ) throws(CaptureError) {
    for (key, address) in channel.protocolAddresses.sorted(by: { $0.key < $1.key }) {
      let isDatagram = key == "osc"
      let other = places.first {
        $0.isDatagram == isDatagram && $0.address.overlaps(address)
      }
      if let other {
        throw table.error(
          key, "\(address) is taken by \(other.name) at \(other.address); choose another port")
      }
      add("\(key) of channel \(channel.name)", address, isDatagram: isDatagram)
    }
  }
}

extension ServiceConfiguration {
  /// Replaces the configured address.
  ///
  /// - Throws: ``ServiceError/Code/invalidConfiguration`` if a channel uses the new one.
  public mutating func listen(on address: Address) throws(ServiceError) {
    for channel in channels {
      let places = channel.protocolAddresses.filter { $0.key != "osc" }
      let taken = places.sorted { $0.key < $1.key }.first { $0.value.overlaps(address) }
      guard let taken else { continue }
      throw ServiceError(
        .invalidConfiguration,
        "\(address) is taken by \(taken.key) of channel \(channel.name) at \(taken.value); choose another "
          + "port")
    }
    self.address = address
  }
}

extension ServiceConfiguration.Address {
  /// True if two servers could not listen on both. Port 0 stands for any free port.
  func overlaps(_ other: Self) -> Bool {
    guard port == other.port, port != 0 else { return false }
    if host == other.host || host == "::" || other.host == "::" { return true }
    let isSameFamily = host.contains(":") == other.host.contains(":")
    if isSameFamily, host == "0.0.0.0" || other.host == "0.0.0.0" { return true }
    // The same one in another spelling.
    return NetworkRange(host)?.contains(other.host) ?? false
  }
}
