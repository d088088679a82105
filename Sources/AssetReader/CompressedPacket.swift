import CFFmpeg
public import MediaCore

/// The compressed bytes of one frame or run of audio, as stored in the container.
public final class CompressedPacket: @unchecked Sendable {
  // Unchecked because of the pointer: only this object owns the packet, and nothing writes to it
  // after `init`.
  private let packet: UnsafeMutablePointer<AVPacket>
  /// The track.
  public let trackID: AssetTrack.ID
  /// The packet's index in its track, from 0.
  public let index: Int
  /// The presentation time; invalid if the container gives none.
  public let presentationTimeStamp: MediaTime
  /// The decode time; invalid if the container gives none.
  public let decodeTimeStamp: MediaTime
  /// The duration; invalid if the container gives none.
  public let duration: MediaTime
  /// The byte offset in the file; nil if the container gives none.
  public let filePosition: Int64?
  /// True for a key frame from which decoding can start: a decoder then decodes it, and every frame
  /// displayed after it, exactly. Frames displayed before it may be missing. False if unknown.
  public let isFreshStart: Bool
  /// True for a frame that an edit list leaves out, if no other frame refers to it or to its side
  /// data.
  package let isUnseen: Bool
  /// The part of the decoded audio that the edit list plays; nil unless the audio must be cut to
  /// it.
  let heard: EditedAudio.Place?

  /// Takes the packet over.
  init(
    _ packet: UnsafeMutablePointer<AVPacket>, timeBase: AVRational, index: Int, start: FreshStart,
    heard: EditedAudio.Place? = nil
  ) {
    self.packet = packet
    self.heard = heard
    isUnseen =
      cffmpeg_packet_is_discarded(packet) != 0 && start.isOfLoneImages
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

  /// True for a packet whose side data also applies to later packets: a palette or new extradata.
  private static func bringsLasting(_ packet: UnsafeMutablePointer<AVPacket>) -> Bool {
    [AV_PKT_DATA_PALETTE, AV_PKT_DATA_NEW_EXTRADATA].contains {
      av_packet_get_side_data(packet, $0, nil) != nil
    }
  }

  deinit {
    var owned: UnsafeMutablePointer<AVPacket>? = packet
    av_packet_free(&owned)
  }

  /// The packet's size in bytes.
  public var byteCount: Int { max(0, Int(packet.pointee.size)) }

  /// True if the container marks the packet as a key frame.
  public var isKeyFrame: Bool { cffmpeg_packet_is_key(packet) != 0 }

  /// True if an edit list leaves out the decoded result. The packet is decoded only for others that
  /// refer to it.
  public var isDiscarded: Bool { cffmpeg_packet_is_discarded(packet) != 0 }

  /// True if the demuxer detected damage.
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
