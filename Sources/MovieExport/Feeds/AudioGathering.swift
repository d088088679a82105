import MediaCore

/// Joins short pieces of audio into longer ones for the writer: passing one on costs the same
/// regardless of its length, and decoders deliver pieces of 20 ms.
///
/// Only pieces that follow each other to the sample are joined, so every sample keeps its time.
struct AudioGathering {
  /// The minimum duration of a piece, unless a gap or the end follows it.
  private static let length = MediaTime(value: 1, timescale: 10)

  /// Consecutive pieces of one audio track.
  private struct Run {
    let audio: Int
    let format: AudioFormat
    let time: MediaTime
    var buffers: [AudioBuffer]
    var frameCount: Int

    init(_ piece: ExportAudioFeed.Piece) {
      (audio, format, time) = (piece.audio, piece.buffer.format, piece.time)
      (buffers, frameCount) = ([piece.buffer], piece.buffer.frameCount)
    }

    var duration: MediaTime { format.duration(ofFrames: frameCount) }

    func isFollowed(by piece: ExportAudioFeed.Piece) -> Bool {
      piece.buffer.format == format && piece.time.isNumeric && time + duration == piece.time
    }

    mutating func append(_ buffer: AudioBuffer) {
      buffers.append(buffer)
      frameCount += buffer.frameCount
    }

    func piece() throws(MediaCoreError) -> ExportAudioFeed.Piece {
      var buffer = buffers[0]
      if buffers.count > 1 {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(frameCount * format.bytesPerFrame)
        for part in buffers { bytes += part.bytes }
        buffer = try AudioBuffer(format: format, bytes: bytes)
      }
      return ExportAudioFeed.Piece(audio: audio, buffer: buffer, time: time)
    }
  }

  private var runs: [Int: Run] = [:]

  /// Adds a piece.
  ///
  /// - Returns: Pieces that are long enough or not followed by this one, in order.
  mutating func take(
    _ piece: ExportAudioFeed.Piece
  ) throws(MediaCoreError) -> [ExportAudioFeed.Piece] {
    var gone: [ExportAudioFeed.Piece] = []
    var run: Run
    if let known = runs.removeValue(forKey: piece.audio) {
      run = known
      if run.isFollowed(by: piece) {
        run.append(piece.buffer)
      } else {
        gone.append(try run.piece())
        run = Run(piece)
      }
    } else {
      run = Run(piece)
    }
    if run.duration < Self.length { runs[piece.audio] = run } else { gone.append(try run.piece()) }
    return gone
  }

  /// Returns the remaining pieces, in track order.
  mutating func finish() throws(MediaCoreError) -> [ExportAudioFeed.Piece] {
    let rest = runs.sorted { $0.key < $1.key }
    runs = [:]
    var pieces: [ExportAudioFeed.Piece] = []
    for (_, run) in rest { pieces.append(try run.piece()) }
    return pieces
  }
}
