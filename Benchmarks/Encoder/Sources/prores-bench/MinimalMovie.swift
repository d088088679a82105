import Foundation

/// The smallest QuickTime movie that players read: one track, whose frames all have the same duration.
struct MinimalMovie {
  let codec: String
  let width: Int
  let height: Int
  let rate: (Int, Int)
  private(set) var sizes: [Int] = []
  private var media = Data()

  init(codec: String, width: Int, height: Int, rate: (Int, Int)) {
    self.codec = codec
    self.width = width
    self.height = height
    self.rate = rate
  }

  mutating func append(_ frame: UnsafeRawBufferPointer) {
    sizes.append(frame.count)
    media.append(contentsOf: frame)
  }

  func write(to path: String) throws {
    let start = atom("ftyp", Data("qt  ".utf8) + be(0x200) + Data("qt  ".utf8))
    let header = be(1) + Data("mdat".utf8) + be64(media.count + 16)
    let offset = start.count + header.count
    let file = start + header + media + movie(offset)
    try file.write(to: URL(fileURLWithPath: path))
  }

  private func movie(_ offset: Int) -> Data {
    let duration = sizes.count * rate.1
    let matrix = be(0x10000) + zero(12) + be(0x10000) + zero(12) + be(0x4000_0000)
    let mvhd = atom(
      "mvhd",
      zero(12) + be(rate.0) + be(duration) + be(0x10000) + be16(0x100) + zero(10) + matrix
        + zero(24) + be(2))
    let tkhd = atom(
      "tkhd",
      be(7) + zero(8) + be(1) + zero(4) + be(duration) + zero(16) + matrix + be(width << 16)
        + be(height << 16))
    let mdhd = atom("mdhd", zero(12) + be(rate.0) + be(duration) + zero(4))
    let hdlr = atom("hdlr", zero(4) + Data("mhlrvide".utf8) + zero(12) + Data([0]))
    let entry = atom(
      codec,
      zero(6) + be16(1) + zero(16) + be16(width) + be16(height) + be(0x48_0000) + be(0x48_0000)
        + zero(4) + be16(1) + zero(32) + be16(24) + be16(0xFFFF))
    let stsd = atom("stsd", zero(4) + be(1) + entry)
    let stts = atom("stts", zero(4) + be(1) + be(sizes.count) + be(rate.1))
    let stsc = atom("stsc", zero(4) + be(1) + be(1) + be(sizes.count) + be(1))
    let stsz = atom(
      "stsz", zero(8) + be(sizes.count) + sizes.reduce(into: Data()) { $0 += be($1) })
    let co64 = atom("co64", zero(4) + be(1) + be64(offset))
    let url = atom("url ", be(1))
    let dinf = atom("dinf", atom("dref", zero(4) + be(1) + url))
    let stbl = atom("stbl", stsd + stts + stsc + stsz + co64)
    let minf = atom("minf", atom("vmhd", be(1) + zero(8)) + dinf + stbl)
    return atom("moov", mvhd + atom("trak", tkhd + atom("mdia", mdhd + hdlr + minf)))
  }

  private func atom(_ name: String, _ body: Data) -> Data {
    be(body.count + 8) + Data(name.utf8) + body
  }
  private func be(_ value: Int) -> Data {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).bigEndian) { Data($0) }
  }
  private func be64(_ value: Int) -> Data {
    withUnsafeBytes(of: UInt64(value).bigEndian) { Data($0) }
  }
  private func be16(_ value: Int) -> Data {
    withUnsafeBytes(of: UInt16(truncatingIfNeeded: value).bigEndian) { Data($0) }
  }
  private func zero(_ count: Int) -> Data { Data(count: count) }
}
