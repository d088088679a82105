import CFFmpeg
import MediaCore
import ProRes

/// Decodes a track's ProRes frames with this project's decoder, which takes a third of libavcodec's
/// time.
///
/// Everything but the samples still comes from libavcodec, which also decodes the first frame and
/// every frame whose header differs from that of the last frame it decoded. Frames that our decoder
/// rejects are left to libavcodec. So the samples depend only on the frame, not on where reading
/// began; if it begins with a frame that only libavcodec rejects, that frame is an error.
final class ProResFrames {
  /// libavcodec's result for a frame, which applies to all frames with the same header.
  private struct Example {
    let header: FrameHeader
    let details: PixelBuffer.Description
    let sideData: FrameSideData
    let pool: FramePool
  }

  private let decoder: ProResDecoder
  private let ledger: FrameLedger
  private var example: Example?
  /// The header of the frame that libavcodec is decoding.
  private var pending: FrameHeader?
  /// The packet of that frame, if it came in one.
  private var pendingPacket: CompressedPacket?

  /// Nil if the stream is not ProRes, and if there is no memory or thread for a decoder.
  convenience init?(
    _ stream: UnsafeMutablePointer<AVStream>, threads: Int, ledger: FrameLedger
  ) {
    guard stream.pointee.codecpar?.pointee.codec_id == AV_CODEC_ID_PRORES else { return nil }
    self.init(threads: threads, ledger: ledger)
  }

  /// Nil if there is no memory or thread for a decoder.
  init?(threads: Int, ledger: FrameLedger) {
    guard let decoder = try? ProResDecoder(configuration: .init(threads: threads)) else {
      return nil
    }
    self.decoder = decoder
    self.ledger = ledger
  }

  /// A packet's frame and side data. If nil, libavcodec must decode the packet before the next call,
  /// and its result must be passed to ``frame(insteadOf:_:)``.
  func frame(
    _ packet: CompressedPacket
  ) throws(AssetReaderError) -> (frame: PixelBuffer, sideData: FrameSideData)? {
    (pending, pendingPacket) = (nil, nil)
    guard !packet.isDamaged, packet.presentationTimeStamp.isNumeric else {
      return nil
    }
    let found = try packet.withUnsafeBytes { (bytes) throws(AssetReaderError) in
      try frame(RawSpan(_unsafeBytes: bytes))
    }
    if pending != nil { pendingPacket = packet }
    return found
  }

  /// Like the method for packets, for a frame in memory; libavcodec's result goes to
  /// ``frame(insteadOf:_:of:)``.
  func frame(
    _ frame: RawSpan
  ) throws(AssetReaderError) -> (frame: PixelBuffer, sideData: FrameSideData)? {
    pending = nil
    guard let header = Self.comparable(try? FrameHeader(parsing: frame)) else { return nil }
    guard let example, example.header == header else {
      pending = header
      return nil
    }
    return try self.frame(frame, like: example).map { ($0, example.sideData) }
  }

  /// Our decoder's frame of the packet that libavcodec decoded; libavcodec's if ours fails.
  func frame(
    insteadOf theirs: PixelBuffer, _ sideData: FrameSideData
  ) throws(AssetReaderError) -> PixelBuffer {
    guard let packet = pendingPacket.take() else { return theirs }
    return try packet.withUnsafeBytes { (bytes) throws(AssetReaderError) in
      try frame(insteadOf: theirs, sideData, of: RawSpan(_unsafeBytes: bytes))
    }
  }

  /// Like ``frame(insteadOf:_:)``, for a frame in memory.
  func frame(
    insteadOf theirs: PixelBuffer, _ sideData: FrameSideData, of frame: RawSpan
  ) throws(AssetReaderError) -> PixelBuffer {
    guard let header = pending.take() else { return theirs }
    let made = Example(
      header: header, details: theirs.details, sideData: sideData,
      pool: FramePool(theirs.details, ledger: ledger))
    // Timecode and captions differ from frame to frame, so such side data cannot be reused.
    if sideData.timecodeText == nil, sideData.captions == nil { example = made }
    return try self.frame(frame, like: made) ?? theirs
  }

  private func frame(
    _ frame: RawSpan, like example: Example
  ) throws(AssetReaderError) -> PixelBuffer? {
    try example.pool.makeFrame { memory throws(AssetReaderError) in
      decode(frame, into: memory, example.details)
    }
  }

  /// False if the frame is damaged, or if our decoder cannot produce this kind of frame, such as
  /// one without its alpha channel.
  private func decode(
    _ frame: RawSpan, into memory: UnsafeMutableRawBufferPointer, _ details: PixelBuffer.Description
  ) -> Bool {
    guard let start = memory.baseAddress,
      let image = try? PixelBuffer(
        details, planes: FramePool.planes(of: details, at: start), release: nil)
    else { return false }
    var buffer = MutablePixelBuffer(sole: image)
    do throws(ProResError) {
      try decoder.decode(frame, into: &buffer)
      return true
    } catch {
      return false
    }
  }

  /// A header without the fields that differ from frame to frame.
  private static func comparable(_ header: FrameHeader?) -> FrameHeader? {
    guard var header else { return nil }
    header.frameSize = 0
    (header.lumaMatrix, header.chromaMatrix) = (nil, nil)
    return header
  }
}
