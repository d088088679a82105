import MediaCore
import Synchronization

/// A renderer that can follow a synchronizer's timeline.
protocol FollowingRenderer: AVQueuedSampleBufferRendering, Sendable {
  /// The timeline to follow; nil for the host clock.
  var controlTimebase: CMTimebase? { get set }
  /// Taken while the renderer belongs to a synchronizer.
  var claim: TimelineClaim { get }
}

extension FollowingRenderer {
  /// Follows a synchronizer's timeline; false if it already follows one.
  func follow(_ timebase: CMTimebase) -> Bool {
    guard claim.take() else { return false }
    controlTimebase = timebase
    return true
  }

  /// Follows the host clock again.
  func endFollowing() {
    controlTimebase = nil
    claim.giveBack()
  }
}

/// Ensures that only one synchronizer has a renderer.
final class TimelineClaim: Sendable {
  private let isTaken = Atomic(false)

  /// False if it is already taken.
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
