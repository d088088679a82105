import Dispatch
import Foundation
import MediaCore
import Synchronization
import TestPattern

/// The slots of a stream: handed out one a frame, back when the last consumer lets go.
final class PatternRing: Sendable {
  let slots: [FrameCanvas]
  /// The number of images behind the moving parts, whatever the number of slots, so that a stream with
  /// more of them shows the same. Slot `n` holds phase `n` modulo this.
  let phaseCount: Int
  private let free: Mutex<[Bool]>
  private let returned = DispatchSemaphore(value: 0)

  init(_ details: PixelBuffer.Description, count: Int) throws(CaptureError) {
    var slots: [FrameCanvas] = []
    do throws(MediaCoreError) {
      for _ in 0..<max(count, 2) { slots.append(try FrameCanvas(details)) }
    } catch {
      throw CaptureError(.deviceFailed, error.message, errno: ENOMEM)
    }
    self.slots = slots
    self.phaseCount = min(slots.count, Self.mostPhases)
    self.free = Mutex(Array(repeating: true, count: slots.count))
  }

  private static let mostPhases = 8

  /// A free slot, one that holds `phase` where there is one; nil where consumers hold them all.
  func take(phase: Int) -> Int? {
    free.withLock { free in
      let index =
        stride(from: phase, to: free.count, by: phaseCount).first { free[$0] }
        ?? free.firstIndex(of: true)
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
