import CFFmpeg
import MediaCore
import ProRes

/// Decodes the ProRes frames of a track with this project's decoder, which takes a third of libavcodec's
/// time.
///
/// What a picture is beside its samples stays libavcodec's word: it decodes the first frame as well, and
/// every one whose header says something else than that of its last one. Frames that our decoder refuses
/// are libavcodec's alone. So the samples depend on the frame, not on where reading began; where it begins
/// with a frame that only libavcodec refuses, that frame is an error.
final class ProResPictures {
  /// What libavcodec made of a frame, and so of all with a header like its.
  private struct Example {
    let header: FrameHeader
    let details: PixelBuffer.Description
    let sideData: PictureSideData
    let pool: FramePool
  }

  private let decoder: ProResDecoder
  private let ledger: OutstandingPictures
  private var example: Example?
  /// The frame that libavcodec decodes, and its header.
  private var pending: (header: FrameHeader, packet: CompressedPacket)?

  /// Nil where the stream has no ProRes, and where there is no memory or thread for a decoder.
  init?(_ stream: UnsafeMutablePointer<AVStream>, threads: Int, ledger: OutstandingPictures) {
    guard stream.pointee.codecpar?.pointee.codec_id == AV_CODEC_ID_PRORES,
      let decoder = try? ProResDecoder(configuration: .init(threads: threads))
    else { return nil }
    self.decoder = decoder
    self.ledger = ledger
  }

  /// The picture of a packet, with what comes with it; nil where libavcodec is to decode it, before
  /// another packet is asked for. ``picture(insteadOf:_:)`` is then told what it made of it.
  func picture(
    _ packet: CompressedPacket
  ) throws(AssetReaderError) -> (picture: PixelBuffer, sideData: PictureSideData)? {
    pending = nil
    guard !packet.isDamaged, packet.presentationTimeStamp.isNumeric else {
      return nil
    }
    return try packet.withUnsafeBytes { (bytes) throws(AssetReaderError) in
      let frame = RawSpan(_unsafeBytes: bytes)
      guard let header = Self.comparable(try? FrameHeader(parsing: frame)) else { return nil }
      guard let example, example.header == header else {
        pending = (header, packet)
        return nil
      }
      return try picture(frame, like: example).map { ($0, example.sideData) }
    }
  }

  /// Our picture of the packet that libavcodec decoded; that of libavcodec where ours is none.
  func picture(
    insteadOf theirs: PixelBuffer, _ sideData: PictureSideData
  ) throws(AssetReaderError) -> PixelBuffer {
    guard let (header, packet) = pending.take() else { return theirs }
    let made = Example(
      header: header, details: theirs.details, sideData: sideData,
      pool: FramePool(theirs.details, ledger: ledger))
    // Timecode and captions are each frame's own.
    if sideData.timecodeText == nil, sideData.captions == nil { example = made }
    return try packet.withUnsafeBytes { (bytes) throws(AssetReaderError) in
      try picture(RawSpan(_unsafeBytes: bytes), like: made) ?? theirs
    }
  }

  private func picture(
    _ frame: RawSpan, like example: Example
  ) throws(AssetReaderError) -> PixelBuffer? {
    try example.pool.makeFrame { memory throws(AssetReaderError) in
      decode(frame, into: memory, example.details)
    }
  }

  /// False where the frame is damaged, or where the picture is to be another than the decoder's, such
  /// as one without its alpha.
  private func decode(
    _ frame: RawSpan, into memory: UnsafeMutableRawBufferPointer, _ details: PixelBuffer.Description
  ) -> Bool {
    guard let start = memory.baseAddress,
      let picture = try? PixelBuffer(
        details, planes: FramePool.planes(of: details, at: start), release: nil)
    else { return false }
    var buffer = MutablePixelBuffer(sole: picture)
    do throws(ProResError) {
      try decoder.decode(frame, into: &buffer)
      return true
    } catch {
      return false
    }
  }

  /// A header without what differs from frame to frame.
  private static func comparable(_ header: FrameHeader?) -> FrameHeader? {
    guard var header else { return nil }
    header.frameSize = 0
    (header.lumaMatrix, header.chromaMatrix) = (nil, nil)
    return header
  }
}
