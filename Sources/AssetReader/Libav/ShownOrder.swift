import CFFmpeg
import MediaCore

extension AssetTrack {
  /// The number of packets examined: more than a GOP has.
  private static let orderPacketLimit = 300

  /// True for MPEG-1 and MPEG-2 without reordering, judging by the first packets, in a container
  /// that gives decode times only. The decoder delays each frame anyway, and outputs it with the
  /// time of the next one.
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
      // libavformat knows the presentation time of a reordered frame.
      guard !packet.presentationTimeStamp.isNumeric else { return false }
      count += 1
    }
    return count > 0
  }
}

extension LibavSource.Lane {
  /// The presentation time of a frame that comes out with a time stamp.
  func shown(_ stamp: MediaTime) -> MediaTime {
    guard track.isShownAsDecoded, stamp.isNumeric, let first = firstDecodeTime, first.isNumeric
    else { return stamp }
    let known: MediaTime
    if let delay {
      known = delay
    } else {
      let frame = track.frameRate?.frameDuration ?? MediaTime(value: 1, timescale: 25)
      let wait = stamp - first
      // After frames that fail to decode, the difference is meaningless.
      known = wait > .zero && wait <= frame * 2 ? wait : .zero
      delay = known
    }
    return stamp - known
  }
}
