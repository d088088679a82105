public import Foundation
public import MediaCore
import Synchronization

/// A movie that can be edited and written to a new file, or over the file that it was read from.
///
/// Unchecked: the compiler does not verify subclasses. This one adds two `let`s of `Sendable` types and a `Mutex`.
public final class AVMutableMovie: AVMovie, @unchecked Sendable {
  private struct State: Sendable {
    var tracks: [AVMutableMovieTrack] = []
    var metadata: [AVMetadataItem] = []
    var preferredRate: Float = 1
    var preferredVolume: Float = 1
    /// A transform set before there was a video track.
    var comingTransform: CGAffineTransform?
    var storage: AVMediaDataStorage?
    var isModified = false
    /// Files written by this movie. It may overwrite them if nobody else has changed them.
    var written: [String: FileState] = [:]
    var notes: [String] = []
    /// Why the file could not be read.
    var failure: AVError?

    /// Takes over a movie's metadata, rate and volume.
    mutating func take(_ contents: Contents) {
      metadata = contents.metadata
      preferredRate = contents.index?.preferredRate ?? 1
      preferredVolume = contents.index?.preferredVolume ?? 1
    }
  }

  /// What the tracks show.
  private let edits: AVMutableComposition
  /// The file's movie; nil for a movie created here.
  let source: AVMovie?
  private let state: Mutex<State>

  /// Opens a movie file for editing.
  ///
  /// - Throws: ``AVError`` if the file cannot be read.
  public convenience init(url URL: URL, options: [String: Any]? = nil, error: ()) throws {
    self.init(url: URL, options: options)
    if let failure { throw failure }
  }

  /// Opens a movie file for editing. It is read immediately. If that fails, the movie has no tracks and is not
  /// readable, and writing it throws the reason.
  public override convenience init(url URL: URL, options: [String: Any]? = nil) {
    self.init(AVMovie(url: URL))
  }

  /// Opens a movie held in memory for editing.
  ///
  /// - Throws: ``AVError`` if it cannot be read.
  public convenience init(data: Data, options: [String: Any]? = nil, error: ()) throws {
    self.init(data: data, options: options)
    if let failure { throw failure }
  }

  /// Opens a movie held in memory for editing; it is read immediately, like a file.
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

  /// An empty movie with another movie's metadata, rate and volume; nil for none.
  ///
  /// - Throws: ``AVError`` if the other movie cannot be read.
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

  /// Adds a track for each of a file's, with the same ID.
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

  /// The data that the movie was created from, unchanged; nil for a movie not created from data.
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

  /// The mutable tracks, one for each composition track.
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

  // MARK: Metadata

  /// The movie's metadata. A key that QuickTime movies cannot store is rejected when the movie is written.
  public override var metadata: [AVMetadataItem] {
    get { state.withLock { $0.metadata } }
    set {
      state.withLock { ($0.metadata, $0.isModified) = (newValue, true) }
    }
  }
  /// The rate at which players play it; 1 is as recorded. It is written in steps of 1/65536. Writing throws an
  /// ``AVError`` unless it is at least -32768 and below 32768.
  public override var preferredRate: Float {
    get { state.withLock { $0.preferredRate } }
    set { state.withLock { ($0.preferredRate, $0.isModified) = (newValue, true) } }
  }
  /// The volume at which players play it; 1 is as recorded. It is written in steps of 1/256. Writing throws an
  /// ``AVError`` unless it is at least -128 and below 128.
  public override var preferredVolume: Float {
    get { state.withLock { $0.preferredVolume } }
    set { state.withLock { ($0.preferredVolume, $0.isModified) = (newValue, true) } }
  }
  /// The transform of the first video track. Setting it changes all video tracks; if there is none, it applies to the
  /// first one added.
  public override var preferredTransform: CGAffineTransform {
    get {
      let video: [AVMutableMovieTrack] = tracks(withMediaType: .video)
      return video.first?.preferredTransform ?? state.withLock { $0.comingTransform }
        ?? .identity
    }
    set {
      let video: [AVMutableMovieTrack] = tracks(withMediaType: .video)
      for track in video { track.preferredTransform = newValue }
      state.withLock { state in
        state.comingTransform = video.isEmpty ? newValue : nil
        state.isModified = true
      }
    }
  }
  /// Where media would be stored. It has no effect: a written movie contains all of its media.
  public override var defaultMediaDataStorage: AVMediaDataStorage? {
    get { state.withLock { $0.storage } }
    set { state.withLock { $0.storage = newValue } }
  }
  /// The first track's timescale; 600 without one. Setting it has no effect: a movie is written with the timescale
  /// that its tracks need.
  public var timescale: CMTimeScale {
    get { mutableTracks.first { $0.naturalTimeScale > 0 }?.naturalTimeScale ?? 600 }
    set {}
  }
  /// Zero: media are written in the order of their files. Setting it has no effect.
  public var interleavingPeriod: CMTime {
    get { .zero }
    set {}
  }
  /// True if there are changes that no file has yet.
  public var isModified: Bool {
    get { state.withLock { $0.isModified } }
    set { state.withLock { $0.isModified = newValue } }
  }
  /// What the last written file lacks or has in another form, one line each. Not in Apple's API.
  public var notes: [String] { state.withLock { $0.notes } }

  func noteChange() { state.withLock { $0.isModified = true } }

  // MARK: Tracks

  /// The video or audio tracks.
  public func tracks(withMediaType mediaType: AVMediaType) -> [AVMutableMovieTrack] {
    mutableTracks.filter { $0.mediaType == mediaType }
  }

  public func tracks(
    withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
  ) -> [AVMutableMovieTrack] {
    mutableTracks.filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
  }

  /// The track with an ID; nil if there is none.
  public override func track(withTrackID trackID: CMPersistentTrackID) -> AVMutableMovieTrack? {
    mutableTracks.first { $0.trackID == trackID }
  }

  /// The first track of the same media type, into which the given track can be inserted.
  public func mutableTrack(compatibleWith track: AVAssetTrack) -> AVMutableMovieTrack? {
    mutableTracks.first { $0.mediaType == track.mediaType }
  }

  /// Adds an empty track.
  ///
  /// - Parameters:
  ///   - mediaType: Video or audio.
  ///   - track: The track whose transform, language and enabled state to copy; nil for none.
  ///   - options: Ignored.
  /// - Returns: The track; nil for another media type.
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

  /// Adds an empty track for each given track, copying its settings. Tracks of other media types are skipped.
  @discardableResult
  public func addMutableTracksCopyingSettings(
    from existingTracks: [AVAssetTrack], options: [String: Any]? = nil
  ) -> [AVMutableMovieTrack] {
    existingTracks.compactMap {
      addMutableTrack(withMediaType: $0.mediaType, copySettingsFrom: $0)
    }
  }

  /// Removes a track; a track of another movie is ignored.
  public func removeTrack(_ track: AVMovieTrack) {
    guard let track = track as? AVMutableMovieTrack, mutableTracks.contains(track) else { return }
    edits.removeTrack(track.edits)
    noteChange()
  }

  // MARK: Edits

  /// Inserts a range of all tracks of an asset at a time, like ``AVMutableComposition/insertTimeRange(_:of:at:)``.
  ///
  /// - Parameter copySampleData: No effect: a written movie contains all of its media.
  /// - Throws: ``AVError`` if the asset cannot be read or the times are invalid; the movie is unchanged then.
  public func insertTimeRange(
    _ timeRange: CMTimeRange, of asset: AVAsset, at startTime: CMTime, copySampleData: Bool
  ) throws {
    try edits.insertTimeRange(timeRange, of: asset, at: startTime)
    noteChange()
  }

  /// Inserts an empty range; later media move back.
  public func insertEmptyTimeRange(_ timeRange: CMTimeRange) {
    edits.insertEmptyTimeRange(timeRange)
    noteChange()
  }

  /// Removes a range from all tracks; later media move up.
  public func removeTimeRange(_ timeRange: CMTimeRange) {
    edits.removeTimeRange(timeRange)
    noteChange()
  }

  /// Changes the speed of a range of all tracks. Audio with changed speed cannot be written.
  public func scaleTimeRange(_ timeRange: CMTimeRange, toDuration duration: CMTime) {
    edits.scaleTimeRange(timeRange, toDuration: duration)
    noteChange()
  }

  // MARK: Writing

  /// Like ``AVMovie/writeHeader(to:fileType:options:)``, but may also replace the file that the movie was read from,
  /// and files that it wrote. A file is replaced only once the new one is complete, which needs room for both. The
  /// movie's source file is not replaced if the new file would lack any of its contents or change their form.
  ///
  /// - Throws: Also ``AVError/Code/operationNotSupportedForAsset``, with what the source file would have lost.
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
      // The samples' positions in the new file differ, so read it again.
      if isRead { try readAgain(from: file) }
    } else {
      notes = try work.write(to: URL.path)
    }
    state.withLock { state in
      (state.notes, state.isModified) = (notes, false)
      state.written[file] = FileState(file)
    }
  }

  /// Makes the tracks show the file that the movie was written to.
  private func readAgain(from path: String) throws(AVError) {
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
