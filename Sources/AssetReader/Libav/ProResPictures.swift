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
  /// The header of the frame that libavcodec decodes.
  private var pending: FrameHeader?
  /// That frame, where it came in a packet.
  private var pendingPacket: CompressedPacket?

  /// Nil where the stream has no ProRes, and where there is no memory or thread for a decoder.
  convenience init?(
    _ stream: UnsafeMutablePointer<AVStream>, threads: Int, ledger: OutstandingPictures
  ) {
    guard stream.pointee.codecpar?.pointee.codec_id == AV_CODEC_ID_PRORES else { return nil }
    self.init(threads: threads, ledger: ledger)
  }

  /// Nil where there is no memory or thread for a decoder.
  init?(threads: Int, ledger: OutstandingPictures) {
    guard let decoder = try? ProResDecoder(configuration: .init(threads: threads)) else {
      return nil
    }
    self.decoder = decoder
    self.ledger = ledger
  }

  /// The picture of a packet, with what comes with it; nil where libavcodec is to decode it, before
  /// another packet is asked for. ``picture(insteadOf:_:)`` is then told what it made of it.
  func picture(
    _ packet: CompressedPacket
  ) throws(AssetReaderError) -> (picture: PixelBuffer, sideData: PictureSideData)? {
    (pending, pendingPacket) = (nil, nil)
    guard !packet.isDamaged, packet.presentationTimeStamp.isNumeric else {
      return nil
    }
    let found = try packet.withUnsafeBytes { (bytes) throws(AssetReaderError) in
      try picture(RawSpan(_unsafeBytes: bytes))
    }
    if pending != nil { pendingPacket = packet }
    return found
  }

  /// As that of a packet, of a frame in memory, which ``picture(insteadOf:_:of:)`` is told of.
  func picture(
    _ frame: RawSpan
  ) throws(AssetReaderError) -> (picture: PixelBuffer, sideData: PictureSideData)? {
    pending = nil
    guard let header = Self.comparable(try? FrameHeader(parsing: frame)) else { return nil }
    guard let example, example.header == header else {
      pending = header
      return nil
    }
    return try picture(frame, like: example).map { ($0, example.sideData) }
  }

  /// Our picture of the packet that libavcodec decoded; that of libavcodec where ours is none.
  func picture(
    insteadOf theirs: PixelBuffer, _ sideData: PictureSideData
  ) throws(AssetReaderError) -> PixelBuffer {
    guard let packet = pendingPacket.take() else { return theirs }
    return try packet.withUnsafeBytes { (bytes) throws(AssetReaderError) in
      try picture(insteadOf: theirs, sideData, of: RawSpan(_unsafeBytes: bytes))
    }
  }

  /// As ``picture(insteadOf:_:)``, of a frame in memory.
  func picture(
    insteadOf theirs: PixelBuffer, _ sideData: PictureSideData, of frame: RawSpan
  ) throws(AssetReaderError) -> PixelBuffer {
    guard let header = pending.take() else { return theirs }
    let made = Example(
      header: header, details: theirs.details, sideData: sideData,
      pool: FramePool(theirs.details, ledger: ledger))
    // Timecode and captions are each frame's own.
    if sideData.timecodeText == nil, sideData.captions == nil { example = made }
    return try picture(frame, like: made) ?? theirs
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
