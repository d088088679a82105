public import MediaCore

/// Writes a QuickTime movie that is good at every moment of its making.
///
/// Tracks are added, ``start()`` writes the beginning of the file, samples are appended, and
/// ``finish()`` makes a plain movie of it in place. Until then the file is a fragmented movie that
/// players open and that ``MovieRecovery`` finishes, wherever it was cut off.
///
/// A writer is used from one thread at a time; it waits for the disk in `append` when a fragment is
/// complete. After an error it takes no more samples: ``finishAfterFailure()`` saves what is whole,
/// or ``cancel()`` removes the file.
public final class MovieWriter {
  /// Where a writer stands.
  public enum State: Sendable, Hashable {
    /// Tracks may be added.
    case configuring
    /// Samples may be appended.
    case writing
    /// The movie is complete.
    case finished
    /// A call has failed; nothing but ``MovieWriter/finishAfterFailure()`` and
    /// ``MovieWriter/cancel()`` is left.
    case failed(QuickTimeError)
    /// The file is gone.
    case cancelled
  }

  /// Where the writer stands.
  public internal(set) var state: State = .configuring
  /// What writing has cost so far.
  public internal(set) var statistics = Statistics()
  /// How the movie is written.
  public let configuration: Configuration

  let file: any MovieFile
  var movie = MovieRecord()
  var tracks: [TrackState] = []
  /// Where the next fragment goes: the end of the last whole one.
  var position: UInt64 = 0
  /// Frames of the open fragment that are in the file already.
  var placed: PlacedMedia?
  /// Room for the header of a fragment with placed frames.
  var headerRoom: UInt64 = 0
  /// The last, padded block of a placed frame, and frames that do not come from aligned memory.
  let bounce: FragmentBuffer
  /// Where each whole fragment begins.
  var fragmentStarts: [UInt64] = []
  /// The end of the fragments that a sync has confirmed, on one disk at least.
  var syncedEnd: UInt64 = 0
  /// True from a failed sync until the data in doubt are given up. Linux marks pages as clean that it failed to
  /// write: the next sync would find nothing to do, and succeed.
  var isInDoubt = false
  /// The index, from when it is on the disk until it is cut off.
  var syncedIndex: SyncedIndex?
  var reservation: SpaceReservation
  /// Memory for fragment headers, used again and again.
  var header = AtomWriter()
  /// Memory for the tracks of a fragment, and for what its header says of them, used again and again.
  var waiting: [TrackState] = []
  var runs: [FragmentRun] = []
  /// Memory for lists of buffers, used again and again.
  var pieces: [UnsafeRawBufferPointer] = []
  /// The file's checksum so far; nil where none is wanted, or it was lost with fragments that were
  /// given up.
  var checksum: FileChecksum?
  /// What became of it.
  var checksums: MovieChecksums?
  /// Why the file could not take the place of the one that it was to replace; nil where it did.
  public internal(set) var nameError: QuickTimeError?
  /// What another program did to the file while it was written, as far as ``noticeChange()`` noticed; nil for
  /// nothing.
  public internal(set) var fileChange: MovieFileChange?
  /// Why a file that was deleted could not be restored; nil where it was, or needed not be.
  public internal(set) var restoreError: QuickTimeError?
  /// Nanoseconds that the placed frames of the open fragment took to write.
  var placingTime: UInt64 = 0

  /// A writer into a new, empty file.
  ///
  /// - Throws: ``QuickTimeError/Code/invalidArgument`` where the configuration makes no sense.
  public init(
    file: any MovieFile, configuration: Configuration = Configuration()
  ) throws(QuickTimeError) {
    try configuration.validate()
    self.file = file
    self.configuration = configuration
    self.bounce = try FragmentBuffer(capacity: Int(FileLayout.blockSize))
    self.reservation = SpaceReservation(
      step: configuration.preallocation, ballast: configuration.ballast,
      limit: configuration.fileSizeLimit ?? .max, reportedTo: configuration.reservedSpace)
  }

  deinit { reservation.release() }

  // MARK: Tracks

  /// Adds a video track.
  ///
  /// - Throws: ``QuickTimeError/Code/invalidArgument`` where the description makes no sense,
  ///   ``QuickTimeError/Code/invalidState`` once samples flow, ``QuickTimeError/Code/outOfMemory``.
  public func addVideoTrack(
    _ description: VideoTrackDescription
  ) throws(QuickTimeError) -> TrackID {
    try expectConfiguring()
    let size = description.dimensions
    guard (1...65_535).contains(size.width), (1...65_535).contains(size.height) else {
      throw QuickTimeError(
        .invalidArgument, "a video track of \(size): each side must be from 1 to 65535")
    }
    guard FourCharCode(description.codec.rawValue) != nil else {
      throw QuickTimeError(
        .invalidArgument, "codec \"\(description.codec.rawValue)\": must have four characters")
    }
    guard (1...Int64(UInt32.max)).contains(description.frameDuration) else {
      throw QuickTimeError(.invalidArgument, "\(description.frameRate) frames per second: too slow")
    }
    var record = makeRecord("vide", timescale: description.timescale, name: description.name)
    record.handlerName = "Video Media Handler"
    let ratio = description.pixelAspectRatio
    let width = Double(size.width) * Double(ratio.horizontal) / Double(ratio.vertical)
    record.displayWidth = AtomWriter.fixed16(width)
    record.displayHeight = AtomWriter.fixed16(Double(size.height))
    record.rotate(quarters: description.quarterTurns)
    if let language = description.language { record.setLanguage(language) }
    record.sampleEntry = Self.atom { $0.videoSampleEntry(description) }
    record.mediaHeader = Self.atom { writer in
      writer.fullAtom("vmhd", flags: 1) { atom in
        atom.uint16(0x40)  // dither copy
        for _ in 0..<3 { atom.uint16(0x8000) }
      }
    }
    if ratio != .square { record.apertures = Self.atom { $0.apertures(description) } }
    return try add(.video(description), record, capacity: configuration.fragmentByteLimit)
  }

  /// Adds an audio track.
  ///
  /// - Throws: As ``addVideoTrack(_:)``.
  public func addAudioTrack(
    _ description: AudioTrackDescription
  ) throws(QuickTimeError) -> TrackID {
    try expectConfiguring()
    let format = description.format
    guard (1...64).contains(format.channelCount), (1...1_000_000).contains(format.sampleRate) else {
      throw QuickTimeError(
        .invalidArgument,
        "audio of \(format.channelCount) channels at \(format.sampleRate) Hz: 1 to 64 channels and "
          + "1 to 1000000 Hz are possible")
    }
    guard format.sampleFormat != .float32 else {
      throw QuickTimeError(
        .invalidArgument, "floating-point audio: tracks here have integer samples")
    }
    guard description.channelLayout.channelCount == format.channelCount else {
      throw QuickTimeError(
        .invalidArgument,
        "a layout of \(description.channelLayout.channelCount) channels for audio of "
          + "\(format.channelCount): the numbers must be the same")
    }
    var record = makeRecord("soun", timescale: Int32(format.sampleRate), name: description.name)
    record.handlerName = "Sound Media Handler"
    if let language = description.language { record.setLanguage(language) }
    record.isEnabled = description.isEnabled
    record.volume = 0x100
    record.sampleEntry = Self.atom { $0.audioSampleEntry(description) }
    record.mediaHeader = Self.atom { $0.fullAtom("smhd") { $0.uint32(0) } }
    let second = format.sampleRate * format.bytesPerFrame
    return try add(.audio(description), record, capacity: second)
  }

  /// Adds a mono track for each channel of interleaved audio, for
  /// ``appendInterleavedAudio(_:frames:toMonoTracks:)``.
  ///
  /// - Throws: As ``addVideoTrack(_:)``.
  public func addMonoAudioTracks(
    _ description: AudioTrackDescription
  ) throws(QuickTimeError) -> [TrackID] {
    var added: [TrackID] = []
    for mono in description.monoTracks { added.append(try addAudioTrack(mono)) }
    return added
  }

  /// Adds a timecode track that a video track refers to. Its samples are made by the writer.
  ///
  /// - Throws: As ``addVideoTrack(_:)``; also if `video` is not a video track of this movie, and for more than
  ///   ``TimecodeTrackDescription/mostFramesPerSecond``.
  public func addTimecodeTrack(
    _ description: TimecodeTrackDescription, for video: TrackID
  ) throws(QuickTimeError) -> TrackID {
    try expectConfiguring()
    let place = try index(of: video)
    guard case .video(let videoInput) = tracks[place].content else {
      throw QuickTimeError(
        .invalidArgument, "track \(video) is not a video track; only video tracks have timecode")
    }
    guard description.start.format.frameRate == videoInput.frameRate else {
      throw QuickTimeError(
        .invalidArgument,
        "a timecode at \(description.start.format.frameRate) for video at "
          + "\(videoInput.frameRate): the rates must be the same")
    }
    guard description.start.format.framesPerSecond <= TimecodeTrackDescription.mostFramesPerSecond
    else {
      throw QuickTimeError(
        .invalidArgument,
        "a timecode at \(videoInput.frameRate): a timecode track counts up to "
          + "\(TimecodeTrackDescription.mostFramesPerSecond) frames per second; leave it out")
    }
    var record = makeRecord("tmcd", timescale: videoInput.timescale, name: "")
    record.handlerName = "Time Code Media Handler"
    record.displayWidth = tracks[place].record.displayWidth
    record.sampleEntry = Self.atom {
      $0.timecodeSampleEntry(
        description, timescale: UInt32(videoInput.timescale),
        frameDuration: UInt32(videoInput.frameDuration))
    }
    record.mediaHeader = Self.atom { $0.timecodeMediaHeader() }
    let id = try add(.timecode(description, video: place), record, capacity: 4)
    tracks[place].record.references.append(
      TrackRecord.TrackReference(type: "tmcd", tracks: [id.rawValue]))
    return id
  }

  /// Sets a track's edit list. Without one all of the media are shown from the start.
  ///
  /// Edits that are known before ``start()`` survive a crash; they may still be set before
  /// ``finish()``.
  ///
  /// - Throws: ``QuickTimeError`` for an unknown track or an edit that begins before its media, or once
  ///   the movie is finished or has failed.
  public func setEdits(_ edits: [MovieEdit], for track: TrackID) throws(QuickTimeError) {
    if let time = edits.lazy.compactMap(\.mediaTime).first(where: { $0 < 0 }) {
      throw QuickTimeError(
        .invalidArgument, "an edit from \(time) on: must not be negative; nil is for an empty edit")
    }
    switch state {
    case .configuring, .writing: tracks[try index(of: track)].record.edits = edits
    default: throw invalidState("edits")
    }
  }

  /// Leaves out the first part of a track's media: audio that began before the first frame.
  ///
  /// - Parameters:
  ///   - track: The track.
  ///   - offset: Units of the track's time scale, not negative: samples, for audio.
  /// - Throws: ``QuickTimeError`` for a negative offset, and as ``setEdits(_:for:)``.
  public func trimStart(of track: TrackID, by offset: Int64) throws(QuickTimeError) {
    guard offset >= 0 else {
      throw QuickTimeError(.invalidArgument, "a trim of \(offset): must not be negative")
    }
    try setEdits([MovieEdit(mediaTime: offset, duration: nil)], for: track)
  }

  /// Lets a track begin later than the movie.
  ///
  /// - Throws: ``QuickTimeError`` for a negative or invalid delay, and as ``setEdits(_:for:)``.
  public func delayStart(of track: TrackID, by delay: MediaTime) throws(QuickTimeError) {
    guard delay.isNumeric, delay >= .zero else {
      throw QuickTimeError(.invalidArgument, "a delay of \(delay): must be a time of 0 or more")
    }
    try setEdits(
      [MovieEdit(mediaTime: nil, duration: delay), MovieEdit(mediaTime: 0, duration: nil)],
      for: track)
  }

  private func makeRecord(
    _ handler: FourCharCode, timescale: Int32, name: String
  ) -> TrackRecord {
    var record = TrackRecord(
      id: UInt32(tracks.count + 1), handler: handler, timescale: UInt32(timescale))
    if !name.isEmpty {
      record.userData = Self.atom { writer in
        writer.atom("udta") { $0.atom("name") { $0.raw(name.utf8) } }
      }
    }
    return record
  }

  func add(
    _ content: TrackState.Content, _ record: TrackRecord, capacity: Int
  ) throws(QuickTimeError) -> TrackID {
    let buffer = try FragmentBuffer(capacity: capacity)
    tracks.append(TrackState(content: content, record: record, buffer: buffer))
    return TrackID(rawValue: record.id)
  }

  static func atom(_ body: (inout AtomWriter) -> Void) -> [UInt8] {
    var writer = AtomWriter()
    body(&writer)
    return writer.bytes
  }

  func index(of track: TrackID) throws(QuickTimeError) -> Int {
    let index = Int(track.rawValue) - 1
    guard tracks.indices.contains(index) else {
      throw QuickTimeError(.invalidArgument, "track \(track): unknown track")
    }
    return index
  }

  func expectConfiguring() throws(QuickTimeError) {
    guard state == .configuring else { throw invalidState("a track") }
  }

  func invalidState(_ what: String) -> QuickTimeError {
    let reason =
      switch state {
      case .configuring: "not started yet; call start() first"
      case .writing: "being written"
      case .finished: "finished"
      case .failed(let error): "not written after an error (\(error))"
      case .cancelled: "cancelled"
      }
    return QuickTimeError(
      .invalidState, "\(file.name): cannot take \(what): the movie is \(reason)")
  }
}
