import CFFmpeg
import MediaCore

extension AssetTrack {
  /// Packets that are looked at: more than a group of pictures has.
  private static let orderPacketLimit = 300

  /// True for MPEG-1 and MPEG-2 none of whose pictures is shown in another place than it is decoded in, as far as its
  /// first packets tell, in a container that says only when they are decoded. A decoder holds each back for all that,
  /// and gives it with the time of the next one.
  static func isShownAsDecoded(
    _ stream: UnsafeMutablePointer<AVStream>, of movie: LibavMovie
  ) -> Bool {
    let codec = stream.pointee.codecpar?.pointee.codec_id
    guard movie.isOf(["gxf", "avi"]),
      codec == AV_CODEC_ID_MPEG1VIDEO || codec == AV_CODEC_ID_MPEG2VIDEO,
      let again = try? LibavMovie(path: movie.path, looksLikeText: false)
    else { return false }
    again.select([Int(stream.pointee.index)])
    var count = 0
    while count < orderPacketLimit, let packet = try? again.nextPacket() {
      // libavformat knows the place of a picture that others are decoded before.
      guard !packet.presentationTimeStamp.isNumeric else { return false }
      count += 1
    }
    return count > 0
  }
}

extension LibavSource.Lane {
  /// When a picture is shown that comes with a time.
  func shown(_ stamp: MediaTime) -> MediaTime {
    guard track.isShownAsDecoded, stamp.isNumeric, let first = firstDecodeTime, first.isNumeric
    else { return stamp }
    let known: MediaTime
    if let delay {
      known = delay
    } else {
      let frame = track.frameRate?.frameDuration ?? MediaTime(value: 1, timescale: 25)
      let wait = stamp - first
      // Behind pictures that do not decode it says nothing.
      known = wait > .zero && wait <= frame * 2 ? wait : .zero
      delay = known
    }
    return stamp - known
  }
}
