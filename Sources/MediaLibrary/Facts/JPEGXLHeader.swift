/// The start of a JPEG XL file: the codestream's size header (ISO/IEC 18181-1), and the boxes
/// around it, if there are any (18181-2).
struct JPEGXLHeader {
  private let read: (_ offset: Int64, _ count: Int) -> [UInt8]
  private var codestream: Int64?
  /// The offset of the Exif data, at its TIFF header; nil if there is none.
  private(set) var exif: Int64?

  init(_ read: @escaping (_ offset: Int64, _ count: Int) -> [UInt8]) {
    self.read = read
    if read(0, 2) == [0xFF, 0x0A] {
      codestream = 0
      return
    }
    let boxes = MediaBoxes(read: read)
    var (codestream, exif): (Int64?, Int64?)
    boxes.forEach(in: MediaBoxes.everything, atMost: 64) { kind, content in
      switch kind {
      case "jxlc": codestream = codestream ?? content.lowerBound
      // A partial codestream, which begins with its index.
      case "jxlp": codestream = codestream ?? content.lowerBound + 4
      case "Exif":
        if let skipped = boxes.number(at: content.lowerBound, count: 4) {
          exif = content.lowerBound + 4 + Int64(skipped)
        }
      default: break
      }
      return codestream == nil || exif == nil
    }
    (self.codestream, self.exif) = (codestream, exif)
  }

  /// The image size; nil if it cannot be read.
  var size: (width: Int, height: Int)? {
    guard let codestream else { return nil }
    let bytes = read(codestream, 12)
    guard bytes.count >= 3, bytes[0] == 0xFF, bytes[1] == 0x0A else { return nil }
    var bits = Bits(bytes: bytes.dropFirst(2))
    let isSmall = bits.next(1) == 1
    let height = bits.side(isSmall)
    // The predefined ratios of width to height.
    let shapes = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
    let shape = bits.next(3)
    let width =
      shape == 0 ? bits.side(isSmall) : height * shapes[shape - 1].0 / shapes[shape - 1].1
    return bits.isWhole ? (width, height) : nil
  }

  /// Reads numbers of any bit count, least significant bit first.
  private struct Bits {
    var isWhole = true
    private let bytes: [UInt8]
    private var position = 0

    init(bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes) }

    mutating func next(_ count: Int) -> Int {
      var value = 0
      for bit in 0..<count {
        guard position < bytes.count * 8 else {
          isWhole = false
          return 0
        }
        value |= Int(bytes[position / 8] >> (position % 8) & 1) << bit
        position += 1
      }
      return value
    }

    /// A width or height: a multiple of 8 up to 256, or a number of 9, 13, 18 or 30 bits.
    mutating func side(_ isSmall: Bool) -> Int {
      isSmall ? (next(5) + 1) * 8 : next([9, 13, 18, 30][next(2)]) + 1
    }
  }
}
