public import MediaCore

extension MovieWriter {
  /// Writes the beginning of the file. From here on samples may be appended.
  ///
  /// - Throws: ``QuickTimeError/Code/invalidState`` where there is no track, or errors of the disk.
  public func start() throws(QuickTimeError) {
    guard state == .configuring else { throw invalidState("start()") }
    guard !tracks.isEmpty else {
      throw QuickTimeError(
        .invalidState, "\(file.name): a movie needs a track; add one before start()")
    }
    movie.creationTime = UInt64(
      clamping: configuration.creationTime.addingSaturating(MovieRecord.epochOffset))
    movie.timescale = movieTimescale()
    movie.preferredRate = UInt32(
      bitPattern: Int32((configuration.preferredRate * 65_536).rounded()))
    movie.preferredVolume = UInt16(
      bitPattern: Int16(clamping: Int((configuration.preferredVolume * 256).rounded())))
    movie.metadata = Self.atom { $0.metadata(configuration.metadata) }
    movie.tracks = tracks.map(\.record)
    let fragments = TrackState.reservedFragments(configuration.fragmentInterval)
    for track in tracks {
      track.reserveTables(fragments: fragments, checksums: configuration.takesChecksums)
    }
    fragmentStarts.reserveCapacity(fragments)
    headerRoom = expectedHeaderSize()
    let beginning = FileLayout.beginning(of: movie)
    if configuration.takesChecksums { checksum = FileChecksum(beginning: beginning) }
    try guarding { () throws(QuickTimeError) in
      try reservation.reserve(
        upTo: UInt64(beginning.count), indexSize: indexSize, in: file)
      try timed(\.writeTime) { () throws(QuickTimeError) in try file.write(beginning, at: 0) }
      position = UInt64(beginning.count)
      statistics.bytesWritten = position
      reservation.noteWritten(upTo: position)
      if configuration.syncPolicy != .off {
        try timed(\.syncTime) { () throws(QuickTimeError) in
          try file.synchronize()
          try file.synchronizeParentDirectory()
        }
      }
      state = .writing
    }
  }

  private func movieTimescale() -> UInt32 {
    if let given = configuration.movieTimescale { return UInt32(given) }
    let scales = tracks.compactMap { track -> UInt32? in
      switch track.content {
      // The rate's own numerator is enough for whole frames: 25, where the track counts in 25000.
      case .video(let video): UInt32(video.frameRate.numerator)
      case .data: nil
      case .audio, .timecode, .companion: track.record.timescale
      }
    }
    let common =
      MovieRecord.commonTimescale(scales) ?? tracks.first?.record.timescale ?? 600
    // A handful of units a second would round every other edit.
    return common < 600 ? common * ((600 + common - 1) / common) : common
  }

  /// Appends a coded frame. The memory is the caller's again at once: the frame is written, or
  /// copied where it is small (``Configuration/placedFrameSize``).
  ///
  /// A large frame should begin at a multiple of 4096 in memory; one that does not is copied first.
  ///
  /// - Parameters:
  ///   - bytes: The frame.
  ///   - track: A video track.
  ///   - duration: Units of the track's time scale, from 1; nil for a frame of the track's
  ///     rate.
  /// - Throws: ``QuickTimeError/Code/invalidState``, ``QuickTimeError/Code/invalidArgument``, or an
  ///   error of the disk, after which the writer takes no more.
  public func appendVideo(
    _ bytes: UnsafeRawBufferPointer, to track: TrackID, duration: Int64? = nil
  ) throws(QuickTimeError) {
    try appendVideo(bytes, to: track, duration: duration, checksum: nil)
  }

  /// As ``appendVideo(_:to:duration:)``.
  ///
  /// - Parameter checksum: The frame's checksum, which is taken as it is; nil to take it here.
  package func appendVideo(
    _ bytes: UnsafeRawBufferPointer, to track: TrackID, duration: Int64? = nil,
    checksum: FrameChecksum?
  ) throws(QuickTimeError) {
    guard state == .writing else { throw invalidState("a frame") }
    let place = try index(of: track)
    let video = tracks[place]
    guard case .video(let description) = video.content else {
      throw QuickTimeError(.invalidArgument, "track \(track) is not a video track")
    }
    guard let size = UInt32(exactly: bytes.count), size > 0,
      let length = UInt32(exactly: duration ?? description.frameDuration), length > 0
    else {
      throw QuickTimeError(
        .invalidArgument,
        "a frame of \(bytes.count) bytes and \(duration ?? 0) units: both must be from 1 to 2^32-1")
    }
    try guarding { () throws(QuickTimeError) in
      try makeRoom(for: bytes.count, headerSize: TrackState.placedRunSize)
      if video.isEmpty { video.isPlaced = bytes.count >= configuration.placedFrameSize }
      let sum = self.checksum == nil ? nil : checksum ?? FrameChecksum(bytes)
      if video.isPlaced {
        try placeFrame(bytes, of: video, sum)
      } else {
        try video.buffer.append(bytes)
      }
      if let sum { video.checksums.frames.append(sum.value) }
      video.sizes.append(size)
      video.durations.append(length)
      video.pendingDuration += Int64(length)
      try closeFragmentIfComplete(after: place, lasting: Int64(length))
    }
  }

  /// Appends interleaved PCM in the track's format. It is copied once.
  ///
  /// - Parameters:
  ///   - bytes: The samples, of all channels in turns.
  ///   - frames: Samples of every channel in `bytes`.
  ///   - track: An audio track.
  /// - Throws: As ``appendVideo(_:to:duration:)``.
  public func appendAudio(
    _ bytes: UnsafeRawBufferPointer, frames: Int, to track: TrackID
  ) throws(QuickTimeError) {
    guard state == .writing else { throw invalidState("audio") }
    let place = try index(of: track)
    let audio = tracks[place]
    guard case .audio(let description) = audio.content else {
      throw QuickTimeError(.invalidArgument, "track \(track) is not an audio track")
    }
    try check(bytes.count, frames: frames, bytesPerFrame: description.format.bytesPerFrame)
    guard frames > 0 else { return }
    try checkLength(of: audio, adding: frames)
    try guarding { () throws(QuickTimeError) in
      try makeRoom(for: bytes.count, headerSize: Self.headerSize(ofAudio: frames))
      try audio.buffer.append(bytes)
      audio.pendingDuration += Int64(frames)
      try closeFragmentIfComplete(after: place, lasting: Int64(frames))
    }
  }

  /// Appends interleaved PCM to mono tracks: channel 1 to the first, channel 2 to the second, and
  /// so on.
  ///
  /// - Throws: As ``appendVideo(_:to:duration:)``; ``QuickTimeError/Code/invalidArgument`` where
  ///   the tracks are not mono or store samples in different ways.
  public func appendInterleavedAudio(
    _ bytes: UnsafeRawBufferPointer, frames: Int, toMonoTracks ids: [TrackID]
  ) throws(QuickTimeError) {
    guard state == .writing else { throw invalidState("audio") }
    var places: [Int] = []
    var width = 0
    for id in ids {
      let place = try index(of: id)
      guard case .audio(let description) = tracks[place].content,
        description.format.channelCount == 1,
        width == 0 || description.format.bytesPerFrame == width
      else {
        throw QuickTimeError(
          .invalidArgument, "track \(id): not a mono track in the sample format of the others")
      }
      width = description.format.bytesPerFrame
      places.append(place)
    }
    guard !places.isEmpty else {
      throw QuickTimeError(.invalidArgument, "\(file.name): audio needs at least one track")
    }
    try check(bytes.count, frames: frames, bytesPerFrame: width * ids.count)
    guard frames > 0 else { return }
    for place in places { try checkLength(of: tracks[place], adding: frames) }
    try guarding { () throws(QuickTimeError) in
      try makeRoom(
        for: bytes.count, headerSize: places.count * Self.headerSize(ofAudio: frames))
      for (channel, place) in places.enumerated() {
        let target = try tracks[place].buffer.extend(by: frames * width)
        Self.copyChannel(channel, of: ids.count, width: width, from: bytes, to: target)
        tracks[place].pendingDuration += Int64(frames)
      }
      try closeFragmentIfComplete(after: places[0], lasting: Int64(frames))
    }
  }

  /// The most bytes that audio adds to the header of its fragment.
  private static func headerSize(ofAudio frames: Int) -> Int {
    (frames / TrackState.blockFrames + 1) * TrackState.runEntrySize
  }

  private static func copyChannel(
    _ channel: Int, of channels: Int, width: Int, from source: UnsafeRawBufferPointer,
    to target: UnsafeMutableRawBufferPointer
  ) {
    var from = channel * width
    var to = 0
    while to < target.count {
      for byte in 0..<width { target[to + byte] = source[from + byte] }
      from += channels * width
      to += width
    }
  }

  private func check(
    _ count: Int, frames: Int, bytesPerFrame: Int
  ) throws(QuickTimeError) {
    guard frames >= 0, frames <= Int(UInt32.max), count == frames * bytesPerFrame else {
      throw QuickTimeError(
        .invalidArgument,
        "\(count) bytes for \(frames) samples of \(bytesPerFrame) bytes: the numbers do not match")
    }
  }

  /// A plain movie counts samples in 32 bits: a day of audio at 48 kHz.
  private func checkLength(of audio: TrackState, adding frames: Int) throws(QuickTimeError) {
    guard audio.duration + Int64(frames) <= Int64(UInt32.max) else {
      throw QuickTimeError(
        .fileTooLarge,
        "\(file.name): an audio track holds at most 2^32-1 samples; record in segments, "
          + "or audio alone into .wav or .caf")
    }
  }

  /// The length of everything appended to a track, in its time scale.
  ///
  /// - Throws: ``QuickTimeError`` for an unknown track.
  public func duration(of track: TrackID) throws(QuickTimeError) -> MediaTime {
    let state = tracks[try index(of: track)]
    return MediaTime(value: state.duration, timescale: Int32(clamping: state.record.timescale))
  }

  /// What the file will measure when it is finished now, to within a few KiB: for limits of the
  /// user and of file systems.
  public var projectedFileSize: UInt64 {
    position + UInt64(pendingBytes + waitingDataBytes) + indexSize
  }
}
