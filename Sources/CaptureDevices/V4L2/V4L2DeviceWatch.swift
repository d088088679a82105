import Foundation
import MediaCore
import Synchronization
import SystemPackage

/// A device that came or went.
public enum V4L2DeviceChange: Sendable {
  /// A capture device was plugged in, or became one.
  case connected(CaptureDevice)
  /// A capture device is no longer there.
  case disconnected(CaptureDevice.Identity)
}

extension V4L2DeviceDriver {
  /// The capture devices that come and go from now on.
  ///
  /// A device that changes its node between two looks counts as gone and come. The stream ends
  /// when its task is cancelled. More than 256 changes that nobody takes push out the oldest.
  ///
  /// - Throws: ``CaptureError/Code/deviceFailed`` where the system cannot watch `/dev`.
  public static func changes() throws(CaptureError) -> AsyncStream<V4L2DeviceChange> {
    try V4L2DeviceWatch(calls: LinuxSystemCalls()).changes()
  }
}

/// Looks at the capture nodes whenever the folder of device nodes changes.
final class V4L2DeviceWatch: Sendable {
  private let discovery: V4L2Discovery
  private let notifier: Int32
  private let wakeup: Int32
  private let isStopped = Atomic<Bool>(false)

  init(calls: any V4L2SystemCalls) throws(CaptureError) {
    self.discovery = V4L2Discovery(calls: calls)
    do throws(Errno) {
      let notifier = try calls.watch(discovery.devices)
      do throws(Errno) {
        self.wakeup = try calls.makeWakeup()
      } catch {
        calls.close(notifier)
        throw error
      }
      self.notifier = notifier
    } catch {
      throw CaptureError(
        .deviceFailed,
        "cannot watch \(discovery.devices) for devices: \(error); look for them anew instead",
        errno: error)
    }
  }

  deinit {
    discovery.calls.close(notifier)
    discovery.calls.close(wakeup)
  }

  /// The changes, in a stream that ends with its consumer.
  func changes() -> AsyncStream<V4L2DeviceChange> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: V4L2DeviceChange.self, bufferingPolicy: .bufferingNewest(256))
    let before = Self.byNode(discovery.nodes())
    let thread = Thread { [self] in
      run(before) { continuation.yield($0) }
      continuation.finish()
    }
    thread.name = "v4l2-devices"
    continuation.onTermination = { [weak self] _ in self?.stop() }
    thread.start()
    return stream
  }

  private func stop() {
    isStopped.store(true, ordering: .releasing)
    discovery.calls.signal(wakeup)
  }

  private func run(
    _ start: [String: CaptureDevice.Identity], _ tell: (V4L2DeviceChange) -> Void
  ) {
    var known = start
    var isPending = false
    while !isStopped.load(ordering: .acquiring) {
      // A node comes before its permissions do: look once things have been quiet for a moment.
      let ready =
        (try? discovery.calls.poll(
          device: notifier, wakeup: wakeup, milliseconds: isPending ? 150 : 10_000)) ?? .wakeup
      if ready.contains(.wakeup), isStopped.load(ordering: .acquiring) { return }
      if ready.contains(.buffer) {
        discovery.calls.drain(notifier)
        isPending = true
        continue
      }
      guard isPending else { continue }
      isPending = false
      let present = Self.byNode(discovery.nodes())
      for (node, identity) in known where present[node] != identity {
        tell(.disconnected(identity))
      }
      for (node, identity) in present where known[node] != identity {
        tell(
          .connected(CaptureDevice(driver: V4L2DeviceDriver(identity, calls: discovery.calls))))
      }
      known = present
    }
  }

  private static func byNode(
    _ nodes: [V4L2Discovery.Node]
  ) -> [String: CaptureDevice.Identity] {
    Dictionary(nodes.map { ($0.path, $0.identity) }) { first, _ in first }
  }
}
