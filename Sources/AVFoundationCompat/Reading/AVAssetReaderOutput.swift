public import MediaCore
import Synchronization

/// Where a reader's samples come from: a track of its asset, or several that are drawn over one another.
///
/// Unchecked: what it keeps is constant or behind a lock.
public class AVAssetReaderOutput: @unchecked Sendable {
  private struct Owner { weak var reader: AVAssetReader? }

  private enum Phase: Sendable {
    case idle
    /// What samples come from, and the ranges that are read after it.
    case reading(TrackReading, next: ReadingRanges)
    /// All is read, and the program may ask for other ranges.
    case drained
    case ended
  }

  /// What of ``supportsRandomAccess`` the program asked for.
  private struct Access: Sendable {
    var isRandom = false
    var isFinal = false
    /// A call that came too early, for which reading does not start.
    var mistake: AVError?
  }

  /// What ends waiting for a program's compositor; nil for nothing to wait for.
  private enum Cancellation: Sendable {
    case open((@Sendable () -> Void)?)
    case done
  }

  /// What the output gives.
  public let mediaType: AVMediaType
  /// Samples are never written to by anybody else: true changes nothing.
  public var alwaysCopiesSampleData: Bool {
    get { true }
    set {}
  }
  /// True to read other ranges with ``reset(forReadingTimeRanges:)`` after the end; false at first. To be set before
  /// reading starts; later changes make the reader fail.
  ///
  /// The reader is completed only after ``markConfigurationAsFinal()`` then.
  public var supportsRandomAccess: Bool {
    get { access.withLock { $0.isRandom } }
    set {
      guard let reader = owner.withLock({ $0.reader }) else {
        access.withLock { $0.isRandom = newValue }
        return
      }
      reader.fail(Self.misuse("random access is asked for before reading starts"))
    }
  }

  private let sources: [AVAssetTrack]
  /// The form of the samples, or what is wrong with the program's settings.
  private let wish: Result<TrackReading.Wish, AVError>
  private let phase = Mutex(Phase.idle)
  /// Ends what a program's compositor is waited for, while ``phase`` is locked for that.
  private let cancellation = Mutex(Cancellation.open(nil))
  private let access = Mutex(Access())
  private let owner = Mutex(Owner())

  init(_ sources: [AVAssetTrack], wish: Result<TrackReading.Wish, AVError>) {
    (self.sources, self.wish) = (sources, wish)
    mediaType = sources.first?.mediaType ?? .video
  }

  /// The next picture or run of audio; nil at the end, before reading has started, and where reading
  /// failed: the reader's status tells which. Blocks while the file is read and decoded.
  public func copyNextSampleBuffer() -> CMSampleBuffer? {
    let reader = owner.withLock { $0.reader }
    do throws(AVError) {
      let sample = try phase.withLock { phase throws(AVError) in
        try nextSample(&phase, for: reader)
      }
      if sample == nil { reader?.noteEnd() }
      return sample?.withOwnNotes()
    } catch {
      fail(error)
      return nil
    }
  }

  /// The next sample of what is read, or of the ranges after it.
  private func nextSample(
    _ phase: inout Phase, for reader: AVAssetReader?
  ) throws(AVError) -> CMSampleBuffer? {
    while case .reading(let reading, var ranges) = phase {
      while let sample = try reading.next() {
        guard ranges.takes(sample) else { continue }
        phase = .reading(reading, next: ranges)
        return sample
      }
      guard let reader, let range = ranges.popFirst() else {
        phase = access.withLock { $0.isRandom && !$0.isFinal } ? .drained : .ended
        return nil
      }
      phase = .reading(try open(range, of: reader.asset), next: ranges)
    }
    return nil
  }

  /// Reads other ranges of the asset, in their order and each picture once, in place of the reader's own range.
  ///
  /// Apple's takes them as `NSValue`, which cannot hold them here. Where Apple's stops the program, the reader fails:
  /// for an output that was not asked for random access, before ``copyNextSampleBuffer()`` has come to the end, after
  /// ``markConfigurationAsFinal()``, for no ranges, and for ranges that are no numbers, empty, overlap, or are not in
  /// order. Nothing happens once the reader has failed or was cancelled.
  ///
  /// - Parameter timeRanges: What is read, of the asset's times.
  public func reset(forReadingTimeRanges timeRanges: [CMTimeRange]) {
    let access = access.withLock { $0 }
    guard access.isRandom, !access.isFinal else {
      return refuse(
        access.isRandom
          ? "no ranges are read after markConfigurationAsFinal"
          : "ranges are read by an output whose supportsRandomAccess is true")
    }
    guard var ranges = ReadingRanges(timeRanges), let first = ranges.popFirst() else {
      return refuse("ranges to read are numbers, not empty, in order, and do not overlap")
    }
    let reader = owner.withLock { $0.reader }
    do throws(AVError) {
      let obstacle = try phase.withLock { phase throws(AVError) -> String? in
        switch phase {
        case .ended: return nil
        case .idle: return "ranges are read after reading has started and come to its end"
        case .reading: return "ranges are read once copyNextSampleBuffer has returned nil"
        case .drained:
          guard let reader else { return nil }
          phase = .reading(try open(first, of: reader.asset), next: ranges)
          return nil
        }
      }
      if let obstacle { refuse(obstacle) }
    } catch { fail(error) }
  }

  /// Says that no other ranges will be read: the reader is completed once everything is read.
  public func markConfigurationAsFinal() {
    access.withLock { $0.isFinal = true }
    let isDone = phase.withLock { phase in
      guard case .drained = phase else { return false }
      phase = .ended
      return true
    }
    if isDone { owner.withLock { $0.reader }?.noteEnd() }
  }

  /// Ends reading, for what was read is of no use.
  func fail(_ error: AVError) {
    end()
    owner.withLock { $0.reader }?.fail(error)
  }

  /// Lets the reader fail, or not start.
  func refuse(_ reason: String) {
    let error = Self.misuse(reason)
    guard let reader = owner.withLock({ $0.reader }) else {
      access.withLock { $0.mistake = $0.mistake ?? error }
      return
    }
    reader.fail(error)
  }

  private static func misuse(_ reason: String) -> AVError { AVError(.operationNotAllowed, reason) }

  var hasEnded: Bool {
    phase.withLock { if case .ended = $0 { true } else { false } }
  }

  /// The numbers of the tracks that are read.
  var trackNumbers: [CMPersistentTrackID] { sources.map(\.trackID) }

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
    if let mistake = access.withLock({ $0.mistake }) { throw mistake }
    let reading = try open(range, of: reader.asset)
    owner.withLock { $0.reader = reader }
    phase.withLock { $0 = .reading(reading, next: ReadingRanges()) }
  }

  /// What gives samples of a range, unless reading was ended meanwhile.
  private func open(_ range: CMTimeRange, of asset: AVAsset) throws(AVError) -> TrackReading {
    let reading = try reading(of: asset, try wish.get(), range)
    let isEnded = cancellation.withLock { cancellation in
      guard case .open = cancellation else { return true }
      cancellation = .open(reading.cancellation)
      return false
    }
    guard !isEnded else { throw AVError(.operationCancelled, "reading was cancelled") }
    return reading
  }

  func end() {
    let cancel = cancellation.withLock { cancellation -> (@Sendable () -> Void)? in
      defer { cancellation = .done }
      guard case .open(let cancel) = cancellation else { return nil }
      return cancel
    }
    cancel?()
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

/// Gives the decoded samples of a track; of timecode and timed metadata those of the file.
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
  ///     size; empty for the layout that the decoder gives. For audio `AVFormatIDKey` with
  ///     `kAudioFormatLinearPCM`, in the rate and channels of the track. Nil gives uncompressed audio as it is
  ///     stored; of compressed tracks, with Apple's their packets, it is a mistake.
  ///     Of timecode and timed metadata it has to be nil.
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
