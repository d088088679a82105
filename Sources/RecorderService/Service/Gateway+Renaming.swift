import Logging
import MediaCore
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

  /// Determines the heirs of removed channels, also of those that an earlier reload removed and that still have a
  /// take, and notes them for the next gateway.
  ///
  /// - Returns: The names of the heirs, by the names of the removed channels.
  func noteHeirs(
    of before: [ServiceConfiguration.Channel], among wanted: [ServiceConfiguration.Channel]
  ) -> [String: String] {
    let names = Set(wanted.map(\.name))
    let new = Self.heirs(of: before, among: wanted)
    let heirs = state.withLock { state in
      let former = state.heirs.compactMapValues { names.contains($0) ? $0 : new[$0] }
      state.heirs = former.merging(new) { former, _ in former }
        .filter { !names.contains($0.key) }
      return state.heirs
    }
    remember(wanted)
    return heirs
  }

  /// Passes on the takes of channels that were renamed before this gateway started.
  func inheritFromRenamed() {
    let wanted = configuration.channels
    let names = Set(wanted.map(\.name))
    let known: [KnownChannel]
    do throws(ServiceError) { known = try folder.knownChannels() } catch {
      logger.warning("channels renamed meanwhile do not keep their takes: \(error.message)")
      known = []
    }
    let before = known.filter { names.contains($0.name) || folder.hasTakes(ofChannel: $0.name) }
    state.withLock { state in
      for channel in before { state.heirs[channel.name] = channel.heir }
    }
    // What identifies a removed channel is not known any more, but its heir is.
    let heirs = noteHeirs(
      of: before.filter { $0.heir == nil }.map(\.channel), among: wanted)
    for (name, heir) in heirs.sorted(by: { $0.key < $1.key }) {
      let shelf = TakeShelf(path: folder.takesPath(ofChannel: name))
      if let failure = shelf.takeFailure() { logger.warning("channel \(name): \(failure)") }
      let count = shelf.all.count
      guard count > 0 else { continue }
      bequeath(shelf, to: heir)
      let takes = count == 1 ? "its take" : "its \(count) takes"
      logger.notice("channel \(name) was renamed; channel \(heir) lists \(takes)")
    }
  }

  /// Notes channels and heirs for the next gateway.
  private func remember(_ channels: [ServiceConfiguration.Channel]) {
    let heirs = state.withLock { $0.heirs }
    let known =
      channels.map { KnownChannel($0) }
      + heirs.sorted { $0.key < $1.key }.map { KnownChannel(name: $0.key, heir: $0.value) }
    do throws(ServiceError) { try folder.remember(known) } catch {
      logger.warning("a channel renamed before the next start loses its takes: \(error.message)")
    }
  }

  /// Passes the takes of a removed channel on to another one, which may still be missing. If they cannot be written,
  /// they also stay where they are, for the next gateway.
  func bequeath(_ shelf: TakeShelf, to heir: String) {
    let records = shelf.all
    guard !records.isEmpty else { return _ = shelf.release() }
    let other = channel(named: heir)
    // If it is still missing, it reads the file.
    let inheriting = other?.shelf ?? TakeShelf(path: folder.takesPath(ofChannel: heir))
    if inheriting.inherit(records) { _ = shelf.release() }
    guard let other else {
      guard let failure = inheriting.takeFailure() else { return }
      return logger.warning("channel \(heir): \(failure)")
    }
    tellFailure(ofShelfOf: other)
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
