import MediaCore
import Synchronization

/// A renderer that can be told whose timeline to go by.
protocol FollowingRenderer: AVQueuedSampleBufferRendering, Sendable {
  /// The timeline to go by; nil for the host's clock.
  var controlTimebase: CMTimebase? { get set }
  /// Taken while a synchronizer has the renderer.
  var claim: TimelineClaim { get }
}

extension FollowingRenderer {
  /// Goes by a synchronizer's timeline; false if it goes by one already.
  func follow(_ timebase: CMTimebase) -> Bool {
    guard claim.take() else { return false }
    controlTimebase = timebase
    return true
  }

  /// Goes by the host's clock again.
  func endFollowing() {
    controlTimebase = nil
    claim.giveBack()
  }
}

/// That one synchronizer has a renderer, and no other one can.
final class TimelineClaim: Sendable {
  private let isTaken = Atomic(false)

  /// False if it is taken.
  func take() -> Bool {
    isTaken.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing)
      .exchanged
  }

  func giveBack() { isTaken.store(false, ordering: .releasing) }
}

extension AVSampleBufferVideoRenderer: FollowingRenderer {}
extension AVSampleBufferAudioRenderer: FollowingRenderer {}
extension AVSampleBufferDisplayLayer: FollowingRenderer {
  var claim: TimelineClaim { sampleBufferRenderer.claim }
}
