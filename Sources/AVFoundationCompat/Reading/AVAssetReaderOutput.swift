public import MediaCore
import Synchronization

/// The source of a reader's samples: one track of its asset, or several that are combined.
///
/// Unchecked: the compiler verifies only final classes. Every stored property is a `let`: tracks, values of
/// `Sendable` types, or a `Mutex`.
public class AVAssetReaderOutput: @unchecked Sendable {
  private struct Owner { weak var reader: AVAssetReader? }

  private enum Phase: Sendable {
    case idle
    /// The current source, and the ranges to read after it.
    case reading(TrackReading, next: ReadingRanges)
    /// Everything was read, and the program may request other ranges.
    case drained
    case ended
  }

  /// The program's use of ``supportsRandomAccess``.
  private struct Access: Sendable {
    var isRandom = false
    var isFinal = false
    /// The error of a call that came too early. Reading then does not start.
    var mistake: AVError?
  }

  /// Stops waiting for a program's compositor; nil if there is none.
  private enum Cancellation: Sendable {
    case open((@Sendable () -> Void)?)
    case done
  }

  public let mediaType: AVMediaType
  /// Always true: nobody else changes samples. Setting it has no effect.
  public var alwaysCopiesSampleData: Bool {
    get { true }
    set {}
  }
  /// True to allow ``reset(forReadingTimeRanges:)`` after the end; false by default. Set it before reading starts:
  /// later changes make the reader fail.
  ///
  /// The reader is then completed only after ``markConfigurationAsFinal()``.
  public var supportsRandomAccess: Bool {
    get { access.withLock { $0.isRandom } }
    set {
      guard let reader = owner.withLock({ $0.reader }) else {
        access.withLock { $0.isRandom = newValue }
        return
      }
      reader.fail(Self.misuse("set supportsRandomAccess before reading starts"))
    }
  }

  private let sources: [AVAssetTrack]
  /// The requested form of samples, or the error in the settings.
  private let wish: Result<TrackReading.Wish, AVError>
  private let phase = Mutex(Phase.idle)
  /// Stops waiting for a program's compositor. It is separate, because ``phase`` is locked while waiting.
  private let cancellation = Mutex(Cancellation.open(nil))
  private let access = Mutex(Access())
  private let owner = Mutex(Owner())

  init(_ sources: [AVAssetTrack], wish: Result<TrackReading.Wish, AVError>) {
    (self.sources, self.wish) = (sources, wish)
    mediaType = sources.first?.mediaType ?? .video
  }

  /// The next frame or run of audio; nil at the end, before reading has started, and if reading failed. The reader's
  /// status distinguishes these. Blocks while the file is read and decoded.
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

  /// The next sample of the current source, or of the following ranges.
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

  /// Reads other ranges of the asset instead of the reader's range, in order and each frame once.
  ///
  /// Apple's ranges are `NSValue`s, which cannot hold a `CMTimeRange` here. If used incorrectly, the reader fails;
  /// Apple's stops the program. This applies to an output without random access, before ``copyNextSampleBuffer()``
  /// has reached the end, after ``markConfigurationAsFinal()``, and for ranges that are missing, not numeric, empty,
  /// overlapping, or out of order. Once the reader has failed or was cancelled, nothing happens.
  ///
  /// - Parameter timeRanges: The ranges, on the asset's timeline.
  public func reset(forReadingTimeRanges timeRanges: [CMTimeRange]) {
    let access = access.withLock { $0 }
    guard access.isRandom, !access.isFinal else {
      return refuse(
        access.isRandom
          ? "no ranges can be read after markConfigurationAsFinal"
          : "set supportsRandomAccess to true to read ranges")
    }
    guard var ranges = ReadingRanges(timeRanges), let first = ranges.popFirst() else {
      return refuse("ranges must be numeric, not empty, in order, and must not overlap")
    }
    let reader = owner.withLock { $0.reader }
    do throws(AVError) {
      let obstacle = try phase.withLock { phase throws(AVError) -> String? in
        switch phase {
        case .ended: return nil
        case .idle: return "ranges can be read only after reading has started and ended"
        case .reading: return "ranges can be read only after copyNextSampleBuffer has returned nil"
        case .drained:
          guard let reader else { return nil }
          phase = .reading(try open(first, of: reader.asset), next: ranges)
          return nil
        }
      }
      if let obstacle { refuse(obstacle) }
    } catch { fail(error) }
  }

  /// Declares that no other ranges will be read. The reader is then completed once everything was read.
  public func markConfigurationAsFinal() {
    access.withLock { $0.isFinal = true }
    let isDone = phase.withLock { phase in
      guard case .drained = phase else { return false }
      phase = .ended
      return true
    }
    if isDone { owner.withLock { $0.reader }?.noteEnd() }
  }

  /// Ends reading after a sample turned out to be unusable.
  func fail(_ error: AVError) {
    end()
    owner.withLock { $0.reader }?.fail(error)
  }

  /// Makes the reader fail, or prevents its start.
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

  /// The IDs of the tracks.
  var trackNumbers: [CMPersistentTrackID] { sources.map(\.trackID) }

  func isOf(_ asset: AVAsset) -> Bool {
    sources.allSatisfy { track in
      track.asset === asset || (track.location != nil && track.location == asset.location)
    }
  }

  /// Opens the source of samples in a range of an asset.
  func reading(
    of asset: AVAsset, _ wish: TrackReading.Wish, _ range: CMTimeRange
  ) throws(AVError) -> TrackReading {
    guard let track = sources.first else {
      throw AVError(.invalidSourceMedia, "an output needs at least one track")
    }
    return try TrackReading(track, wish, range)
  }

  func start(for reader: AVAssetReader, _ range: CMTimeRange) throws(AVError) {
    if let mistake = access.withLock({ $0.mistake }) { throw mistake }
    let reading = try open(range, of: reader.asset)
    owner.withLock { $0.reader = reader }
    phase.withLock { $0 = .reading(reading, next: ReadingRanges()) }
  }

  /// Opens the source of samples in a range, unless reading was ended meanwhile.
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
  public static func == (lhs: AVAssetReaderOutput, rhs: AVAssetReaderOutput) -> Bool {
    lhs === rhs
  }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Reads the decoded samples of a track; the stored samples of a timecode or timed metadata track.
///
/// Unchecked: the compiler does not verify subclasses. This one adds two `let`s: a track, and a dictionary that is a
/// copy whose values are only read.
public final class AVAssetReaderTrackOutput: AVAssetReaderOutput, @unchecked Sendable {
  public let track: AVAssetTrack
  /// The settings, as they were passed.
  public let outputSettings: [String: Any]?

  /// - Parameters:
  ///   - track: The track.
  ///   - outputSettings: For video, `kCVPixelBufferPixelFormatTypeKey`, and width and height for another size; empty
  ///     for the decoder's pixel format. For audio, `AVFormatIDKey` with `kAudioFormatLinearPCM`, in the sample rate
  ///     and channels of the track. Nil returns uncompressed audio as stored; it is an error for compressed tracks,
  ///     of which Apple's reader returns the packets. It must be nil for timecode and timed metadata.
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
