public import MediaCore
import Synchronization

/// Where a reader's samples come from: a track of its asset, or several that are drawn over one another.
///
/// Unchecked: what it keeps is constant or behind a lock.
public class AVAssetReaderOutput: @unchecked Sendable {
  private struct Owner { weak var reader: AVAssetReader? }

  private enum Phase: Sendable {
    case idle
    case reading(TrackReading)
    case ended
  }

  /// What the output gives.
  public let mediaType: AVMediaType
  /// Samples are never written to by anybody else: true changes nothing.
  public var alwaysCopiesSampleData: Bool {
    get { true }
    set {}
  }
  /// False: a reader goes from the beginning of its time range to its end.
  public var supportsRandomAccess: Bool {
    get { false }
    set {}
  }

  private let sources: [AVAssetTrack]
  /// The form of the samples, or what is wrong with the program's settings.
  private let wish: Result<TrackReading.Wish, AVError>
  private let phase = Mutex(Phase.idle)
  /// Ends what a program's compositor is waited for, while ``phase`` is locked for that.
  private let cancellation = Mutex<(@Sendable () -> Void)?>(nil)
  private let owner = Mutex(Owner())

  init(_ sources: [AVAssetTrack], wish: Result<TrackReading.Wish, AVError>) {
    (self.sources, self.wish) = (sources, wish)
    mediaType = sources.first?.mediaType ?? .video
  }

  /// The next picture or run of sound; nil at the end, before reading has started, and where reading
  /// failed: the reader's status tells which. Blocks while the file is read and decoded.
  public func copyNextSampleBuffer() -> CMSampleBuffer? {
    let reader = owner.withLock { $0.reader }
    do throws(AVError) {
      let sample = try phase.withLock { phase throws(AVError) -> CMSampleBuffer? in
        guard case .reading(let reading) = phase else { return nil }
        let sample = try reading.next()
        if sample == nil { phase = .ended }
        return sample
      }
      if sample == nil { reader?.noteEnd() }
      return sample
    } catch {
      end()
      reader?.fail(error)
      return nil
    }
  }

  /// Says that nothing more will be set; it does nothing here.
  public func markConfigurationAsFinal() {}

  var hasEnded: Bool {
    phase.withLock { if case .ended = $0 { true } else { false } }
  }

  func isOf(_ asset: AVAsset) -> Bool {
    sources.allSatisfy { track in
      track.asset === asset || (track.location != nil && track.location == asset.location)
    }
  }

  /// What gives samples of an asset within a range.
  func reading(
    of asset: AVAsset, _ wish: TrackReading.Wish, _ range: CMTimeRange
  ) throws(AVError) -> TrackReading {
    guard let track = sources.first else {
      throw AVError(.invalidSourceMedia, "an output is of one track or more")
    }
    return try TrackReading(track, wish, range)
  }

  func start(for reader: AVAssetReader, _ range: CMTimeRange) throws(AVError) {
    let reading = try reading(of: reader.asset, try wish.get(), range)
    owner.withLock { $0.reader = reader }
    cancellation.withLock { $0 = reading.cancellation }
    phase.withLock { $0 = .reading(reading) }
  }

  func end() {
    cancellation.withLock { $0.take() }?()
    phase.withLock { $0 = .ended }
  }
}

extension AVAssetReaderOutput: Hashable {
  /// True for the same object.
  public static func == (lhs: AVAssetReaderOutput, rhs: AVAssetReaderOutput) -> Bool {
    lhs === rhs
  }
  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Gives the decoded samples of a track.
///
/// Unchecked as its superclass; what it adds is constant.
public final class AVAssetReaderTrackOutput: AVAssetReaderOutput, @unchecked Sendable {
  /// What is read.
  public let track: AVAssetTrack
  /// How, as it was given.
  public let outputSettings: [String: Any]?

  /// An output of a track.
  ///
  /// - Parameters:
  ///   - track: The track.
  ///   - outputSettings: For pictures `kCVPixelBufferPixelFormatTypeKey`, and width and height for another
  ///     size; empty for the layout that the decoder gives. For sound `AVFormatIDKey` with
  ///     `kAudioFormatLinearPCM`, in the rate and channels of the track. Nil gives uncompressed sound as it is
  ///     stored; of compressed tracks, with Apple's their packets, it is a mistake.
  public init(track: AVAssetTrack, outputSettings: [String: Any]?) {
    self.track = track
    self.outputSettings = outputSettings
    super.init(
      [track],
      wish: Result { () throws(AVError) in
        guard let facts = track.facts else {
          throw AVError(.invalidSourceMedia, "the composition's track is empty")
        }
        return try TrackReading.Wish(outputSettings, for: facts)
      })
  }
}
