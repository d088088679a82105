import MediaCore

/// Tracks of timed metadata, captions and timecode.
///
/// Their samples are in the fragments of the video, or of the audio, that they are about: a sudden end loses no
/// more of them.
extension MovieWriter {
  /// Adds a track about another one, in whose units its times are kept.
  func addDataTrack(
    _ content: DataTrackState.Content, _ handler: FourCharCode, _ handlerName: String,
    about place: Int, capacity: Int, _ change: (inout TrackRecord) -> Void
  ) throws(QuickTimeError) -> TrackID {
    let described = tracks[place].record
    var record = TrackRecord(
      id: UInt32(tracks.count + 1), handler: handler, timescale: described.timescale)
    record.handlerName = handlerName
    record.isShownByTime = true
    let state = DataTrackState(
      content, describing: place, timescale: Int32(clamping: described.timescale))
    record.sampleEntry = state.entry
    change(&record)
    return try add(.data(state), record, capacity: capacity)
  }

  /// The place of a video track, which others are to be about.
  func frames(_ video: TrackID, for what: String) throws(QuickTimeError) -> Int {
    try expectConfiguring()
    let place = try index(of: video)
    guard case .video = tracks[place].content else {
      throw QuickTimeError(
        .invalidArgument, "track \(video) is not a video track; only video tracks have \(what)")
    }
    return place
  }

  /// A time of the movie, in units of a track; nil for none.
  private static func units(_ time: MediaTime, _ scale: Int32) -> Int64? {
    guard time.isNumeric else { return nil }
    let units = time.converted(toTimescale: scale, rounding: .roundHalfAwayFromZero)
    // A time that 64 bits cannot count is out of range as well.
    guard units.isNumeric else { return time < .zero ? -furthest : furthest }
    return min(max(units.value, -furthest), furthest)
  }

  /// Times beyond are as good as none.
  private static let furthest = Int64.max / 8

  /// Appends what holds from a time of the movie on.
  ///
  /// - Parameters:
  ///   - content: What the track has from here on.
  ///   - what: What is appended, for an error.
  ///   - bytes: The sample, by its place in time and that of the one that was appended last.
  func appendData(
    from start: MediaTime, until end: MediaTime = .invalid, to track: TrackState,
    _ data: DataTrackState, as content: DataTrackState.Content, _ what: String,
    _ bytes: (_ start: Int64, _ last: Int64?) -> [UInt8]
  ) throws(QuickTimeError) {
    guard state == .writing else { throw invalidState(what) }
    guard let time = Self.units(start, data.timescale), time >= data.lastStart ?? time else {
      throw QuickTimeError(.invalidArgument, "\(what) are appended in order of their times")
    }
    let bytes = bytes(time, data.lastStart)
    guard bytes.count <= DataSampleReader.sizeLimit else {
      throw QuickTimeError(
        .invalidArgument,
        "\(what) of \(bytes.count) bytes in one sample; the limit is \(DataSampleReader.sizeLimit)")
    }
    try guarding { () throws(QuickTimeError) in
      let isNew = content != data.content
      let entry = isNew ? DataTrackState(content, describing: 0, timescale: 1).entry : []
      try makeRoom(for: bytes.count, headerSize: 2 * TrackState.runEntrySize + entry.count)
      if isNew {
        data.change(to: content)
        track.record.sampleEntry = entry
      }
      data.append(start: time, end: Self.units(end, data.timescale), bytes: bytes)
    }
  }

  /// The most bytes of data that no fragment has yet.
  var waitingDataBytes: Int {
    tracks.reduce(0) { sum, track in
      if case .data(let data) = track.content { sum + data.waitingBytes } else { sum }
    }
  }

  /// Puts what holds from a time on that the file then shows into the fragment.
  func appendDueData() throws(QuickTimeError) {
    for track in tracks {
      guard case .data(let data) = track.content, track.isEmpty else { continue }
      let described = tracks[data.described]
      let end = described.record.startDelay + described.duration
      let changes = data.changes(before: end)
      guard let first = changes.first else { continue }
      for (index, change) in changes.enumerated() {
        let next = index + 1 < changes.count ? changes[index + 1].start : end
        let room = try track.buffer.extend(by: change.bytes.count)
        room.copyBytes(from: change.bytes)
        track.sizes.append(UInt32(clamping: change.bytes.count))
        track.durations.append(UInt32(clamping: next - change.start))
      }
      track.baseTime = first.start
      track.pendingDuration = end - first.start
    }
  }
}

extension TrackRecord {
  /// True for a track of a kind whose samples are in fragments at their times in the movie.
  var isData: Bool {
    let type = sampleEntry.dropFirst(4)
    return switch handler {
    case "meta": type.starts(with: "mebx".utf8)
    case "clcp": type.starts(with: "c608".utf8)
    case "tmcd": type.starts(with: "tmcd".utf8)
    default: false
    }
  }

  /// When the first sample is shown in the movie, in the track's units.
  var startDelay: Int64 {
    let scale = Int32(clamping: timescale)
    return edits.prefix { $0.mediaTime == nil }.reduce(0) { sum, edit in
      let units = (edit.duration ?? .zero).converted(
        toTimescale: scale, rounding: .roundHalfAwayFromZero)
      return sum.addingSaturating(units.isNumeric ? max(units.value, 0) : 0)
    }
  }

  /// When the movie has shown all of the track, in the track's units.
  func presentationEnd(movieTimescale: UInt32) -> Int64 {
    let shown = MediaTime(
      value: presentationDuration(movieTimescale: movieTimescale),
      timescale: Int32(clamping: movieTimescale)
    ).converted(toTimescale: Int32(clamping: timescale), rounding: .roundHalfAwayFromZero)
    let whole = startDelay.addingSaturating(samples.duration)
    return shown.isNumeric ? min(shown.value, whole) : whole
  }

  /// Lets samples follow that hold from a time of the movie on: those before end there. The first one
  /// says from when on the movie shows the track.
  mutating func beginData(at time: Int64) {
    let delay = startDelay
    samples.endLastSample(at: time - delay)
    guard samples.isEmpty else { return }
    let start = MediaTime(value: max(time, 0), timescale: Int32(clamping: timescale))
    edits =
      time > 0
      ? [MovieEdit(mediaTime: nil, duration: start), MovieEdit(mediaTime: 0, duration: nil)] : []
  }
}

extension MovieRecord {
  /// Extends the last sample to the end of the track that it describes, and removes samples after that. A
  /// track without samples is removed.
  ///
  /// - Parameter source: The file that has the samples.
  mutating func settleData(in source: any MovieByteSource) {
    for index in tracks.indices where tracks[index].isShownByTime {
      guard let described = described(by: tracks[index]) else { continue }
      let end = described.presentationEnd(movieTimescale: timescale)
      tracks[index].samples.endLastSample(at: end - tracks[index].startDelay)
      // Nothing at the end says no more than the end does.
      if tracks[index].handler == "meta", let last = tracks[index].samples.last,
        last.size == DataTrackState.nothing.count,
        (try? source.bytes(at: last.offset, count: Int(last.size))) == DataTrackState.nothing
      {
        tracks[index].samples.endLastSample(at: last.time)
      }
    }
    let empty = Set(tracks.lazy.filter { $0.isShownByTime && $0.samples.isEmpty }.map(\.id))
    guard !empty.isEmpty else { return }
    tracks.removeAll { empty.contains($0.id) }
    for index in tracks.indices {
      for place in tracks[index].references.indices {
        tracks[index].references[place].tracks.removeAll { empty.contains($0) }
      }
      tracks[index].references.removeAll(where: \.tracks.isEmpty)
    }
  }

  /// The track that another one is about: which it refers to, or which refers to it, or the first video track.
  private func described(by track: TrackRecord) -> TrackRecord? {
    if let id = track.references.first(where: { $0.type == "cdsc" })?.tracks.first {
      return tracks.first { $0.id == id }
    }
    return tracks.first { other in other.references.contains { $0.tracks.contains(track.id) } }
      ?? tracks.first { $0.handler == "vide" }
  }
}
