import CaptureDevices
import Logging
import MediaCore
import RecorderControl
import Synchronization

extension Gateway {
  /// Replaces the configuration while the gateway is serving. No take ends or is disturbed: changes that
  /// concern a recorder wait until it has no take.
  ///
  /// New channels are added, and missing ones removed. Tokens, names, networks and certificates take effect
  /// immediately, and WebSockets of removed tokens are closed. To be called by one task at a time.
  ///
  /// - Parameter wanted: A valid configuration.
  /// - Returns: What has changed, what waits and why, and what needs a restart, a line each.
  /// - Throws: ``ServiceError/Code/runtimeFolderFailed`` or ``ServiceError/Code/invalidCertificate``, before
  ///   anything has changed.
  public func reload(_ wanted: ServiceConfiguration) async throws(ServiceError) -> [String] {
    var wanted = wanted
    if wanted.tokens.isEmpty { wanted.tokens = try folder.tokens() }
    let before = configuration
    var lines = fixed(before, &wanted)
    if let certificate = wanted.certificate {
      try await prepareCertificate(wanted)
      if try renew(certificate) {
        lines.append("[tls]: a new certificate is in use\(fingerprintText)")
      } else if certificate != before.certificate {
        lines.append("[tls]: the certificate of \(certificate.chainPath) is the one in use")
      }
    }
    let gone = admit(wanted, before)
    if !gone.isEmpty {
      lines.append("tokens removed or changed: \(gone.sorted().joined(separator: ", "))")
    }
    let served = state.withLock { $0.channels }
    let names = Set(wanted.channels.map(\.name))
    let heirs = noteHeirs(of: served.map(\.configuration), among: wanted.channels)
    for one in served where !names.contains(one.channel.name) {
      lines.append(await remove(one, heir: heirs[one.channel.name]))
    }
    for channel in wanted.channels {
      if let one = served.first(where: { $0.channel.name == channel.name }) {
        lines += await change(one, to: channel, allowed: wanted.allowed)
      } else {
        add(channel)
        lines.append("channel \(channel.name): added")
      }
    }
    order(by: wanted.channels.map(\.name))
    announce()
    return lines.isEmpty ? ["the configuration is unchanged"] : lines
  }

  /// Restores what cannot be changed without a restart, and returns a line about each.
  private func fixed(
    _ before: ServiceConfiguration, _ wanted: inout ServiceConfiguration
  ) -> [String] {
    var lines: [String] = []
    if wanted.address != before.address {
      lines.append("listen: remains \(before.address) until the gateway is restarted")
      wanted.address = before.address
    }
    if (wanted.certificate == nil) != (before.certificate == nil) {
      let state = before.certificate == nil ? "off" : "on"
      lines.append("[tls]: remains \(state) until the gateway is restarted")
      wanted.certificate = before.certificate
    }
    if wanted.proxies.folder != before.proxies.folder {
      lines.append("[proxies] folder: remains \(proxies.path) until the gateway is restarted")
      wanted.proxies.folder = before.proxies.folder
    }
    return lines
  }

  /// Lets in whom the configuration names, from now on.
  ///
  /// - Returns: The names of tokens that are gone.
  private func admit(
    _ wanted: ServiceConfiguration, _ before: ServiceConfiguration
  ) -> Set<String> {
    let gone = Set(before.tokens).subtracting(wanted.tokens)
    state.withLock { state in
      state.configuration = wanted
      state.policy = AccessPolicy(
        tokens: wanted.tokens, hostNames: wanted.hostNames + Machine.names,
        limits: state.policy.limits)
      state.presets = Self.listPresets()
    }
    let names = Set(gone.map(\.name))
    streams.close(clients: names)
    return names
  }

  private func remove(_ one: ServedChannel, heir: String?) async -> String {
    let name = one.channel.name
    let takes = Self.inheritance(of: one.channel, heir)
    let drop: @Sendable () async -> Void = { [weak self] in await self?.drop(one) }
    guard one.channel.isOwn else {
      one.cancelChange()
      await drop()
      return "channel \(name): removed; its recorder is not the gateway's, and continues\(takes)"
    }
    let reason = await one.retire(
      note: "no longer in the configuration: it ends once it has no take", then: drop)
    guard let reason else { return "channel \(name): removed\(takes)" }
    return "channel \(name): kept until it has no take: \(reason)\(takes)"
  }

  private func change(
    _ one: ServedChannel, to wanted: ServiceConfiguration.Channel, allowed: [NetworkRange]
  ) async -> [String] {
    let before = one.configuration
    let name = wanted.name
    let isAnother = before.socketPath != wanted.socketPath
    let words = launch(wanted, folder.socketPath(ofChannel: name))
    let isSame = one.applied == (wanted.socketPath == nil ? words : nil)
    var (difference, fault): (String?, String?) = (nil, nil)
    do throws(CaptureError) { difference = try one.otherThanStarted(wanted) } catch {
      // A new recorder could not start, so the running one is kept, whatever has changed.
      fault = "its recorder is unchanged: \(error.message)"
    }
    guard isAnother || fault == nil && (!isSame || difference != nil) else {
      // This also covers a pending change that was taken back.
      one.cancelChange()
      one.channel.replace(words: words)
      one.channel.note(fault)
      await one.adopt(wanted, allowed: allowed)
      return [before == wanted ? nil : "changed", fault].compactMap(\.self)
        .map { "channel \(name): \($0)" }
    }
    if isAnother {
      let replace: @Sendable () async -> Void = { [weak self] in
        guard let self else { return }
        await drop(one)
        add(wanted)
        order(by: configuration.channels.map(\.name))
      }
      guard one.channel.isOwn else {
        await replace()
        return ["channel \(name): has a different recorder now"]
      }
      return Self.line(
        name, await one.retire(note: Self.waiting, then: replace), "has a different recorder now")
    }
    one.channel.replace(words: words)
    await one.adopt(wanted, allowed: allowed)
    return Self.line(
      name, await one.retire(note: Self.waiting) { one.apply() },
      isSame
        ? "\(difference ?? "its settings have changed"): its recorder restarts"
        : "its recorder restarts with its settings")
  }

  private static let waiting = "the configuration has changed: it applies after the current take"

  private static func line(_ name: String, _ reason: String?, _ done: String) -> [String] {
    guard let reason else { return ["channel \(name): \(done)"] }
    return ["channel \(name): gets its settings when it has no take: \(reason)"]
  }
}
