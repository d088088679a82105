import CFFmpeg
import MediaCore
import QuickTime

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Reads movies with libavformat and libavcodec.
final class LibavSource: SampleSource {
  private enum State { case reading, draining([Lane]), ended }

  let containerName: String
  let tracks: [AssetTrack]
  let duration: MediaTime
  let metadata: [String: String]
  let contents: AssetContents

  var lateTracks: [AssetLateTrack] { movie.lateTracks }
  private var keepsAlpha = true
  private var color: ColorDescription?
  private let movie: LibavMovie
  /// True if the header of a still image gave an orientation, which is already reported.
  private let statesOrientation: Bool
  private var options: AssetReader.Options
  private let ledger: FrameLedger
  /// Tracks whose packets may be single fields, so that a packet's duration is not a frame's.
  private let tracksOfFields: Set<AssetTrack.ID>
  private var lanes: [AssetTrack.ID: Lane] = [:]
  private var present: Lane?
  private var state = State.reading
  private var endError: AssetReaderError?
  private var selected: Set<AssetTrack.ID> = []
  private var onPacket: ((CompressedPacket) -> Void)?
  /// Tells of a packet of a track whether it is the last one to decode.
  private var isLast: [AssetTrack.ID: (CompressedPacket) -> Bool] = [:]

  init(
    path: String, looksLikeText: Bool, sequence: ImageSequence? = nil,
    options: AssetReader.Options, ledger: FrameLedger
  ) throws(AssetReaderError) {
    movie = try LibavMovie(
      path: path, looksLikeText: looksLikeText, sequence: sequence, cutsAudio: true)
    self.options = options
    self.ledger = ledger
    let movie = movie
    let header = movie.isOfStillImages ? StillHeader(sequence?.path(ofFrame: 0) ?? path) : nil
    if let refusal = header?.refusal {
      throw AssetReaderError(.unsupported, "\(sequence?.path(ofFrame: 0) ?? path): \(refusal)")
    }
    var tracksOfFields: Set<AssetTrack.ID> = []
    tracks = movie.streams.compactMap { stream in
      let color = header?.color?.named ?? .unspecified
      guard var track = AssetTrack(stream, of: movie, color: color) else { return nil }
      track.isAlphaPremultiplied =
        track.hasAlpha && (header?.isAlphaPremultiplied ?? movie.isAlphaPremultiplied(in: stream))
      if let text = header?.timecodeText, let rate = track.frameRate, track.timecodeText == nil {
        track.timecodeText = text
        track.retime(rate)
      }
      if track.mediaType == .video, sequence == nil, Self.canBeReadAgain(path) {
        if track.retime(stream, of: movie, looksLikeText: looksLikeText) {
          tracksOfFields.insert(track.id)
        }
      }
      if track.codecName == "hevc", sequence == nil, Self.canBeReadAgain(path) {
        track.take(HEVCScan(stream, in: path, looksLikeText: looksLikeText))
      }
      if sequence == nil, Self.canBeReadAgain(path) {
        track.isShownAsDecoded = AssetTrack.isShownAsDecoded(stream, of: movie)
      }
      return track
    }
    self.tracksOfFields = tracksOfFields
    let isColored = movie.streams.contains { movie.knowsColor(of: $0) }
    let remarks = header?.remarks(isColored: isColored) ?? []
    let context = movie.context.pointee
    containerName = context.iformat.flatMap { libavText($0.pointee.name) } ?? "?"
    metadata = movie.metadata
    contents = AssetContents(
      movie, tracks: tracks, sequence: sequence, remarks: remarks)
    statesOrientation = remarks.contains { $0.subject == "orientation" }
    duration = tracks.map(\.duration).filter(\.isNumeric).max() ?? .invalid
    guard !tracks.isEmpty else {
      throw AssetReaderError(
        looksLikeText ? .notAMovie : .noSuchTrack,
        "\(path) contains no readable video or audio\(AssetContents.unread(movie)); name another file"
      )
    }
  }

  private static func canBeReadAgain(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
  }

  func select(_ tracks: Set<AssetTrack.ID>) {
    selected = tracks
    movie.select(tracks)
  }

  func watchPackets(_ body: @escaping (CompressedPacket) -> Void) { onPacket = body }

  func leave(_ track: AssetTrack.ID) {
    selected.remove(track)
    movie.select(selected)
    lanes[track] = nil
    if present?.track.id == track { present = nil }
  }

  func endDecoding(of track: AssetTrack.ID, _ isLast: @escaping (CompressedPacket) -> Bool) {
    self.isLast[track] = isLast
  }

  func setThreadCount(_ count: Int) { options.threadCount = count }
  func edits(of track: AssetTrack.ID) -> [MovieEdit] {
    movie.stream(track).flatMap { movie.indexedTrack(of: $0)?.edits } ?? []
  }

  func leavesEditsUndone(of id: AssetTrack.ID) -> Bool {
    guard let track = movie.stream(id).flatMap({ movie.indexedTrack(of: $0) }),
      movie.index?.fragmentCount != 0
    else { return false }
    return !movie.edits.areAppliedToFragments(of: id)
      && PacketEdits.leaveSomethingOut(
        track.edits, mediaDuration: track.mediaDuration, timescale: track.timescale)
  }

  func restAfterEdits(of track: AssetTrack.ID) -> MediaTime { movie.edits.restAfterEnd(of: track) }

  func loneFields(of track: AssetTrack.ID) -> [MediaTime] { lanes[track]?.loneFields?.times ?? [] }

  func cutsAudio(of track: AssetTrack.ID) -> Bool { movie.edits.cutsAudio(of: track) }

  func discardAlpha() { keepsAlpha = false }
  func retag(_ color: ColorDescription) { self.color = color }

  func seek(_ track: AssetTrack.ID, to time: MediaTime) -> Bool {
    guard let stream = movie.stream(track) else { return false }
    let unit = stream.pointee.time_base
    guard unit.num > 0, unit.den > 0 else { return false }
    let ticks = movie.edits.storedTime(
      of: time.converted(toTimescale: unit.den).value / Int64(unit.num), in: track)
    // Decoders restart as well.
    lanes = [:]
    present = nil
    state = .reading
    endError = nil
    return movie.registration.listen {
      av_seek_frame(movie.context, Int32(track), ticks, AVSEEK_FLAG_BACKWARD)
    } >= 0
  }

  func nextPacket() throws(AssetReaderError) -> CompressedPacket? { try movie.nextPacket() }

  func nextSample() throws(AssetReaderError) -> AssetSample? {
    while true {
      if let lane = present {
        guard lane.ready.isEmpty else { return lane.ready.removeFirst() }
        switch try receive(lane) {
        case .frame: if let sample = try sample(from: lane) { return sample }
        case .wantsInput:
          if lane.hasAll, !lane.isDraining { try send(nil, to: lane) } else { present = nil }
        case .finished:
          guard let packet = lane.nextPart.take() else {
            present = nil
            continue
          }
          lane.decoder.restart()
          lane.pending.restart()
          lane.isDraining = false
          try send(packet, to: lane)
        }
        continue
      }
      switch state {
      case .reading: if let sample = try feed() { return sample }
      case .draining(let rest):
        guard let lane = rest.first else {
          state = .ended
          continue
        }
        state = .draining(Array(rest.dropFirst()))
        present = lane
        try send(nil, to: lane)
      case .ended:
        guard let error = endError else { return nil }
        endError = nil
        throw error
      }
    }
  }

  /// Sends the next packet to its decoder. Returns the sample if it is ready immediately.
  private func feed() throws(AssetReaderError) -> AssetSample? {
    guard isLast.isEmpty || !selected.allSatisfy({ lanes[$0]?.hasAll == true }) else {
      state = .ended
      return nil
    }
    let packet: CompressedPacket?
    do throws(AssetReaderError) { packet = try movie.nextPacket() } catch {
      // Deliver everything complete before the error.
      endError = error
      packet = nil
    }
    guard let packet else {
      state = .draining(lanes.keys.sorted().compactMap { lanes[$0] })
      return nil
    }
    onPacket?(packet)
    // Nobody sees it, so damage in it does not matter.
    guard !packet.isUnseen, let lane = try lane(for: packet.trackID), !lane.hasAll else {
      return nil
    }
    if movie.isOfStillImages,
      let codec = movie.stream(packet.trackID)?.pointee.codecpar?.pointee.codec_id,
      packet.withUnsafeBytes({ StillImage.isCut($0, of: codec) })
    {
      lane.cutImages.insert(packet.rawPacket.pointee.pts)
    }
    if let made = try lane.proRes?.frame(packet) {
      if isLast[lane.track.id]?(packet) == true { lane.hasAll = true }
      return sample(
        made.frame, made.sideData, of: lane, at: packet.presentationTimeStamp,
        duration: packet.duration, isKey: true, isDamaged: false)
    }
    present = lane
    guard lane.frames != nil, contents.timesMayJump, lane.beginsPart(packet) else {
      try send(packet, to: lane)
      return nil
    }
    // A decoder drops the frames it still holds when a different sequence begins.
    lane.nextPart = packet
    try send(nil, to: lane)
    return nil
  }

  private func send(_ packet: CompressedPacket?, to lane: Lane) throws(AssetReaderError) {
    if let packet {
      lane.willSend(packet)
      if isLast[lane.track.id]?(packet) == true { lane.hasAll = lane.canEndEarly }
    } else {
      lane.isDraining = true
      lane.loneFields?.finish()
    }
    do throws(AssetReaderError) { try lane.decoder.send(packet) } catch {
      throw placed(error, lane)
    }
  }

  private func receive(_ lane: Lane) throws(AssetReaderError) -> LibavDecoder.Outcome {
    do throws(AssetReaderError) { return try lane.receive() } catch {
      throw placed(error, lane)
    }
  }

  /// Adds the track, the times and the frame's number to an error, and skips that frame.
  private func placed(_ error: AssetReaderError, _ lane: Lane) -> AssetReaderError {
    guard error.code == .decodeFailed else { return error }
    let place = lane.track.mediaType == .video ? "frame \(lane.index)" : "audio at \(lane.index)"
    let (times, isUnseen) = lane.pending.fail()
    if lane.track.mediaType == .video, !isUnseen {
      lane.index += 1
      if let rate = lane.track.frameRate { lane.nextTime += rate.frameDuration }
    }
    var placed = AssetReaderError(error.code, "\(error.message), \(place)", from: error)
    placed.trackID = lane.track.id
    (placed.times, placed.isUnseen) = (times, isUnseen)
    return placed
  }

  private func lane(for id: AssetTrack.ID) throws(AssetReaderError) -> Lane? {
    if let lane = lanes[id] { return lane }
    guard selected.contains(id), let track = tracks.first(where: { $0.id == id }),
      let stream = movie.stream(id)
    else { return nil }
    let proRes = ProResFrames(stream, threads: options.threadCount, ledger: ledger)
    // Next to this project's ProRes decoder, libavcodec's must deliver a frame before the next
    // packet is sent.
    let decoder = try LibavDecoder(
      stream, of: movie, threads: options.threadCount, isStrict: false,
      overlapsFrames: proRes == nil && options.overlapsFrames)
    let lane = try Lane(
      track, decoder, timeBase: stream.pointee.time_base, name: movie.path, ledger: ledger,
      keepsAlpha: keepsAlpha, color: color, proRes: proRes,
      loneFields: LoneFields(stream, of: movie))
    lanes[id] = lane
    return lane
  }

  private func sample(from lane: Lane) throws(AssetReaderError) -> AssetSample? {
    let frame = lane.decoder.frame
    defer { av_frame_unref(frame) }
    let stamp = lane.shown(MediaTime(frame.pointee.best_effort_timestamp, in: lane.timeBase))
    let time = stamp.isNumeric && !lane.runsOn(to: stamp) ? stamp : lane.nextTime
    lane.pending.deliver(stamp.isNumeric ? stamp : time)
    let isDamaged =
      cffmpeg_frame_is_corrupt(frame) != 0 || lane.cutImages.remove(frame.pointee.pts) != nil
    guard let frames = lane.frames else {
      return try lane.audioSample(at: time, place(time, of: lane.track), isDamaged: isDamaged)
    }
    // Read before the pixel buffer takes over the frame's memory.
    var sideData = FrameSideData(frame)
    if !keepsAlpha, !lane.track.hasAlpha, Self.hasAlpha(frame) { sideData.extras.insert(.alpha) }
    // Some versions of libavcodec copy the container's rotation to frames.
    if lane.track.rotation == 0, !lane.track.isMirrored, !statesOrientation,
      FrameSideData.isTurned(frame)
    {
      sideData.extras.insert(.orientation)
    }
    let isKey = cffmpeg_frame_is_key(frame) != 0
    let length = cffmpeg_frame_duration(frame)
    var buffer: PixelBuffer
    do throws(AssetReaderError) { buffer = try frames.frame(frame) } catch {
      guard error.code == .unsupported, lane.index > 0 else { throw error }
      throw AssetReaderError(
        error.code, "\(error.message); the frames change to it\(place(time))", from: error)
    }
    if let ours = try lane.proRes?.frame(insteadOf: buffer, sideData) { buffer = ours }
    return sample(
      buffer, sideData, of: lane, at: time,
      duration: length > 0 ? MediaTime(length, in: lane.timeBase) : .invalid, isKey: isKey,
      isDamaged: isDamaged)
  }

  /// Describes a time from the start of the file, with an audio track's number; empty if unknown.
  private func place(_ time: MediaTime, of track: AssetTrack? = nil) -> String {
    let starts = tracks.map(\.startTime).filter(\.isNumeric)
    let number = tracks.filter { $0.mediaType == .audio }.firstIndex { $0.id == track?.id }
    let words = number.map { " of audio track \($0 + 1)" } ?? ""
    guard time.isNumeric, let start = starts.min() else { return words }
    return "\(words) at \(max((time - start).seconds, 0).text(decimals: 3)) s"
  }

  /// True for a frame whose pixel format has alpha; palettes are checked elsewhere.
  private static func hasAlpha(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
    av_pix_fmt_desc_get(AVPixelFormat(rawValue: frame.pointee.format)).map {
      cffmpeg_pixel_has_alpha($0) != 0 && cffmpeg_pixel_is_palette($0) == 0
    } ?? false
  }

  /// - Parameter duration: The duration; invalid to use the track's frame duration.
  private func sample(
    _ buffer: PixelBuffer, _ sideData: FrameSideData, of lane: Lane, at time: MediaTime,
    duration: MediaTime, isKey: Bool, isDamaged: Bool
  ) -> AssetSample {
    // For GXF too, libavformat reports the duration of a field.
    let isOfField = lane.track.isShownAsDecoded || tracksOfFields.contains(lane.track.id)
    let isStated = duration.isNumeric && !isOfField
    let duration = isStated ? duration : lane.track.frameRate?.frameDuration ?? duration
    // Decoders silently drop frames that refer to some before the first one in the file.
    let holdsBack = lane.decoder.context.pointee.has_b_frames > 0
    if let lead = lane.pending.lead(
      to: time, rate: lane.track.frameRate, holdsBack: holdsBack)
    {
      lane.index = lead
    }
    defer { lane.index += 1 }
    lane.nextTime = duration.isNumeric ? time + duration : time
    var attachments = SampleBuffer.Attachments()
    attachments.isDamaged = isDamaged
    attachments.timecode = lane.track.timecode?.advanced(by: lane.index)
    return AssetSample(
      trackID: lane.track.id,
      sampleBuffer: SampleBuffer(
        .video(buffer), presentationTimeStamp: time, duration: duration, attachments: attachments),
      index: lane.index, isKeyFrame: isKey, sideData: sideData)
  }
}
