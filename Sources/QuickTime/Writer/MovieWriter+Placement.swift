import MediaCore

/// Frames of the open fragment that are in the file already, each at a multiple of
/// ``FileLayout/blockSize``. Room for the fragment's header is left before them.
struct PlacedMedia {
  /// Where the first frame lies.
  let start: UInt64
  /// The first byte behind the last one's padding.
  var end: UInt64
}

extension MovieWriter {
  /// Writes a frame from the caller's memory, padded to whole blocks.
  ///
  /// - Parameter known: The frame's checksum, where checksums are taken.
  func placeFrame(
    _ bytes: UnsafeRawBufferPointer, of track: TrackState, _ known: FrameChecksum?
  ) throws(QuickTimeError) {
    var media = placed ?? beginPlacing()
    let offset = media.end
    media.end = FileLayout.roundedToBlock(offset + UInt64(bytes.count))
    let waiting = tracks.reduce(UInt64(0)) { $0 + UInt64($1.buffer.count) }
    let began = Self.now()
    try reservation.reserve(upTo: media.end + waiting, indexSize: indexSize, in: file)
    let padding = try fillPieces(with: bytes)
    let sum = known.flatMap { checksum?.placing(bytes, $0, paddedBy: padding, at: offset) }
    try timed(\.writeTime) { () throws(QuickTimeError) in
      try file.write(pieces, at: offset)
    }
    if let sum { checksum?.place(sum, padding: UnsafeRawBufferPointer(padding)) }
    placingTime += Self.now() - began
    statistics.bytesWritten = media.end
    reservation.noteWritten(upTo: media.end)
    placed = media
    track.offsets.append(offset)
  }

  /// The frame's whole blocks where they are, and its end in a block of our own; all of it there
  /// where the caller's memory is not aligned.
  ///
  /// - Returns: What fills the last block, good until the next frame comes.
  private func fillPieces(
    with bytes: UnsafeRawBufferPointer
  ) throws(QuickTimeError) -> UnsafeMutableRawBufferPointer {
    let block = Int(FileLayout.blockSize)
    let isAligned = Int(bitPattern: bytes.baseAddress) % block == 0
    let whole = isAligned ? bytes.count / block * block : 0
    pieces.removeAll(keepingCapacity: true)
    if whole > 0 { pieces.append(UnsafeRawBufferPointer(rebasing: bytes[..<whole])) }
    let rest = bytes.count - whole
    guard rest > 0 else { return UnsafeMutableRawBufferPointer(start: nil, count: 0) }
    bounce.removeAll()
    let room = try bounce.extend(by: Int(FileLayout.roundedToBlock(UInt64(rest))))
    room.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[whole...]))
    let padding = UnsafeMutableRawBufferPointer(rebasing: room[rest...])
    padding.initializeMemory(as: UInt8.self, repeating: FileLayout.padding)
    pieces.append(bounce.bytes)
    return padding
  }

  private func beginPlacing() -> PlacedMedia {
    let room = UInt64(headerLimit) + headerRoom
    let start = FileLayout.roundedToBlock(position + room)
    return PlacedMedia(start: start, end: start)
  }

  /// The most bytes that the open fragment's header takes as things stand.
  var headerLimit: Int {
    // moof, mfhd, an mdat's header of either kind, and what the checksum needs.
    tracks.reduce(8 + 16 + 16 + FileChecksum.roomSize) { $0 + $1.headerLimit }
  }

  /// What the samples of a usual fragment take in its header, with twice its length for tracks that
  /// run ahead. A fragment that needs more is closed earlier.
  func expectedHeaderSize() -> UInt64 {
    let seconds = min(2 * configuration.fragmentInterval, 60)
    let most = Double(2 + configuration.fragmentByteLimit / configuration.placedFrameSize)
    let entries = tracks.reduce(0.0) { total, track in
      switch track.content {
      case .video(let video):
        let frames = min(seconds * video.expectedFramesPerSecond, most)
        return total + (frames + 2) * Double(TrackState.placedRunSize)
      case .audio(let audio):
        let blocks = seconds * Double(audio.format.sampleRate) / Double(TrackState.blockFrames)
        return total + (blocks + 2) * Double(TrackState.runEntrySize)
      case .data: return total + 128 * Double(TrackState.runEntrySize)
      case .timecode, .companion: return total
      }
    }
    return UInt64(min(entries, Double(FileLayout.blockSize * 64)))
  }
}
