import CFFmpeg
import MediaCore

/// Finds frames of field-coded H.264 (PAFF) that lack their second field.
///
/// libavcodec drops such a frame without a message, or, if several follow each other, fills the
/// lines of the missing field from the other one.
final class LoneFields {
  private let parser: FieldParser
  private let start: FreshStart
  /// The first field whose second one is to come in the next packet.
  private var first: (isTop: Bool, time: MediaTime)?
  /// False until a key frame, because a stream may begin with the second field of a frame.
  private var isBegun = false
  /// Their presentation times; invalid for streams without times.
  private(set) var times: [MediaTime] = []

  /// The most times recorded.
  private static let limit = 1 << 20

  /// Nil for streams without field pictures.
  init?(_ stream: UnsafeMutablePointer<AVStream>, of movie: LibavMovie) {
    guard let parser = FieldParser.ofSeparateFields(stream, of: movie) else { return nil }
    (self.parser, start) = (parser, FreshStart(stream))
  }

  /// Takes a packet. Call once for each, in decode order.
  func take(_ packet: CompressedPacket) {
    let isTop = parser.isTopField(packet)
    isBegun = isBegun || packet.isKeyFrame
    guard isBegun else { return }
    let stamp = packet.presentationTimeStamp
    let time = stamp.isNumeric ? stamp : packet.decodeTimeStamp
    guard let isTop else { return finish() }
    if let begun = first, begun.isTop != isTop {
      first = nil
      return
    }
    finish()
    if packet.withUnsafeBytes({ start.pictureCount(in: $0) }) == 1, !packet.isDiscarded {
      first = (isTop, time)
    }
  }

  /// Takes the end of the stream.
  func finish() {
    guard let first = first.take(), times.count < Self.limit else { return }
    times.append(first.time)
  }
}
