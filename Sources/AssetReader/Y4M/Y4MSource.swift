import MediaCore

/// Reads YUV4MPEG2 from a file or a pipe. Unlike libavformat, it reports a file that ends within a
/// frame as an error.
final class Y4MSource: SampleSource {
  private static let frameMagic = [UInt8]("FRAME".utf8)

  let containerName = "yuv4mpegpipe"
  let tracks: [AssetTrack]
  let duration: MediaTime = .invalid
  let metadata: [String: String] = [:]

  private let input: ByteInput
  private let header: Y4MHeader
  private let pool: FramePool
  /// Bytes of a frame in the file: fewer than in memory if chroma is filled in.
  private let storedByteCount: Int
  private var index: Int64 = 0
  private var isSelected = true
  private var isAtEnd = false

  init(input: ByteInput, ledger: FrameLedger) throws(AssetReaderError) {
    self.input = input
    let line = try input.line(limit: Y4MHeader.limit, what: "the Y4M header")
    header = try Y4MHeader(
      line: Array((line ?? []).dropFirst(Y4MHeader.magic.count)), name: input.name)
    let frame = header.format.frame
    pool = FramePool(frame, ledger: ledger)
    let whole = header.format.bytesPerFrame
    storedByteCount =
      header.isMonochrome
      ? frame.format.minimumBytesPerRow(plane: 0, width: frame.width) * frame.height : whole
    tracks = [AssetTrack(raw: header.format, frameCount: nil)]
  }

  func select(_ tracks: Set<AssetTrack.ID>) { isSelected = tracks.contains(0) }

  func nextSample() throws(AssetReaderError) -> AssetSample? {
    guard isSelected, !isAtEnd else { return nil }
    // After any error from here on, the start of the next frame is unknown.
    isAtEnd = true
    guard try readFrameHeader() else { return nil }
    var count = 0
    let frame = try pool.makeFrame { bytes throws(AssetReaderError) in
      count = try input.read(
        into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<storedByteCount]))
      guard count == storedByteCount else { return false }
      if header.isMonochrome { fillChroma(bytes) }
      return true
    }
    guard let frame else {
      throw AssetReaderError(
        .truncated,
        "\(input.name) ends within frame \(index): \(count) of its \(storedByteCount) bytes are "
          + "there; \(index) frames are complete; create the file again")
    }
    isAtEnd = false
    defer { index += 1 }
    return AssetSample(frame, index: index, rate: header.format.frameRate)
  }

  func nextPacket() throws(AssetReaderError) -> CompressedPacket? {
    throw AssetReaderError(.unsupported, "\(input.name) is Y4M: it has no packets; read samples")
  }

  private func readFrameHeader() throws(AssetReaderError) -> Bool {
    let line: [UInt8]?
    do throws(AssetReaderError) {
      line = try input.line(limit: Y4MHeader.limit, what: "the header of frame \(index)")
    } catch  where error.code == .truncated {
      throw AssetReaderError(
        .truncated, "\(error.message); \(index) frames are complete; create the file again")
    }
    guard let line else { return false }
    let rest = line.dropFirst(Self.frameMagic.count)
    guard line.starts(with: Self.frameMagic), rest.isEmpty || rest.first == 0x20 else {
      throw AssetReaderError(
        .corrupt,
        "\(input.name): no frame begins where frame \(index) should; \(index) frames are complete; "
          + "the size in the header may be wrong")
    }
    return true
  }

  /// Fills the chroma of a luma-only file with the middle code.
  private func fillChroma(_ bytes: UnsafeMutableRawBufferPointer) {
    let chroma = UnsafeMutableRawBufferPointer(rebasing: bytes[storedByteCount...])
    let depth = header.format.frame.format.descriptor.bitDepth
    if depth == 8 {
      for index in chroma.indices { chroma[index] = 128 }
    } else {
      let middle = UInt16(1 << (depth - 1)).littleEndian
      for offset in stride(from: 0, to: chroma.count - 1, by: 2) {
        chroma.storeBytes(of: middle, toByteOffset: offset, as: UInt16.self)
      }
    }
  }
}
