import Foundation
import Synchronization
import SystemPackage

/// Checks for devices whenever a folder of device nodes changes; every two seconds if the system
/// cannot watch folders.
final class DeviceWatch: Sendable {
  /// A device as it was when it was seen: its own identity moves on with its node.
  private struct SeenDevice {
    var identity: CaptureDevice.Identity
    var device: CaptureDevice

    init(_ device: CaptureDevice) {
      (identity, self.device) = (device.identity, device)
    }
  }

  private let calls: any V4L2SystemCalls
  private let folders: [String]
  private let look: @Sendable () -> [CaptureDevice]
  /// -1 where the system cannot watch.
  private let notifier: Int32
  private let wakeup: Int32
  private let isStopped = Atomic<Bool>(false)

  /// A watch of folders.
  ///
  /// - Parameters:
  ///   - folders: The first has to be there; the others may come within it.
  ///   - look: Finds what is present.
  /// - Throws: What the system says when it has no descriptors left.
  init(
    _ folders: [String], calls: any V4L2SystemCalls,
    look: @escaping @Sendable () -> [CaptureDevice]
  ) throws(Errno) {
    (self.calls, self.folders, self.look) = (calls, folders, look)
    wakeup = try calls.makeWakeup()
    notifier = (try? calls.watch(folders[0])) ?? -1
  }

  deinit {
    if notifier >= 0 { calls.close(notifier) }
    calls.close(wakeup)
  }

  /// The changes from now on, in a stream that ends with its consumer. More than 256 that nobody takes push
  /// out the oldest.
  func changes() -> AsyncStream<CaptureDevice.PresenceChange> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: CaptureDevice.PresenceChange.self, bufferingPolicy: .bufferingNewest(256))
    watchLaterFolders()
    let before = look().map(SeenDevice.init)
    let thread = Thread { [self] in
      run(before) { continuation.yield($0) }
      continuation.finish()
    }
    thread.name = "device-watch"
    continuation.onTermination = { [weak self] _ in self?.stop() }
    thread.start()
    return stream
  }

  private func stop() {
    isStopped.store(true, ordering: .releasing)
    calls.signal(wakeup)
  }

  /// Folders that come with their first device, as that of sound cards does.
  private func watchLaterFolders() {
    guard notifier >= 0 else { return }
    for folder in folders.dropFirst() { try? calls.watch(folder, with: notifier) }
  }

  private func run(_ before: [SeenDevice], _ tell: (CaptureDevice.PresenceChange) -> Void) {
    var known = before
    var isPending = notifier < 0
    while !isStopped.load(ordering: .acquiring) {
      // A node comes before its permissions do: look once things have been quiet for a moment.
      let wait: Int32 = notifier < 0 ? 2000 : isPending ? 150 : 10_000
      let ready =
        (try? calls.poll(device: notifier, wakeup: wakeup, milliseconds: wait)) ?? .wakeup
      if ready.contains(.wakeup), isStopped.load(ordering: .acquiring) { return }
      if ready.contains(.buffer) {
        calls.drain(notifier)
        watchLaterFolders()
        isPending = true
        continue
      }
      guard isPending else { continue }
      isPending = notifier < 0
      let present = look().map(SeenDevice.init)
      let (old, new) = (Set(known.map(\.identity)), Set(present.map(\.identity)))
      for gone in known where !new.contains(gone.identity) { tell(.disconnected(gone.device)) }
      for come in present where !old.contains(come.identity) { tell(.connected(come.device)) }
      known = present
    }
  }
}
