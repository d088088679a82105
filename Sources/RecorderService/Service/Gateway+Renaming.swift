import RecorderControl
import Synchronization

/// Channels that are renamed keep their list of takes.
extension Gateway {
  /// Matches removed channels to new ones that have the same recorder, or the same device and folder.
  /// Ambiguous matches are left out.
  ///
  /// - Returns: The names of new channels, by the names of the removed ones.
  static func heirs(
    of before: [ServiceConfiguration.Channel], among wanted: [ServiceConfiguration.Channel]
  ) -> [String: String] {
    let (oldNames, newNames) = (Set(before.map(\.name)), Set(wanted.map(\.name)))
    let gone = before.filter { !newNames.contains($0.name) }
    let new = wanted.filter { !oldNames.contains($0.name) }
    var heirs: [String: String] = [:]
    for channel in gone {
      let candidates = new.filter { $0.continues(with: channel) }
      guard candidates.count == 1, let heir = candidates.first,
        gone.filter({ heir.continues(with: $0) }).count == 1
      else { continue }
      heirs[channel.name] = heir.name
    }
    return heirs
  }

  /// Says what happens to the takes of a removed channel, as the end of a sentence; empty if it has none.
  static func inheritance(of channel: RecorderChannel, _ heir: String?) -> String {
    let count = channel.shelf.all.count
    guard count > 0 else { return "" }
    let takes = count == 1 ? "its take" : "its \(count) takes"
    return heir.map { "; channel \($0) lists \(takes)" }
      ?? "; \(takes) will be listed again only by a channel of this name; the movies are kept"
  }

  /// Passes the takes of a removed channel on to another one, which may still be missing.
  func bequeath(_ channel: RecorderChannel, to heir: String) {
    let records = channel.shelf.release()
    guard !records.isEmpty else { return }
    guard let other = self.channel(named: heir) else {
      // It reads the file.
      return TakeShelf(path: folder.takesPath(ofChannel: heir)).inherit(records)
    }
    other.shelf.inherit(records)
    makeMissingProxies(of: other)
  }
}

extension ServiceConfiguration.Channel {
  /// True if it has the same recorder as another channel, or starts one for the same device and folder.
  fileprivate func continues(with other: Self) -> Bool {
    guard socketPath == nil, other.socketPath == nil else { return socketPath == other.socketPath }
    return device == other.device && folder == other.folder
  }
}
