import CFFmpeg
import MediaCore

/// Tells which fields the pictures of H.264 and HEVC are whose packets are read.
///
/// Either codec may code the two fields of a frame as pictures of their own. libavcodec makes a frame of those of H.264,
/// which a container may hold in one packet or in two.
final class FieldParser {
  private let parser: UnsafeMutablePointer<AVCodecParserContext>
  private var context: UnsafeMutablePointer<AVCodecContext>?
  private let registration: LibavLog.Registration
  /// True if the picture before is a frame's first field and a top one, false if a bottom one.
  private var isFirstTop: Bool?

  /// Packets that are looked at for the first frame whose fields are two of them.
  private static let packetLimit = 64

  /// - Parameter movie: The stream's.
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

  /// True for a top field, false for a bottom field; nil for a frame, and for what does not say. Of a packet of more
  /// than one picture it is the first.
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

  /// True for a packet of a frame's second field, whose first one came in the packet before. Each packet is to be asked
  /// for once, in the order of decoding.
  func isSecondField(_ packet: CompressedPacket) -> Bool {
    let isTop = isTopField(packet)
    let isSecond = isTop.map { $0 != isFirstTop ?? $0 } ?? false
    isFirstTop = isSecond ? nil : isTop
    return isSecond
  }

  /// One for H.264 whose fields may be packets of their own; nil for other streams.
  static func ofSeparateFields(
    _ stream: UnsafeMutablePointer<AVStream>, of movie: LibavMovie
  ) -> FieldParser? {
    guard let parameters = stream.pointee.codecpar?.pointee,
      parameters.codec_id == AV_CODEC_ID_H264,
      parameters.field_order != AV_FIELD_PROGRESSIVE
    else { return nil }
    return FieldParser(stream, of: movie)
  }

  /// Looks for second fields among the first packets of a track, for which the file is opened once more.
  ///
  /// - Returns: Their share of the packets; nil where there are none.
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
  /// Takes the rate that the times of the first pictures tell, where the container's is not to be believed. The file is
  /// opened once more for it.
  ///
  /// - Returns: True where the two fields of a frame are packets of their own, which the decoder makes one frame of.
  mutating func retime(
    _ stream: UnsafeMutablePointer<AVStream>, of movie: LibavMovie, looksLikeText: Bool
  ) -> Bool {
    let share = FieldParser.shareOfSecondFields(stream, of: movie, looksLikeText: looksLikeText)
    if let share {
      // How many frames there are is known where all have two packets.
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
