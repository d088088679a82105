import MediaCore
import Synchronization
import TestSupport

@testable import VideoRecorder

/// An output that remembers what it received.
final class RecordingOutput: CaptureOutput, @unchecked Sendable {
  private let mediaType: MediaType
  private let seen = Mutex<[MediaTime]>([])
  private let stopped = Counter()

  init(_ mediaType: MediaType) {
    self.mediaType = mediaType
    super.init()
  }

  var times: [MediaTime] { seen.withLock { $0 } }
  var stops: Int { stopped.value }

  override func connectionLimit(for mediaType: MediaType) -> Int {
    mediaType == self.mediaType ? 1 : 0
  }
  override func receive(_ event: CaptureEvent, from connection: CaptureConnection) {
    guard case .sample(let sample) = event else { return }
    seen.withLock { $0.append(sample.presentationTimeStamp) }
  }
  override func sessionDidStop() { stopped.add() }
}
