import CFFmpeg
import MediaCore

/// Determines which field, if any, an H.264 or HEVC packet holds.
///
/// Both codecs may code the two fields of a frame as separate pictures. libavcodec combines those
/// of H.264 into a frame; a container may hold them in one packet or in two.
final class FieldParser {
  private let parser: UnsafeMutablePointer<AVCodecParserContext>
  private var context: UnsafeMutablePointer<AVCodecContext>?
  private let registration: LibavLog.Registration
  /// Set if the previous picture is a frame's first field: true for a top field, false for a bottom
  /// one.
  private var isFirstTop: Bool?

  /// The number of packets examined for second fields.
  private static let packetLimit = 64

  /// - Parameter movie: The movie that the stream belongs to.
  init?(_ stream: UnsafeMutablePointer<AVStream>, of movie: LibavMovie) {
    guard let parameters = stream.pointee.codecpar,
      let parser = cffmpeg_parser(parameters.pointee.codec_id)
    else { return nil }
    (self.parser, registration) = (parser, movie.registration)
    parser.pointee.flags |= PARSER_FLAG_COMPLETE_FRAMES
    context = avcodec_alloc_context3(nil)
    guard let context else { return nil }
    avcodec_parameters_to_context(context, parameters)
    context.pointee.opaque = registration.opaque
  }

  deinit {
    av_parser_close(parser)
    avcodec_free_context(&context)
  }

  /// True for a top field, false for a bottom field; nil for a frame, and if unknown. If a packet
  /// holds several pictures, the first counts.
  func isTopField(_ packet: CompressedPacket) -> Bool? {
    packet.withUnsafeBytes { bytes in
      var (output, size) = (UnsafeMutablePointer<UInt8>?.none, Int32(0))
      _ = registration.listen(countsGuests: false) {
        av_parser_parse2(
          parser, context, &output, &size,
          bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(clamping: bytes.count),
          cffmpeg_nopts, cffmpeg_nopts, 0)
      }
      return switch parser.pointee.picture_structure {
      case AV_PICTURE_STRUCTURE_TOP_FIELD: true
      case AV_PICTURE_STRUCTURE_BOTTOM_FIELD: false
      default: nil
      }
    }
  }

  /// True for a packet with a frame's second field, if the first came in the packet before. Call
  /// once for each packet, in decode order.
  func isSecondField(_ packet: CompressedPacket) -> Bool {
    let isTop = isTopField(packet)
    let isSecond = isTop.map { $0 != isFirstTop ?? $0 } ?? false
    isFirstTop = isSecond ? nil : isTop
    return isSecond
  }

  /// A parser for H.264 whose fields may be separate packets; nil for other streams.
  static func ofSeparateFields(
    _ stream: UnsafeMutablePointer<AVStream>, of movie: LibavMovie
  ) -> FieldParser? {
    guard let parameters = stream.pointee.codecpar?.pointee,
      parameters.codec_id == AV_CODEC_ID_H264,
      parameters.field_order != AV_FIELD_PROGRESSIVE
    else { return nil }
    return FieldParser(stream, of: movie)
  }

  /// Looks for second fields among the first packets of a track. Opens the file once more.
  ///
  /// - Returns: Their share of the packets; nil if there are none.
  static func shareOfSecondFields(
    _ stream: UnsafeMutablePointer<AVStream>, of movie: LibavMovie, looksLikeText: Bool
  ) -> Double? {
    let track = Int(stream.pointee.index)
    guard ofSeparateFields(stream, of: movie) != nil,
      let again = try? LibavMovie(path: movie.path, looksLikeText: looksLikeText),
      let stream = again.stream(track), let parser = ofSeparateFields(stream, of: again)
    else { return nil }
    again.select([track])
    var (count, seconds) = (0, 0)
    while count < packetLimit, let packet = try? again.nextPacket() {
      if parser.isSecondField(packet) { seconds += 1 }
      count += 1
    }
    return seconds > 0 ? Double(seconds) / Double(count) : nil
  }
}

extension AssetTrack {
  /// Sets the frame rate from the times of the first frames if the container's rate is not
  /// reliable. May open the file once more.
  ///
  /// - Returns: True if the two fields of a frame are separate packets that the decoder combines.
  mutating func retime(
    _ stream: UnsafeMutablePointer<AVStream>, of movie: LibavMovie, looksLikeText: Bool
  ) -> Bool {
    let share = FieldParser.shareOfSecondFields(stream, of: movie, looksLikeText: looksLikeText)
    if let share {
      // The frame count is known only if every frame has two packets.
      sampleCount = share == 0.5 ? sampleCount.map { ($0 + 1) / 2 } : nil
    }
    let isOfFields = share != nil
    guard let guess = frameRate, isOfFields || FrameTimes.areWanted(stream, guess: guess) else {
      return isOfFields
    }
    let indexed = !isOfFields ? FrameTimes(indexOf: stream, in: movie) : nil
    let times = indexed ?? FrameTimes(of: id, in: movie.path, looksLikeText: looksLikeText)
    if let rate = times?.rate(guess: guess) { retime(rate) }
    return isOfFields
  }
}
