import Glibc
import MediaCore

extension MovieWriter {
  /// Bytes of the open fragment, in memory and in the file.
  var pendingBytes: Int {
    tracks.reduce(placed.map { Int($0.end - position) } ?? 0) { $0 + $1.buffer.count }
  }

  /// Samples of a track that were appended and are in no fragment of the file yet: a frame counts as
  /// one, audio and unknown tracks as none.
  public func pendingFrameCount(of track: TrackID) -> Int {
    guard let place = try? index(of: track), case .video = tracks[place].content else { return 0 }
    return tracks[place].sizes.count
  }

  /// No less than the bytes of the full `moov` as things stand.
  var indexSize: UInt64 {
    tracks.reduce(UInt64(4096 + movie.metadata.count)) { total, track in
      let samples = track.record.samples
      let sizes = 4 * (samples.ends.count + track.sizes.count + 1)
      let times = 8 * (samples.timeRuns.count + track.durations.count)
      let chunks = 20 * (samples.chunks.count + track.offsets.count + 1)
      let headers = 1024 + track.record.sampleEntry.count
      return total + UInt64(headers + sizes + times + chunks)
    }
  }

  /// Runs a step that touches the disk; an error ends the writing.
  func guarding(_ step: () throws(QuickTimeError) -> Void) throws(QuickTimeError) {
    do throws(QuickTimeError) {
      try step()
    } catch {
      let error = error.naming(file.name)
      state = .failed(error)
      throw error
    }
  }

  /// Runs a step and adds the time it took, failed or not.
  func timed(
    _ total: WritableKeyPath<Statistics, UInt64>, _ step: () throws(QuickTimeError) -> Void
  ) throws(QuickTimeError) {
    let start = Self.now()
    defer { statistics[keyPath: total] += Self.now() - start }
    try step()
  }

  static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Closes the fragment first where `count` more bytes would pass its limit, or `headerSize` more
  /// in its header the room for that.
  func makeRoom(for count: Int, headerSize: Int) throws(QuickTimeError) {
    let waiting = pendingBytes
    guard waiting > 0 else { return }
    let isTooLarge = waiting + count > configuration.fragmentByteLimit
    let isHeaderTooLarge = placed.map { headerLimit + headerSize > Int($0.start - position) }
    guard isTooLarge || isHeaderTooLarge ?? false else { return }
    try writeFragment()
  }

  /// Closes the fragment when one more sample like the last would make it longer than the interval,
  /// or when it is large enough. The first track counts; another one only where it has run far ahead
  /// of it.
  func closeFragmentIfComplete(after place: Int, lasting last: Int64) throws(QuickTimeError) {
    let track = tracks[place]
    if configuration.syncPolicy == .eachFrame, case .video = track.content {
      return try writeFragment()
    }
    let next = Double(track.pendingDuration + last) / Double(track.record.timescale)
    let limit = configuration.fragmentInterval * (place == 0 ? 1 : 2)
    // A millionth of slack: half a second of frames at 24 must not become one frame less.
    guard next > limit + 1e-6 || pendingBytes >= configuration.fragmentByteLimit else { return }
    try writeFragment()
  }

  /// Writes what waits as one fragment, and syncs it as the policy says.
  ///
  /// The header comes last: until then the fragment is not there, after it it is whole. A kernel may
  /// give up within a write when it kills the process.
  func writeFragment() throws(QuickTimeError) {
    try appendTimecodes()
    try appendDueData()
    guard pendingBytes > 0 else { return }
    for track in tracks {
      track.makeBlocks()
      guard !track.isEmpty else { continue }
      waiting.append(track)
      runs.append(track.run())
    }
    defer { waiting.removeAll(keepingCapacity: true) }
    header.removeAll()
    header.fragment(
      sequence: UInt32(truncatingIfNeeded: fragmentStarts.count + 1), at: position,
      mediaStart: placed?.end, runs: runs)
    // A table that is still named here would be copied when the next sample comes.
    runs.removeAll(keepingCapacity: true)
    let mediaStart = placed?.end ?? position + UInt64(header.bytes.count)
    let end = waiting.reduce(mediaStart) { $0 + UInt64($1.buffer.count) }
    let began = Self.now() - placingTime
    let sum = checksum?.closing(header: header.bytes, waiting.lazy.map { $0.buffer.bytes })
    if let placed, let checksum {
      let room = Int(placed.start - position)
      header.replace(with: checksum.filled(header.bytes, room: room))
    }
    if let placed { try checkHeader(fits: placed) }
    try reservation.reserve(upTo: end, indexSize: indexSize, in: file)
    try timed(\.writeTime) { () throws(QuickTimeError) in
      if end > mediaStart { try write(waiting.lazy.map { $0.buffer.bytes }, at: mediaStart) }
      let head = header.bytes
      try head.span.withUnsafeBytes { (head) throws(QuickTimeError) in
        try write(CollectionOfOne(head), at: position)
      }
    }
    if let sum {
      for track in waiting { track.sumAudio() }
      checksum?.commit(
        sum, header: header.bytes,
        others: waiting.lazy.filter { !$0.isSummed }.map { $0.buffer.bytes })
    }
    try commit(from: mediaStart, to: end)
    if configuration.syncPolicy != .off {
      try timed(\.syncTime) { () throws(QuickTimeError) in try synchronize() }
    }
    try adoptName()
    let took = Self.now() - began
    statistics.slowestFragment = max(statistics.slowestFragment, took)
  }

  /// A header that is larger than the room left for it would overwrite the first frame: the fragment
  /// is given up instead.
  private func checkHeader(fits placed: PlacedMedia) throws(QuickTimeError) {
    guard UInt64(header.bytes.count) <= placed.start - position else {
      throw QuickTimeError(
        .invalidState,
        "\(file.name): a fragment's header takes \(header.bytes.count) bytes, more than the "
          + "\(placed.start - position) left for it; use a shorter fragment interval")
    }
  }

  /// Replaces the file whose name the movie is to take, now that a fragment is on the disk. If that fails, the movie
  /// keeps its present name.
  private func adoptName() throws(QuickTimeError) {
    guard !file.hasName else { return }
    if configuration.syncPolicy == .off { try synchronize() }
    do throws(QuickTimeError) { try file.adoptName() } catch { nameError = error }
  }

  /// The end of the fragments that are known to be on each disk that is left.
  var confirmedEnd: UInt64 { min(syncedEnd, file.confirmedSize ?? .max) }

  /// Brings the whole fragments to the disk, and remembers what became of that.
  func synchronize() throws(QuickTimeError) {
    do throws(QuickTimeError) { try file.synchronize() } catch {
      isInDoubt = true
      throw error
    }
    if !isInDoubt { syncedEnd = position }
  }

  private func write(
    _ parts: some Sequence<UnsafeRawBufferPointer>, at offset: UInt64
  ) throws(QuickTimeError) {
    pieces.removeAll(keepingCapacity: true)
    pieces.append(contentsOf: parts)
    try file.write(pieces, at: offset)
  }

  private func commit(from mediaStart: UInt64, to end: UInt64) throws(QuickTimeError) {
    var offset = mediaStart
    for track in waiting {
      let bytes = UInt64(track.buffer.count)
      guard track.commit(at: offset) else {
        throw QuickTimeError(
          .unsupported, "\(file.name): a fragment's samples do not fit the index; end the movie")
      }
      offset += bytes
    }
    fragmentStarts.append(position)
    position = end
    placed = nil
    placingTime = 0
    statistics.bytesWritten = end
    statistics.fragmentCount += 1
    reservation.noteWritten(upTo: end)
  }

  /// Puts the timecode of its first frame into the first fragment. The one sample lasts for the
  /// whole take, as the finished movie says; only where its duration would not fit 32 bits (19 hours
  /// at 59.94) another one follows.
  private func appendTimecodes() throws(QuickTimeError) {
    for track in tracks {
      guard case .timecode(let timecode, let place) = track.content, track.isEmpty,
        case .video(let description) = tracks[place].content,
        tracks[place].pendingDuration > 0
      else { continue }
      let video = tracks[place]
      let base = video.record.samples.duration
      let end = video.duration
      if let last = track.record.samples.last, end - last.time <= Int64(UInt32.max) { continue }
      let frame = (base + description.frameDuration / 2) / description.frameDuration
      let number = UInt32(truncatingIfNeeded: timecode.start.advanced(by: frame).frameNumber)
      let target = try track.buffer.extend(by: 4)
      target.storeBytes(of: number.bigEndian, as: UInt32.self)
      track.sizes.append(4)
      track.durations.append(UInt32(clamping: end - base))
      track.pendingDuration = end - base
      track.baseTime = base
    }
  }
}
