/// A stream of H.264 whose pictures are fields (PAFF), which encoders at hand do not make.
///
/// Each macroblock holds its samples as they are, so that a decoder gives them without loss. All is 4:2:0 of 8 bits.
struct FieldCodedH264 {
  /// In pixels: multiples of 16, the height of 32.
  let width: Int
  let height: Int
  let isTopFieldFirst: Bool
  /// A frame that is a picture of its own, by its number; others are two fields.
  var isWhole: (Int) -> Bool = { _ in false }
  /// The numbers of frames without their second field.
  var lacksSecondField: Set<Int> = []

  /// Frames from one that nothing before is needed for to the next.
  private static let group = 5

  init(width: Int, height: Int, isTopFieldFirst: Bool) {
    (self.width, self.height, self.isTopFieldFirst) = (width, height, isTopFieldFirst)
  }

  /// The stream, with start codes.
  ///
  /// - Parameter frames: One behind the other, the planes of each likewise.
  func stream(of frames: [UInt8]) -> [UInt8] {
    let size = width * height * 3 / 2
    return (0..<frames.count / size).flatMap { number -> [UInt8] in
      let frame = Array(frames[number * size..<(number + 1) * size])
      let isFirst = number % Self.group == 0
      let setup = isFirst ? unit(0x67, sequence) + unit(0x68, pictures) : []
      if isWhole(number) { return mark + setup + slice(frame, number, nil, isFirst: isFirst) }
      let first = slice(frame, number, isTopFieldFirst, isFirst: isFirst)
      guard !lacksSecondField.contains(number) else { return mark + setup + first }
      return mark + setup + first + mark + slice(frame, number, !isTopFieldFirst, isFirst: false)
    }
  }

  /// Bits, the greatest of a number first.
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

  /// An access unit's delimiter, for pictures of intra macroblocks alone.
  private var mark: [UInt8] { unit(9, [0x10]) }

  /// A unit behind its start code, with bytes that keep its own from looking like one.
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

  /// The sequence: Main profile, level 4, fields allowed, eight bits each of frame number and order.
  private var sequence: [UInt8] {
    var bits = Bits()
    for byte in [77, 0, 40] { bits.put(byte, 8) }
    bits.put(codes: 0, 4, 0, 4, 1)
    bits.put(0, 1)
    bits.put(codes: width / 16 - 1, height / 32 - 1)
    // Fields, of frame macroblocks where pictures are frames; no cropping, no usability information.
    bits.put(0b00100, 5)
    bits.end()
    return bits.bytes
  }

  /// The pictures: variable-length codes, deblocking as slices say.
  private var pictures: [UInt8] {
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
  ///   - isTop: Which field it is; nil for both in a frame.
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
