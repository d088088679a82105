import CFFmpeg
public import MediaCore

/// The compressed bytes of one picture or run of sound, as the container holds them.
public final class CompressedPacket: @unchecked Sendable {
  // Sendable: the packet is this object's alone and nothing writes to it after `init`.
  private let packet: UnsafeMutablePointer<AVPacket>
  /// The track.
  public let trackID: AssetTrack.ID
  /// The packet's place in its track, from 0.
  public let index: Int
  /// When it is shown; invalid where the container does not say.
  public let presentationTimeStamp: MediaTime
  /// When it is decoded; invalid where the container does not say.
  public let decodeTimeStamp: MediaTime
  /// How long it lasts; invalid where the container does not say.
  public let duration: MediaTime
  /// Where the bytes begin in the file; nil where the container does not say.
  public let filePosition: Int64?
  /// True for a key frame behind which nothing refers to what came before it: a decoder that begins here gives
  /// every later picture exactly. False where that is not known.
  public let isFreshStart: Bool
  /// True for a picture that an edit list leaves out and no other one refers to, nor to what comes with it.
  package let isUnseen: Bool
  /// What is heard of sound by its edit list, where that is to be cut out of what is decoded.
  let heard: EditedSound.Place?

  /// Takes the packet over.
  init(
    _ packet: UnsafeMutablePointer<AVPacket>, timeBase: AVRational, index: Int, start: FreshStart,
    heard: EditedSound.Place? = nil
  ) {
    self.packet = packet
    self.heard = heard
    isUnseen =
      cffmpeg_packet_is_discarded(packet) != 0 && start.isOfLonePictures
      && !Self.bringsLasting(packet)
    isFreshStart =
      cffmpeg_packet_is_key(packet) != 0
      && start.holds(
        UnsafeRawBufferPointer(
          start: packet.pointee.data, count: max(0, Int(packet.pointee.size))))
    self.trackID = Int(packet.pointee.stream_index)
    self.index = index
    self.presentationTimeStamp = MediaTime(packet.pointee.pts, in: timeBase)
    self.decodeTimeStamp = MediaTime(packet.pointee.dts, in: timeBase)
    self.duration =
      packet.pointee.duration > 0 ? MediaTime(packet.pointee.duration, in: timeBase) : .invalid
    self.filePosition = packet.pointee.pos >= 0 ? packet.pointee.pos : nil
  }

  /// True for a packet that comes with what its decoder keeps for those behind it: a palette, another setup.
  private static func bringsLasting(_ packet: UnsafeMutablePointer<AVPacket>) -> Bool {
    [AV_PKT_DATA_PALETTE, AV_PKT_DATA_NEW_EXTRADATA].contains {
      av_packet_get_side_data(packet, $0, nil) != nil
    }
  }

  deinit {
    var owned: UnsafeMutablePointer<AVPacket>? = packet
    av_packet_free(&owned)
  }

  /// Bytes of the packet.
  public var byteCount: Int { max(0, Int(packet.pointee.size)) }

  /// True where the container calls it a key frame.
  public var isKeyFrame: Bool { cffmpeg_packet_is_key(packet) != 0 }

  /// True where an edit list leaves out what becomes of it: it is decoded for others' sake.
  public var isDiscarded: Bool { cffmpeg_packet_is_discarded(packet) != 0 }

  /// True where the container noticed damage.
  public var isDamaged: Bool { cffmpeg_packet_is_corrupt(packet) != 0 }

  /// Reads the bytes; the pointer is valid during the call only.
  public func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: packet.pointee.data, count: byteCount))
  }

  /// For the decoder, which only reads.
  var rawPacket: UnsafePointer<AVPacket> { UnsafePointer(packet) }
}
