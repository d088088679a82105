/// An H.264 stream of field pictures (PAFF), which no available encoder makes.
///
/// Every macroblock stores its samples uncompressed, so decoding is lossless. Always 8-bit 4:2:0.
struct FieldCodedH264 {
  /// In pixels: the width is a multiple of 16, the height of 32.
  let width: Int
  let height: Int
  let isTopFieldFirst: Bool
  /// Whether a frame, by number, is one picture; if not, it is two fields.
  var isWhole: (Int) -> Bool = { _ in false }
  /// The numbers of the frames without a second field.
  var lacksSecondField: Set<Int> = []

  /// Frames from one random access point to the next.
  private static let group = 5

  init(width: Int, height: Int, isTopFieldFirst: Bool) {
    (self.width, self.height, self.isTopFieldFirst) = (width, height, isTopFieldFirst)
  }

  /// The stream, with start codes.
  ///
  /// - Parameter frames: All frames in sequence, each plane by plane.
  func stream(of frames: [UInt8]) -> [UInt8] {
    let size = width * height * 3 / 2
    return (0..<frames.count / size).flatMap { number -> [UInt8] in
      let frame = Array(frames[number * size..<(number + 1) * size])
      let isFirst = number % Self.group == 0
      let setup = isFirst ? unit(0x67, sequence) + unit(0x68, picture) : []
      if isWhole(number) { return mark + setup + slice(frame, number, nil, isFirst: isFirst) }
      let first = slice(frame, number, isTopFieldFirst, isFirst: isFirst)
      guard !lacksSecondField.contains(number) else { return mark + setup + first }
      return mark + setup + first + mark + slice(frame, number, !isTopFieldFirst, isFirst: false)
    }
  }

  /// A bit writer, most significant bit first.
  private struct Bits {
    private(set) var bytes: [UInt8] = []
    private var free = 0

    mutating func put(_ value: Int, _ count: Int) {
      for place in (0..<count).reversed() {
        if free == 0 {
          bytes.append(0)
          free = 8
        }
        free -= 1
        bytes[bytes.count - 1] |= UInt8(value >> place & 1) << free
      }
    }

    /// Exponential-Golomb codes, `ue(v)`.
    mutating func put(codes: Int...) {
      for code in codes {
        let count = Int.bitWidth - (code + 1).leadingZeroBitCount
        put(0, count - 1)
        put(code + 1, count)
      }
    }

    mutating func align() { free = 0 }

    mutating func append(_ samples: ArraySlice<UInt8>) { bytes += samples }

    mutating func end() {
      put(1, 1)
      align()
    }
  }

  /// An access unit delimiter for intra pictures only.
  private var mark: [UInt8] { unit(9, [0x10]) }

  /// A unit after its start code, with emulation prevention bytes.
  private func unit(_ header: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    var (unit, zeros) = ([0, 0, 0, 1, header], 0)
    for byte in bytes {
      if zeros >= 2, byte <= 3 {
        unit.append(3)
        zeros = 0
      }
      unit.append(byte)
      zeros = byte == 0 ? zeros + 1 : 0
    }
    return unit
  }

  /// The sequence parameter set: Main profile, level 4, fields allowed, eight bits each for the
  /// frame number and the order count.
  private var sequence: [UInt8] {
    var bits = Bits()
    for byte in [77, 0, 40] { bits.put(byte, 8) }
    bits.put(codes: 0, 4, 0, 4, 1)
    bits.put(0, 1)
    bits.put(codes: width / 16 - 1, height / 32 - 1)
    // Fields allowed, frame macroblocks in frame pictures; no cropping, no VUI.
    bits.put(0b00100, 5)
    bits.end()
    return bits.bytes
  }

  /// The picture parameter set: variable-length codes, deblocking controlled by the slices.
  private var picture: [UInt8] {
    var bits = Bits()
    bits.put(codes: 0, 0)
    bits.put(0, 2)
    bits.put(codes: 0, 0, 0)
    bits.put(0, 3)
    bits.put(codes: 0, 0, 0)
    bits.put(0b100, 3)
    bits.end()
    return bits.bytes
  }

  /// A picture in one slice.
  ///
  /// - Parameters:
  ///   - isTop: True for a top field, false for a bottom field, nil for a frame.
  ///   - isFirst: True for the first picture of a group.
  private func slice(_ frame: [UInt8], _ number: Int, _ isTop: Bool?, isFirst: Bool) -> [UInt8] {
    let place = number % Self.group
    var bits = Bits()
    bits.put(codes: 0, 7, 0)
    bits.put(place, 8)
    bits.put(isTop == nil ? 0 : 1, 1)
    if let isTop { bits.put(isTop ? 0 : 1, 1) }
    if isFirst { bits.put(codes: number / Self.group % 2) }
    let isSecond = isTop.map { $0 != isTopFieldFirst } ?? false
    bits.put(place * 2 + (isSecond ? 1 : 0), 8)
    bits.put(0, isFirst ? 2 : 1)
    bits.put(codes: 0, 1)
    let (step, line) = (isTop == nil ? 1 : 2, isTop == false ? 1 : 0)
    for row in 0..<height / step / 16 {
      for column in 0..<width / 16 {
        // I_PCM.
        bits.put(codes: 25)
        bits.align()
        for index in 0..<16 {
          let start = ((row * 16 + index) * step + line) * width + column * 16
          bits.append(frame[start..<start + 16])
        }
        for plane in 0..<2 {
          for index in 0..<8 {
            let start =
              width * height + plane * width * height / 4
              + ((row * 8 + index) * step + line) * width / 2 + column * 8
            bits.append(frame[start..<start + 8])
          }
        }
      }
    }
    bits.end()
    return unit(isFirst ? 0x65 : 0x61, bits.bytes)
  }
}
