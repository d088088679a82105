public import Foundation
public import MediaCore
import Synchronization

/// A movie that can be changed: stretches are put in and taken out, and the whole is written to a file, or in the place
/// of the file that it was read from.
///
/// Unchecked: the compiler does not verify subclasses. This one adds two `let`s of `Sendable` types and a `Mutex`.
public final class AVMutableMovie: AVMovie, @unchecked Sendable {
  private struct State: Sendable {
    var tracks: [AVMutableMovieTrack] = []
    var metadata: [AVMetadataItem] = []
    var preferredRate: Float = 1
    var preferredVolume: Float = 1
    /// A turn that was set before there was a video track.
    var comingTransform: CGAffineTransform?
    var storage: AVMediaDataStorage?
    var isModified = false
    /// Files that this movie wrote, which it may write again while nobody else changed them.
    var written: [String: FileState] = [:]
    var notes: [String] = []
    /// Why the file was not read.
    var failure: AVError?

    /// What a movie says of itself.
    mutating func take(_ contents: Contents) {
      metadata = contents.metadata
      preferredRate = contents.index?.preferredRate ?? 1
      preferredVolume = contents.index?.preferredVolume ?? 1
    }
  }

  /// What the tracks show.
  private let edits: AVMutableComposition
  /// The file; nil for a movie that was made here.
  let source: AVMovie?
  private let state: Mutex<State>

  /// A movie of a file, to be changed.
  ///
  /// - Throws: ``AVError`` where the file cannot be read.
  public convenience init(url URL: URL, options: [String: Any]? = nil, error: ()) throws {
    self.init(url: URL, options: options)
    if let failure { throw failure }
  }

  /// A movie of a file, to be changed. It is read at once: one that cannot be read has no tracks, is not readable, and
  /// is not written, with the reason as the error.
  public override convenience init(url URL: URL, options: [String: Any]? = nil) {
    self.init(AVMovie(url: URL))
  }

  /// A movie that a program has in memory, to be changed.
  ///
  /// - Throws: ``AVError`` if it cannot be read.
  public convenience init(data: Data, options: [String: Any]? = nil, error: ()) throws {
    self.init(data: data, options: options)
    if let failure { throw failure }
  }

  /// A movie that a program has in memory, to be changed; read at once, as one of a file is.
  public override convenience init(data: Data, options: [String: Any]? = nil) {
    self.init(AVMovie(data: data))
  }

  private init(_ source: AVMovie) {
    let contents = Result { () throws(AVError) in try source.contents() }
    edits = AVMutableComposition()
    self.source = source
    var first = State()
    switch contents {
    case .success(let contents): first.take(contents)
    case .failure(let error): first.failure = error
    }
    state = Mutex(first)
    super.init(of: source.url)
    guard case .success(let contents) = contents else { return }
    do throws(AVError) { try take(contents.tracks) } catch {
      state.withLock { $0.failure = error }
    }
  }

  /// An empty movie.
  public convenience init() { self.init(State()) }

  private init(_ first: State) {
    edits = AVMutableComposition()
    source = nil
    state = Mutex(first)
    super.init(of: nil)
  }

  /// An empty movie that says of itself what another one says; nil for nothing.
  ///
  /// - Throws: ``AVError`` where the other one cannot be read.
  public convenience init(settingsFrom movie: AVMovie?, options: [String: Any]? = nil) throws {
    var first = State()
    if let movie {
      first.take(try movie.contents())
      (first.preferredRate, first.preferredVolume) = (movie.preferredRate, movie.preferredVolume)
    }
    self.init(first)
  }

  private init(_ edits: AVMutableComposition, like movie: AVMutableMovie) {
    self.edits = edits
    source = movie.source
    let first = movie.state.withLock { known in
      var first = State(metadata: known.metadata, failure: known.failure)
      first.preferredRate = known.preferredRate
      first.preferredVolume = known.preferredVolume
      first.comingTransform = known.comingTransform
      return first
    }
    state = Mutex(first)
    super.init(of: movie.url)
    _ = mutableTracks
  }

  /// A track for each of a file's, under its number.
  private func take(_ tracks: [AVAssetTrack]) throws(AVError) {
    for track in tracks {
      let own = edits.addMutableTrack(
        withMediaType: track.mediaType, preferredTrackID: track.trackID)
      own?.preferredTransform = track.preferredTransform
      own?.isEnabled = track.isEnabled
      try own?.insert(CMTimeRange(start: .zero, end: track.timeRange.end), of: track, at: .zero)
    }
    _ = mutableTracks
  }

  override var displayName: String { url?.path ?? "the movie" }

  /// The file that the movie was made of, as it was; nil for a movie that was not made of data.
  public override var data: Data? { source?.data }

  override func snapshot() -> AVAsset {
    guard let copy = edits.mutableCopy() as? AVMutableComposition else { return self }
    return AVMutableMovie(copy, like: self)
  }

  private var failure: AVError? { state.withLock { $0.failure } }

  override func contents() throws(AVError) -> Contents {
    if let failure { throw failure }
    return Contents(
      tracks: mutableTracks, duration: edits.duration, metadata: state.withLock { $0.metadata },
      index: nil)
  }

  /// The tracks, one for each of what they show.
  private var mutableTracks: [AVMutableMovieTrack] {
    let shown = edits.parts.withLock { $0.tracks }.compactMap { $0 as? AVMutableCompositionTrack }
    return state.withLock { state in
      let coming = state.comingTransform
      state.tracks = shown.map { track in
        if let known = state.tracks.first(where: { $0.edits === track }) { return known }
        if let coming, track.mediaType == .video {
          track.preferredTransform = coming
          state.comingTransform = nil
        }
        return AVMutableMovieTrack(track, of: self)
      }
      return state.tracks
    }
  }

  // MARK: What the movie says

  /// What the movie says of itself. A key that a QuickTime movie has no place for is refused when it is written.
  public override var metadata: [AVMetadataItem] {
    get { state.withLock { $0.metadata } }
    set {
      state.withLock { ($0.metadata, $0.isModified) = (newValue, true) }
    }
  }
  /// How fast players play it: 1 is as it was recorded. Written to 1/65536; a movie whose rate is not from -32768 to
  /// below 32768 is not written, with an ``AVError``.
  public override var preferredRate: Float {
    get { state.withLock { $0.preferredRate } }
    set { state.withLock { ($0.preferredRate, $0.isModified) = (newValue, true) } }
  }
  /// How loud players play it: 1 is as it was recorded. Written to 1/256; a movie whose volume is not from -128 to below
  /// 128 is not written, with an ``AVError``.
  public override var preferredVolume: Float {
    get { state.withLock { $0.preferredVolume } }
    set { state.withLock { ($0.preferredVolume, $0.isModified) = (newValue, true) } }
  }
  /// How players turn its pictures: the turn of the first track of them. To set it turns all of them; before there is
  /// one, those that come first.
  public override var preferredTransform: CGAffineTransform {
    get {
      let pictures: [AVMutableMovieTrack] = tracks(withMediaType: .video)
      return pictures.first?.preferredTransform ?? state.withLock { $0.comingTransform }
        ?? .identity
    }
    set {
      let pictures: [AVMutableMovieTrack] = tracks(withMediaType: .video)
      for track in pictures { track.preferredTransform = newValue }
      state.withLock { state in
        state.comingTransform = pictures.isEmpty ? newValue : nil
        state.isModified = true
      }
    }
  }
  /// Where media would be put. It changes nothing: a movie that is written has all of them.
  public override var defaultMediaDataStorage: AVMediaDataStorage? {
    get { state.withLock { $0.storage } }
    set { state.withLock { $0.storage = newValue } }
  }
  /// Parts of a second in which the first track counts; 600 without one. Setting it has no effect: a movie is written
  /// in parts that are as fine as its tracks need.
  public var timescale: CMTimeScale {
    get { mutableTracks.first { $0.naturalTimeScale > 0 }?.naturalTimeScale ?? 600 }
    set {}
  }
  /// Zero: media are written as they lie in their files. Setting it has no effect.
  public var interleavingPeriod: CMTime {
    get { .zero }
    set {}
  }
  /// True since something was changed that no file has yet.
  public var isModified: Bool {
    get { state.withLock { $0.isModified } }
    set { state.withLock { $0.isModified = newValue } }
  }
  /// What the file that was written last lacks, or has in another form, a line each. Apple's has no such list.
  public var notes: [String] { state.withLock { $0.notes } }

  func noteChange() { state.withLock { $0.isModified = true } }

  // MARK: Tracks

  /// The video tracks, or of audio.
  public func tracks(withMediaType mediaType: AVMediaType) -> [AVMutableMovieTrack] {
    mutableTracks.filter { $0.mediaType == mediaType }
  }

  /// The tracks of a characteristic.
  public func tracks(
    withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
  ) -> [AVMutableMovieTrack] {
    mutableTracks.filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
  }

  /// A track by its number; nil if there is none.
  public override func track(withTrackID trackID: CMPersistentTrackID) -> AVMutableMovieTrack? {
    mutableTracks.first { $0.trackID == trackID }
  }

  /// A track that a track of an asset can be put into: the first of its kind.
  public func mutableTrack(compatibleWith track: AVAssetTrack) -> AVMutableMovieTrack? {
    mutableTracks.first { $0.mediaType == track.mediaType }
  }

  /// Adds an empty track.
  ///
  /// - Parameters:
  ///   - mediaType: Pictures or audio.
  ///   - track: Whose turn and language it has; nil for none.
  ///   - options: Ignored.
  /// - Returns: Nil for another kind.
  @discardableResult
  public func addMutableTrack(
    withMediaType mediaType: AVMediaType, copySettingsFrom track: AVAssetTrack?,
    options: [String: Any]? = nil
  ) -> AVMutableMovieTrack? {
    guard
      let own = edits.addMutableTrack(
        withMediaType: mediaType, preferredTrackID: kCMPersistentTrackID_Invalid)
    else { return nil }
    if let track {
      own.preferredTransform = track.preferredTransform
      own.languageCode = track.languageCode
      own.isEnabled = track.isEnabled
    }
    noteChange()
    return mutableTracks.first { $0.edits === own }
  }

  /// Adds an empty track for each of others, with its turn and language; none for those of other kinds.
  @discardableResult
  public func addMutableTracksCopyingSettings(
    from existingTracks: [AVAssetTrack], options: [String: Any]? = nil
  ) -> [AVMutableMovieTrack] {
    existingTracks.compactMap {
      addMutableTrack(withMediaType: $0.mediaType, copySettingsFrom: $0)
    }
  }

  /// Takes a track away; one of another movie changes nothing.
  public func removeTrack(_ track: AVMovieTrack) {
    guard let track = track as? AVMutableMovieTrack, mutableTracks.contains(track) else { return }
    edits.removeTrack(track.edits)
    noteChange()
  }

  // MARK: Edits

  /// Puts a stretch of all tracks of an asset at a time, as
  /// ``AVMutableComposition/insertTimeRange(_:of:at:)`` does.
  ///
  /// - Parameter copySampleData: Changes nothing: a movie that is written has all of its media.
  /// - Throws: ``AVError`` where the asset cannot be read or the times make no sense; nothing has changed then.
  public func insertTimeRange(
    _ timeRange: CMTimeRange, of asset: AVAsset, at startTime: CMTime, copySampleData: Bool
  ) throws {
    try edits.insertTimeRange(timeRange, of: asset, at: startTime)
    noteChange()
  }

  /// Shows and plays nothing for a range; what was there comes after it.
  public func insertEmptyTimeRange(_ timeRange: CMTimeRange) {
    edits.insertEmptyTimeRange(timeRange)
    noteChange()
  }

  /// Takes a range of all tracks away; what comes after it moves up.
  public func removeTimeRange(_ timeRange: CMTimeRange) {
    edits.removeTimeRange(timeRange)
    noteChange()
  }

  /// Makes a range of all tracks slower or faster. Audio is not: such a movie is not written.
  public func scaleTimeRange(_ timeRange: CMTimeRange, toDuration duration: CMTime) {
    edits.scaleTimeRange(timeRange, toDuration: duration)
    noteChange()
  }

  // MARK: Writing

  /// As ``AVMovie/writeHeader(to:fileType:options:)``; and also in the place of the file that the movie was read from, and
  /// of those that it wrote. A file stays as it is until the one in its place is complete, which needs room for both;
  /// the movie's own file stays also where the new one would lack anything of it, or have it in another form.
  ///
  /// - Throws: Also ``AVError/Code/operationNotSupportedForAsset``, with what the movie's own file would have lost.
  public override func writeHeader(
    to URL: URL, fileType: AVFileType, options: AVMovieWritingOptions = []
  ) throws {
    let work = try MovieCopy(self, fileType, options)
    let file = URL.resolvingSymlinksInPath().path
    let isOwn = file == url?.resolvingSymlinksInPath().path
    let isRead = isOwn || mutableTracks.contains { $0.shows(file) }
    let notes: [String]
    if FileManager.default.fileExists(atPath: file),
      isOwn || state.withLock({ $0.written[file] }) == FileState(file)
    {
      notes = try work.replace(file, losesNothing: isRead)
      // What was taken from the file before it changed lies elsewhere in it now.
      if isRead { try readAnew(from: file) }
    } else {
      notes = try work.write(to: URL.path)
    }
    state.withLock { state in
      (state.notes, state.isModified) = (notes, false)
      state.written[file] = FileState(file)
    }
  }

  /// Has the tracks show a file that the movie was written to.
  private func readAnew(from path: String) throws(AVError) {
    let new = try AVMovie(url: URL(filePath: path)).contents().tracks
    for type in [AVMediaType.video, .audio] {
      let shown = mutableTracks.filter { $0.mediaType == type && !$0.isEmpty }
      for (own, track) in zip(shown, new.filter({ $0.mediaType == type })) {
        own.edits.removeTimeRange(CMTimeRange(start: .zero, duration: .positiveInfinity))
        try own.edits.insert(
          CMTimeRange(start: .zero, end: track.timeRange.end), of: track, at: .zero)
      }
    }
  }
}
