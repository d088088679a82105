/// Writes big-endian numbers one after another.
struct ByteWriter {
  private let bytes: UnsafeMutableRawBufferPointer
  var offset: Int

  init(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int) {
    self.bytes = bytes
    self.offset = offset
  }

  mutating func append(_ value: some FixedWidthInteger) {
    bytes.storeBytes(of: value.bigEndian, toByteOffset: offset, as: type(of: value))
    offset += value.bitWidth / 8
  }
}
