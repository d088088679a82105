import CFFmpeg
public import MediaCore

/// Decodes every frame of a movie and treats every message as an error, like `ffmpeg -v error
/// -xerror -err_detect explode` does.
///
/// Decodes all video and audio tracks found when the file is opened; one that begins later is a
/// finding. A damaged frame does not end the run unless ``stopsAtFirstError`` is set.
public struct StrictDecoder {
  /// The movie.
  public var path: String
  /// True to stop at the first error.
  public var stopsAtFirstError = false
  /// True to decode every sample of a QuickTime or MPEG-4 file once, including those that its edit
  /// lists leave out.
  public var ignoresEdits = false
  /// Threads of each decoder; 0 means one per core.
  public var threadCount = 0
  /// Called with each video packet, in the file's order, before it is decoded.
  public var onPacket: ((AssetTrack, CompressedPacket) -> Void)?
  /// Returns true if a complete video packet is known to be intact: it then counts as decoded and
  /// is not passed to libavcodec. For intra-only codecs.
  public var isKnown: ((AssetTrack, CompressedPacket) -> Bool)?
  /// Called with each decoded frame's properties, and with its pixel buffer if `PixelFormat` has
  /// its layout.
  public var onFrame: ((DecodedFrame, PixelBuffer?) -> Void)?
  /// Called with each decoded run of audio and the index of its first audio frame in the track.
  public var onAudio: ((AssetTrack, AudioBuffer, Int64) -> Void)?

  /// Creates a decoder for the movie at a path.
  public init(path: String) { self.path = path }

  /// Decodes the movie.
  ///
  /// - Throws: ``AssetReaderError`` if the file cannot be opened or has nothing to decode. Damage
  ///   is not thrown but reported as a finding.
  public func run() throws(AssetReaderError) -> StrictDecodeReport {
    let input = try ByteInput(location: AssetLocation(path: path))
    _ = try input.starts(with: Y4MHeader.magic)
    let movie = try LibavMovie(
      path: path, looksLikeText: input.looksLikeText, ignoresEdits: ignoresEdits)
    let tracks = movie.streams.compactMap { AssetTrack($0, of: movie) }
    guard !tracks.isEmpty else {
      throw AssetReaderError(
        .noSuchTrack, "\(path) contains neither video nor audio; name another file")
    }
    movie.select(Set(tracks.map(\.id)))
    let run = try StrictRun(movie, tracks, settings: self)
    return run.run()
  }
}

/// One run of a strict decode.
private final class StrictRun {
  private final class Lane {
    let decoder: LibavDecoder
    let timeBase: AVRational
    let frames: FrameMapper?
    var audio: AudioMapper?
    var report: StrictDecodeReport.Track

    init(_ track: AssetTrack, _ movie: LibavMovie, threads: Int) throws(AssetReaderError) {
      guard let stream = movie.stream(track.id) else {
        throw AssetReaderError(.noSuchTrack, "\(movie.path) has no track \(track.id)")
      }
      decoder = try LibavDecoder(stream, of: movie, threads: threads, isStrict: true)
      timeBase = stream.pointee.time_base
      frames =
        track.mediaType == .video
        ? FrameMapper(track: track, name: movie.path, ledger: FrameLedger()) : nil
      audio = track.audio.map { AudioMapper(format: $0, name: movie.path) }
      report = StrictDecodeReport.Track(track: track)
    }
  }

  private let movie: LibavMovie
  private let settings: StrictDecoder
  private let lanes: [Lane]
  private var report = StrictDecodeReport(tracks: [])
  private var isOver: Bool { settings.stopsAtFirstError && !report.isClean }

  init(
    _ movie: LibavMovie, _ tracks: [AssetTrack], settings: StrictDecoder
  ) throws(AssetReaderError) {
    self.movie = movie
    self.settings = settings
    var lanes: [Lane] = []
    for track in tracks {
      lanes.append(try Lane(track, movie, threads: settings.threadCount))
    }
    self.lanes = lanes
  }

  func run() -> StrictDecodeReport {
    complain(nil)
    readAll()
    for lane in lanes where !isOver {
      attempt(lane) { () throws(AssetReaderError) in try lane.decoder.send(nil) }
      drain(lane)
    }
    for track in movie.lateTracks { addLate(track) }
    report.tracks = lanes.map(\.report)
    return report
  }

  /// Reports a video or audio track that was not decoded.
  private func addLate(_ track: AssetLateTrack) {
    guard ["video", "audio"].contains(track.kind) else { return }
    let name = track.codecName.map { " (\($0))" } ?? ""
    report.add(
      StrictDecodeReport.Finding(
        trackID: track.id, index: 0, time: track.startTime,
        message:
          "\(settings.path): \(track.kind) track \(track.number)\(name) starts later in the file and was not "
          + "found when the file was opened: it is not decoded"))
  }

  private func readAll() {
    while !isOver {
      let packet: CompressedPacket?
      do throws(AssetReaderError) { packet = try movie.nextPacket() } catch {
        _ = movie.journal.popErrors()
        add(nil, error.message)
        return
      }
      guard let packet else { return }
      complain(nil)
      guard let lane = lanes.first(where: { $0.report.id == packet.trackID }) else { continue }
      lane.report.packetCount += 1
      lane.report.byteCount += Int64(packet.byteCount)
      if packet.isDamaged { add(lane, "packet \(packet.index) is incomplete in the container") }
      if lane.frames != nil { settings.onPacket?(lane.report.track, packet) }
      if lane.frames != nil, !packet.isDamaged, let isKnown = settings.isKnown,
        isKnown(lane.report.track, packet)
      {
        count(packet, lane)
        continue
      }
      attempt(lane) { () throws(AssetReaderError) in try lane.decoder.send(packet) }
      drain(lane)
    }
  }

  /// Counts a frame without decoding it.
  private func count(_ packet: CompressedPacket, _ lane: Lane) {
    let stamp = packet.presentationTimeStamp
    let duration =
      packet.duration.isNumeric
      ? packet.duration : lane.report.track.frameRate?.frameDuration ?? .invalid
    if !lane.report.startTime.isValid { lane.report.startTime = stamp }
    lane.report.sampleCount += 1
    if stamp.isNumeric, duration.isNumeric { lane.report.endTime = stamp + duration }
  }

  private func drain(_ lane: Lane) {
    while !isOver {
      var outcome: LibavDecoder.Outcome?
      attempt(lane) { () throws(AssetReaderError) in outcome = try lane.decoder.receive() }
      // After an error the decoder may still hold frames.
      guard let outcome else { continue }
      guard case .frame = outcome else { return }
      take(lane)
    }
  }

  /// Makes one call of the decoder. All its messages belong to the current frame, because threads
  /// share one frame at a time.
  private func attempt(_ lane: Lane, _ body: () throws(AssetReaderError) -> Void) {
    do throws(AssetReaderError) {
      try body()
      complain(lane)
    } catch {
      let said = movie.journal.popErrors()
      let codec = lane.report.track.codecName
      add(
        lane,
        said.isEmpty
          ? error.message : "\(settings.path): \(codec): \(said.joined(separator: "; "))")
      if lane.frames != nil { refused[lane.report.id, default: 0] += 1 }
    }
  }

  /// Turns libav's messages without an error into findings too.
  private func complain(_ lane: Lane?) {
    let said = movie.journal.popErrors()
    guard !said.isEmpty else { return }
    let codec = lane.map { "\($0.report.track.codecName): " } ?? ""
    add(lane, "\(settings.path): \(codec)\(said.joined(separator: "; "))")
  }

  private func add(_ lane: Lane?, _ message: String) {
    if let lane { lane.report.errorCount += 1 }
    report.add(
      StrictDecodeReport.Finding(
        trackID: lane?.report.id, index: lane.map(place) ?? 0,
        time: lane?.report.endTime ?? .invalid, message: message))
  }

  /// The index of the next sample, counting rejected frames.
  private func place(_ lane: Lane) -> Int64 {
    lane.report.sampleCount + refused[lane.report.id, default: 0]
  }
  private var refused: [AssetTrack.ID: Int64] = [:]

  private func take(_ lane: Lane) {
    let frame = lane.decoder.frame
    defer { av_frame_unref(frame) }
    let stamp = MediaTime(frame.pointee.best_effort_timestamp, in: lane.timeBase)
    if cffmpeg_frame_is_corrupt(frame) != 0 { add(lane, "\(settings.path): a damaged frame") }
    if !lane.report.startTime.isValid { lane.report.startTime = stamp }
    if lane.frames != nil { takeFrame(lane, stamp) } else { takeAudio(lane, stamp) }
  }

  private func takeFrame(_ lane: Lane, _ stamp: MediaTime) {
    let frame = lane.decoder.frame
    let length = cffmpeg_frame_duration(frame)
    let duration =
      length > 0
      ? MediaTime(length, in: lane.timeBase)
      : lane.report.track.frameRate?.frameDuration ?? .invalid
    let layout = FrameLayout(frame.pointee.format)
    let image = DecodedFrame(
      trackID: lane.report.id, index: place(lane), presentationTimeStamp: stamp,
      duration: duration, isKeyFrame: cffmpeg_frame_is_key(frame) != 0,
      dimensions: VideoDimensions(
        width: Int(frame.pointee.width), height: Int(frame.pointee.height)),
      color: ColorDescription(
        libavPrimaries: frame.pointee.color_primaries.rawValue,
        transferFunction: frame.pointee.color_trc.rawValue,
        matrix: frame.pointee.colorspace.rawValue,
        range: layout?.range(said: frame.pointee.color_range) == .full ? 2 : 1),
      fieldOrder: cffmpeg_frame_is_interlaced(frame) == 0
        ? .progressive
        : cffmpeg_frame_is_top_field_first(frame) != 0 ? .topFieldFirst : .bottomFieldFirst,
      sourceFormatName: layout?.sourceName ?? "unknown")
    if let onFrame = settings.onFrame {
      let buffer = layout?.way == .same ? try? lane.frames?.frame(frame) : nil
      onFrame(image, buffer)
    }
    lane.report.sampleCount += 1
    lane.report.endTime =
      stamp.isNumeric && duration.isNumeric ? stamp + duration : lane.report.endTime
  }

  private func takeAudio(_ lane: Lane, _ stamp: MediaTime) {
    let frames = Int64(lane.decoder.frame.pointee.nb_samples)
    if let onAudio = settings.onAudio {
      do throws(AssetReaderError) {
        if let audio = try lane.audio?.audio(lane.decoder.frame) {
          onAudio(lane.report.track, audio, lane.report.sampleCount)
        }
      } catch { add(lane, error.message) }
    }
    lane.report.sampleCount += frames
    if let format = lane.report.track.audio, stamp.isNumeric {
      lane.report.endTime = stamp + format.duration(ofFrames: Int(frames))
    }
  }
}
