import CFFmpeg
import MediaCore

/// Finds the frame that a movie shows at a time: the last one that begins at or before it.
///
/// Times are in the stream's time base.
final class FrameSearch {
  /// The result of decoding a stretch of the movie.
  private enum Outcome {
    /// Found; the frame is in the decoder.
    case found
    /// The first frame is later; it is in the decoder.
    case later
    case nothing(AssetReaderError)
  }

  /// The video stream.
  let stream: UnsafeMutablePointer<AVStream>
  /// Its decoder, which holds the found frame.
  let decoder: LibavDecoder
  let movie: LibavMovie
  /// Weaves fields into frames, if each coded picture is a field.
  private let weaver: FieldWeaver?
  /// False after a seek, which cannot be undone.
  private(set) var isFresh = true
  /// The last decoded frame, kept until the next one shows whether it is the wanted one.
  private let held: UnsafeMutablePointer<AVFrame>

  /// How many seconds before a time the search starts, in turn: some containers are searched by
  /// bytes, and lead to a place from which nothing decodes until the next sync frame.
  private static let leads = [0.0, 2, 10, 60]
  /// The search fails if none of this many packets decodes.
  private static let packetLimit = 500

  /// - Parameters:
  ///   - format: The demuxer's name; nil to detect it.
  ///   - track: The stream; nil for the first video stream.
  init(path: String, format: String?, track: AssetTrack.ID?) throws(AssetReaderError) {
    movie = try LibavMovie(path: path, looksLikeText: false, format: format)
    let video = movie.streams.filter {
      $0.pointee.codecpar?.pointee.codec_type == AVMEDIA_TYPE_VIDEO
    }
    let first = video.first { track == nil || Int($0.pointee.index) == track }
    guard let first else {
      throw AssetReaderError(
        .noSuchTrack,
        track.map { "\(path) contains no video track \($0)" } ?? "\(path) contains no video")
    }
    stream = first
    movie.select([Int(first.pointee.index)])
    decoder = try LibavDecoder(first, of: movie, threads: 1, isStrict: false)
    weaver = try Self.weaver(first, path: path, format: format)
    guard let held = av_frame_alloc() else {
      throw AssetReaderError(.outOfMemory, "no memory for a frame of \(path)")
    }
    self.held = held
  }

  deinit {
    var held: UnsafeMutablePointer<AVFrame>? = held
    av_frame_free(&held)
  }

  private static func weaver(
    _ stream: UnsafeMutablePointer<AVStream>, path: String, format: String?
  ) throws(AssetReaderError) -> FieldWeaver? {
    guard format == nil, stream.pointee.codecpar?.pointee.codec_id == AV_CODEC_ID_HEVC,
      case .fields = HEVCScan(stream, in: path, looksLikeText: false)
    else { return nil }
    return try FieldWeaver(name: path)
  }

  // MARK: Times

  private var unit: AVRational { stream.pointee.time_base }

  /// The start time.
  private var start: Int64 {
    let own = stream.pointee.start_time
    guard own == cffmpeg_nopts else { return own }
    return ticks(ofWhole: movie.context.pointee.start_time) ?? 0
  }

  /// The duration; nil if neither the stream nor the file states it.
  private var duration: Int64? {
    let own = stream.pointee.duration
    if own > 0, own != cffmpeg_nopts { return own }
    return ticks(ofWhole: movie.context.pointee.duration).flatMap { $0 > 0 ? $0 : nil }
  }

  private func ticks(ofWhole time: Int64) -> Int64? {
    guard time != cffmpeg_nopts, unit.num > 0, unit.den > 0 else { return nil }
    return av_rescale_q(time, AVRational(num: 1, den: AV_TIME_BASE), unit)
  }

  /// A time in the stream's time base.
  func ticks(of time: MediaTime) -> Int64 {
    ticks(of: time, .roundTowardNegativeInfinity, moved: 0)
  }

  /// The last tick before a time.
  func ticks(before time: MediaTime) -> Int64 {
    ticks(of: time, .roundTowardPositiveInfinity, moved: -1)
  }

  private func ticks(
    of time: MediaTime, _ rounding: MediaTime.RoundingMethod, moved step: Int64
  ) -> Int64 {
    guard unit.num > 0, unit.den > 0 else { return start }
    // On a fine clock, times are rounded to its ticks; on a clock of whole frames, they are exact.
    let isFine = Double(unit.num) / Double(unit.den) <= 0.001
    let whole = time.converted(
      toTimescale: unit.den, rounding: isFine ? .roundHalfAwayFromZero : rounding)
    guard whole.isNumeric else { return time > .zero ? .max : start }
    return max(whole.value.addingSaturating(step) / Int64(unit.num), start)
  }

  /// The time of the frame nearest to a fraction of the movie, from 0 to 1; nil if the file states
  /// no duration.
  func ticks(ofPart part: Double) -> Int64? {
    guard let duration else { return nil }
    guard part < 1 else { return start.addingSaturating(duration) }
    let rate = stream.pointee.avg_frame_rate
    let frame =
      rate.num > 0 && rate.den > 0 && unit.num > 0
      ? Double(unit.den) * Double(rate.den) / (Double(unit.num) * Double(rate.num)) : 1
    let place = max(Double(duration) - frame, 0) * part + frame / 2
    return start.addingSaturating(Int64(saturating: place))
  }

  // MARK: Looking

  /// Looks for the frame at a time, starting from sync frames before it.
  ///
  /// - Returns: False if the caller must search from the beginning.
  func find(_ time: Int64) throws(AssetReaderError) -> Bool {
    let second = Double(unit.den) / Double(max(unit.num, 1))
    for lead in Self.leads {
      let place = time.addingSaturating(-Int64(saturating: lead * second))
      guard place > start, seek(to: place) else { return false }
      if case .found = try decode(until: time, fromSyncFrame: true) { return true }
    }
    return false
  }

  /// Looks for the frame at a time, starting from the beginning. Finds the first frame for an
  /// earlier time and for nil.
  ///
  /// - Throws: ``AssetReaderError`` if nothing can be decoded.
  func read(until time: Int64?) throws(AssetReaderError) {
    if case .nothing(let error) = try decode(until: time, fromSyncFrame: false) { throw error }
  }

  private func seek(to place: Int64) -> Bool {
    isFresh = false
    decoder.restart()
    weaver?.restart()
    return movie.registration.listen {
      av_seek_frame(movie.context, stream.pointee.index, place, AVSEEK_FLAG_BACKWARD)
    } >= 0
  }

  private func decode(
    until time: Int64?, fromSyncFrame: Bool
  ) throws(AssetReaderError) -> Outcome {
    var failure = AssetReaderError(.decodeFailed, "\(movie.path): no frame can be decoded")
    var (packets, isHolding, isAtEnd, waits) = (0, false, false, fromSyncFrame)
    while true {
      switch try passingOver(&failure, receive) {
      case .frame:
        let stamp = decoder.frame.pointee.best_effort_timestamp
        // Without times, no particular frame can be found.
        guard let time, stamp != cffmpeg_nopts else { return .found }
        guard stamp <= time else {
          if isHolding { bringBack() }
          return isHolding ? .found : .later
        }
        if stamp == time { return .found }
        hold()
        isHolding = true
      case .wantsInput where !isAtEnd, nil where !isAtEnd:
        guard isHolding || packets < Self.packetLimit else { return .nothing(failure) }
        packets += 1
        let packet = try nextPacket(&failure)
        isAtEnd = packet == nil
        // A decoder outputs garbage for frames that refer to others it has not seen.
        if waits, packet?.isKeyFrame == false { continue }
        waits = false
        _ = try passingOver(&failure) { () throws(AssetReaderError) in
          try decoder.send(packet)
        }
      case .wantsInput, .finished, nil:
        if isHolding { bringBack() }
        return isHolding ? .found : .nothing(failure)
      }
    }
  }

  private func receive() throws(AssetReaderError) -> LibavDecoder.Outcome {
    guard let weaver else { return try decoder.receive() }
    return try weaver.receive(from: decoder)
  }

  /// The next packet; nil at the end, even if the file is truncated.
  private func nextPacket(
    _ failure: inout AssetReaderError
  ) throws(AssetReaderError) -> CompressedPacket? {
    do throws(AssetReaderError) { return try movie.nextPacket() } catch {
      guard [.truncated, .corrupt, .readFailed].contains(error.code) else { throw error }
      failure = error
      return nil
    }
  }

  /// The result of a call; nil, with the reason in `failure`, if a frame cannot be decoded.
  private func passingOver<Result>(
    _ failure: inout AssetReaderError, _ body: () throws(AssetReaderError) -> Result
  ) throws(AssetReaderError) -> Result? {
    do throws(AssetReaderError) { return try body() } catch {
      guard error.code == .decodeFailed else { throw error }
      failure = error
      return nil
    }
  }

  private func hold() {
    av_frame_unref(held)
    av_frame_move_ref(held, decoder.frame)
  }

  private func bringBack() {
    av_frame_unref(decoder.frame)
    av_frame_move_ref(decoder.frame, held)
  }
}
