import AssetReader
import MediaCore

/// Passes on another supply's samples and corrects single stray time stamps, which lie hours ahead
/// or back while the samples before and after follow each other.
///
/// Until the next sample of its track is known, a stray time stamp looks like a gap or another part
/// of the source. So a sample that jumps waits for the next one, and everything in between waits
/// too.
final class SteadySupply: SampleSupply {
  private let supply: any SampleSupply
  private let video: AssetTrack.ID
  private let frame: MediaTime?
  /// The start of the last frame, or the end of the last audio, of each track.
  private var reached: [AssetTrack.ID: MediaTime] = [:]
  /// Samples that wait because the first of them is doubtful.
  private var waiting: [AssetSample] = []
  private var ready: [AssetSample] = []
  /// The error to throw after the ready samples.
  private var failure: AssetReaderError?
  private var isOver = false
  /// A sample that was moved to follow the previous one, overriding its time stamp.
  struct Stray: Hashable {
    let isVideo: Bool
    /// Its new time on the source's clock.
    let time: MediaTime
  }

  private var strays: [Stray] = []

  /// A larger step ahead makes a time stamp doubtful, and means that the next sample does not
  /// continue.
  private static let pause = MediaTime(value: 1, timescale: 1)
  /// How far audio may step back without being doubtful.
  private static let stepBack = MediaTime(value: 250, timescale: 1000)
  /// How close continuing audio must be to the end of the previous audio.
  private static let tolerance = MediaTime(value: 100, timescale: 1000)
  /// The most samples that wait: a frame may wait through minutes of audio.
  private static let limit = 256
  /// The most frames among them, because frames are large.
  private static let frameLimit = 16

  /// - Parameter video: The video track; all others are audio.
  init(_ supply: any SampleSupply, video: AssetTrack.ID, rate: FrameRate?) {
    (self.supply, self.video, frame) = (supply, video, rate?.frameDuration)
  }

  var account: FrameAccount? { supply.account }
  var packets: PacketWatch? { supply.packets }

  /// Removes and returns the samples moved since the last call.
  func takeStrays() -> [Stray] {
    defer { strays.removeAll() }
    return strays
  }

  func nextSample() throws(AssetReaderError) -> AssetSample? {
    while true {
      if !ready.isEmpty { return ready.removeFirst() }
      if let error = failure.take() { throw error }
      guard !isOver else { return nil }
      do throws(AssetReaderError) {
        if let sample = try supply.nextSample() { waiting.append(sample) } else { isOver = true }
        settle(isLast: isOver)
      } catch {
        guard error.code != .decodeFailed, error.code != .cancelled else { throw error }
        failure = error
        settle(isLast: true)
      }
    }
  }

  /// Releases waiting samples, up to one that is still doubtful.
  ///
  /// - Parameter isLast: True if no more samples follow.
  private func settle(isLast: Bool) {
    while let first = waiting.first {
      if isDoubtful(first) {
        let next = waiting.dropFirst().first { $0.trackID == first.trackID }
        guard next != nil || isLast || isFull else { return }
        release(next.flatMap { mended(first, before: $0) } ?? first)
      } else {
        release(first)
      }
      waiting.removeFirst()
    }
  }

  private var isFull: Bool {
    waiting.count > Self.limit
      || waiting.count(where: { $0.trackID == video }) > Self.frameLimit
  }

  private func release(_ sample: AssetSample) {
    ready.append(sample)
    let buffer = sample.sampleBuffer
    let isVideo = sample.trackID == video
    let time =
      isVideo ? buffer.presentationTimeStamp : buffer.presentationTimeStamp + buffer.duration
    if time.isNumeric { reached[sample.trackID] = time }
  }

  private func isDoubtful(_ sample: AssetSample) -> Bool {
    let time = sample.sampleBuffer.presentationTimeStamp
    guard let last = reached[sample.trackID], time.isNumeric else { return false }
    let back = sample.trackID == video ? frame ?? .zero : Self.stepBack
    return time - last > Self.pause || last - time > back
  }

  /// A doubtful sample, moved between its neighbors; nil if these do not follow each other.
  private func mended(_ sample: AssetSample, before next: AssetSample) -> AssetSample? {
    guard let last = reached[sample.trackID] else { return nil }
    let following = next.sampleBuffer.presentationTimeStamp
    guard following.isNumeric else { return nil }
    var mended = sample
    if sample.trackID == video {
      guard following > last, following - last <= Self.pause else { return nil }
      let half = (following - last).multiplied(by: 1, over: 2)
      mended.sampleBuffer.presentationTimeStamp = last + min(frame ?? half, half)
      if let frame { mended.sampleBuffer.duration = frame }
    } else {
      let off = following - (last + sample.sampleBuffer.duration)
      guard off.isNumeric, off <= Self.tolerance, .zero - off <= Self.tolerance else { return nil }
      mended.sampleBuffer.presentationTimeStamp = last
    }
    strays.append(
      Stray(
        isVideo: sample.trackID == video, time: mended.sampleBuffer.presentationTimeStamp))
    return mended
  }
}
