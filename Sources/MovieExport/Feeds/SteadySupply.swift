import AssetReader
import MediaCore

/// The samples of another supply, where a single time stamp that strays is mended: hours ahead, or back, while
/// the samples before and behind it follow each other.
///
/// A stray one looks like a gap or like another part of the source until the next sample of its track is known.
/// So a sample that leaps waits for that one, and what comes between waits with it.
final class SteadySupply: SampleSupply {
  private let supply: any SampleSupply
  private let pictures: AssetTrack.ID
  private let frame: MediaTime?
  /// When the last picture began and the last sound ended.
  private var reached: [AssetTrack.ID: MediaTime] = [:]
  /// The first of them is doubted.
  private var waiting: [AssetSample] = []
  private var ready: [AssetSample] = []
  /// Why nothing follows what is ready.
  private var failure: AssetReaderError?
  private var isOver = false
  /// A sample that was put behind the one before it, whatever its time stamp says.
  struct Stray: Hashable {
    let isPicture: Bool
    /// Where it was put, by the source's clock.
    let time: MediaTime
  }

  private var strays: [Stray] = []

  /// A step ahead beyond which a time stamp is doubted, and behind which the next one does not go on.
  private static let pause = MediaTime(value: 1, timescale: 1)
  /// How far back sound may step undoubted.
  private static let stepBack = MediaTime(value: 250, timescale: 1000)
  /// How near sound that goes on is to the end of the sound before.
  private static let tolerance = MediaTime(value: 100, timescale: 1000)
  /// Samples that wait at most: a picture may be held for minutes of sound.
  private static let limit = 256
  /// Pictures among them, which are large.
  private static let pictureLimit = 16

  /// - Parameter pictures: The track of the pictures; the others are sound.
  init(_ supply: any SampleSupply, pictures: AssetTrack.ID, rate: FrameRate?) {
    (self.supply, self.pictures, frame) = (supply, pictures, rate?.frameDuration)
  }

  var account: PictureAccount? { supply.account }
  var packets: PacketWatch? { supply.packets }

  /// The samples that were put elsewhere since this was asked last.
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

  /// Lets go of what waits, up to a sample that is still doubted.
  ///
  /// - Parameter isLast: True where nothing follows that could say more.
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
      || waiting.count(where: { $0.trackID == pictures }) > Self.pictureLimit
  }

  private func release(_ sample: AssetSample) {
    ready.append(sample)
    let buffer = sample.sampleBuffer
    let isPicture = sample.trackID == pictures
    let time =
      isPicture ? buffer.presentationTimeStamp : buffer.presentationTimeStamp + buffer.duration
    if time.isNumeric { reached[sample.trackID] = time }
  }

  private func isDoubtful(_ sample: AssetSample) -> Bool {
    let time = sample.sampleBuffer.presentationTimeStamp
    guard let last = reached[sample.trackID], time.isNumeric else { return false }
    let back = sample.trackID == pictures ? frame ?? .zero : Self.stepBack
    return time - last > Self.pause || last - time > back
  }

  /// A doubted sample at the place between those before and behind it; nil where these do not follow each other.
  private func mended(_ sample: AssetSample, before next: AssetSample) -> AssetSample? {
    guard let last = reached[sample.trackID] else { return nil }
    let following = next.sampleBuffer.presentationTimeStamp
    guard following.isNumeric else { return nil }
    var mended = sample
    if sample.trackID == pictures {
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
        isPicture: sample.trackID == pictures, time: mended.sampleBuffer.presentationTimeStamp))
    return mended
  }
}
