import Dispatch
import MediaCore
import Synchronization

/// The slots of a stream: handed out one a frame, back when the last consumer lets go.
final class PatternRing: Sendable {
  let slots: [PatternSlot]
  private let free: Mutex<[Bool]>
  private let returned = DispatchSemaphore(value: 0)

  init(_ details: PixelBuffer.Description, count: Int) throws(CaptureError) {
    var slots: [PatternSlot] = []
    for _ in 0..<max(count, 2) { slots.append(try PatternSlot(details)) }
    self.slots = slots
    self.free = Mutex(Array(repeating: true, count: slots.count))
  }

  /// A free slot, the one of `phase` where it is; nil where consumers hold them all.
  func take(phase: Int) -> Int? {
    free.withLock { free in
      let index = free[phase] ? phase : free.firstIndex(of: true)
      if let index { free[index] = false }
      return index
    }
  }

  /// Waits until a slot came back, or some milliseconds.
  func waitForReturn() { _ = returned.wait(timeout: .now() + .milliseconds(50)) }

  func put(_ index: Int) {
    free.withLock { $0[index] = true }
    returned.signal()
  }
}
