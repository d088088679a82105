import CFFmpeg
import MediaCore

/// Reads rows of one component of a frame in any of libav's pixel formats, by its descriptor.
struct ComponentReader: Sendable {
  private enum Storage: Sendable, Hashable {
    case bytes
    case words
    case swappedWords
    case floats(isSwapped: Bool)
    case halves(isSwapped: Bool)
    /// Y of `uyyvyy411`, whose positions no descriptor can express.
    case fourOneOneLuma
    case palette
    /// Bitstreams and 32-bit words, which libavutil reads.
    case other
  }

  /// Bits of the codes returned; 16 for floating point.
  let depth: Int
  private let index: Int32
  private let plane: Int32
  private let step: Int
  private let offset: Int
  private let shift: UInt16
  private let mask: UInt16
  private let storage: Storage
  private let isInverted: Bool

  /// A reader of component `index` (libav's order: Y, U, V or R, G, B, then alpha).
  init(_ facts: UnsafePointer<AVPixFmtDescriptor>, index: Int32) {
    let component = cffmpeg_pixel_component(facts, index)
    let isPalette = cffmpeg_pixel_is_palette(facts) != 0
    let isSwapped = cffmpeg_pixel_is_big_endian(facts) != 0
    let bits = Int(component.depth)
    let name = libavText(facts.pointee.name)
    let end = Int(component.shift) + bits
    self.index = index
    plane = component.plane
    step = Int(component.step)
    shift = UInt16(clamping: component.shift)
    isInverted = name == "monow"
    if isPalette {
      storage = .palette
    } else if cffmpeg_pixel_is_bitstream(facts) != 0 {
      storage = .other
    } else if cffmpeg_pixel_is_float(facts) != 0 {
      storage = bits == 16 ? .halves(isSwapped: isSwapped) : .floats(isSwapped: isSwapped)
    } else if name == "uyyvyy411", index == 0 {
      storage = .fourOneOneLuma
    } else if end <= 8 {
      storage = .bytes
    } else if end <= 16 {
      storage = isSwapped ? .swappedWords : .words
    } else {
      storage = .other
    }
    // For big-endian words, the descriptor counts a short component's offset from the word's other
    // end.
    offset = Int(component.offset) + (storage == .bytes && isSwapped ? 1 : 0)
    depth = isPalette ? 8 : cffmpeg_pixel_is_float(facts) != 0 ? 16 : min(bits, 16)
    mask = UInt16(truncatingIfNeeded: (1 << depth) - 1)
  }

  /// Reads `count` codes from a row of the component's plane.
  func read(
    row: Int, of frame: UnsafeMutablePointer<AVFrame>, into target: UnsafeMutablePointer<UInt16>,
    count: Int
  ) {
    guard let data = cffmpeg_frame_data(frame, plane) else {
      target.update(repeating: 0, count: count)
      return
    }
    let start = UnsafeRawPointer(data) + row * Int(cffmpeg_frame_linesize(frame, plane)) + offset
    switch storage {
    case .bytes: readBytes(start, target, count)
    case .words: readWords(start, target, count) { $0 }
    case .swappedWords: readWords(start, target, count) { $0.byteSwapped }
    case .floats(let isSwapped):
      for place in 0..<count {
        let word = (start + place * step).loadUnaligned(as: UInt32.self)
        target[place] = Self.code(Float(bitPattern: isSwapped ? word.byteSwapped : word))
      }
    case .halves(let isSwapped):
      for place in 0..<count {
        let word = (start + place * step).loadUnaligned(as: UInt16.self)
        target[place] = Self.code(Float(Float16(bitPattern: isSwapped ? word.byteSwapped : word)))
      }
    case .fourOneOneLuma:
      let bytes = start - offset
      for place in 0..<count {
        let within = place % 4
        let byte = place / 4 * 6 + 1 + within + within / 2
        target[place] = UInt16(bytes.load(fromByteOffset: byte, as: UInt8.self))
      }
    case .palette: readPalette(frame, row, target, count)
    case .other:
      cffmpeg_read_row(frame, index, Int32(clamping: row), Int32(clamping: count), target)
    }
    if isInverted { for place in 0..<count { target[place] ^= mask } }
  }

  /// A palette entry is a word of alpha, red, green and blue, from its most significant byte.
  private func readPalette(
    _ frame: UnsafeMutablePointer<AVFrame>, _ row: Int, _ target: UnsafeMutablePointer<UInt16>,
    _ count: Int
  ) {
    guard let data = cffmpeg_frame_data(frame, 0), let palette = cffmpeg_frame_data(frame, 1) else {
      return
    }
    let places = data + row * Int(cffmpeg_frame_linesize(frame, 0))
    let entries = UnsafeRawPointer(palette)
    let down = UInt32(index == 3 ? 24 : 16 - 8 * index)
    for place in 0..<count {
      let entry = entries.loadUnaligned(fromByteOffset: 4 * Int(places[place]), as: UInt32.self)
      target[place] = UInt16(truncatingIfNeeded: entry &>> down) & 0xFF
    }
  }

  private func readBytes(
    _ start: UnsafeRawPointer, _ target: UnsafeMutablePointer<UInt16>, _ count: Int
  ) {
    let bytes = start.assumingMemoryBound(to: UInt8.self)
    if step == 1, shift == 0, depth == 8 {
      for place in 0..<count { target[place] = UInt16(bytes[place]) }
    } else {
      let (step, shift, mask) = (step, shift, mask)
      for place in 0..<count { target[place] = UInt16(bytes[place &* step]) &>> shift & mask }
    }
  }

  @inline(__always)
  private func readWords(
    _ start: UnsafeRawPointer, _ target: UnsafeMutablePointer<UInt16>, _ count: Int,
    _ order: (UInt16) -> UInt16
  ) {
    let (shift, mask) = (shift, mask)
    if step == 2 {
      for place in 0..<count {
        target[place] =
          order((start + 2 &* place).loadUnaligned(as: UInt16.self)) &>> shift & mask
      }
    } else {
      let step = step
      for place in 0..<count {
        target[place] =
          order((start + place &* step).loadUnaligned(as: UInt16.self)) &>> shift & mask
      }
    }
  }

  /// A value from 0 to 1 as a 16-bit code; values outside are clipped.
  private static func code(_ value: Float) -> UInt16 {
    // NaN becomes black.
    guard value > 0 else { return 0 }
    return UInt16((min(value, 1) * 65_535).rounded())
  }
}
