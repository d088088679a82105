import MediaCore
import TestSupport
import Testing

/// A frame as plain numbers, one array for each component, and the slow way to store it in any
/// pixel format: bit by bit, following the text of the format descriptions.
struct ReferenceFrame {
  let details: PixelBuffer.Description
  let chromaWidth: Int
  let chromaHeight: Int
  /// Y, Cb, Cr, alpha; or blue, green, red.
  var samples: [[Int]]

  /// Random codes over the format's whole range, including its extremes.
  init(random details: PixelBuffer.Description, seed: UInt64) {
    self.details = details
    let table = details.format.descriptor
    let isHalf = table.subsampling == .yuv422 || table.subsampling == .yuv420
    let (width, height) = (details.width, details.height)
    chromaWidth = isHalf ? (width + 1) / 2 : width
    chromaHeight = table.subsampling == .yuv420 ? (height + 1) / 2 : height
    var random = SeededGenerator(seed: seed)
    let top = (1 << table.bitDepth) - 1
    func plane(_ count: Int) -> [Int] {
      (0..<count).map { _ in
        switch Int.random(in: 0..<8, using: &random) {
        case 0: 0
        case 1: top
        default: Int.random(in: 0...top, using: &random)
        }
      }
    }
    samples = [
      plane(width * height), plane(chromaWidth * chromaHeight), plane(chromaWidth * chromaHeight),
      plane(width * height),
    ]
  }

  /// A sample; positions outside the frame repeat its edge.
  func sample(_ component: Int, _ column: Int, _ row: Int) -> Int {
    let isChroma = component == 1 || component == 2
    let width = isChroma ? chromaWidth : details.width
    let height = isChroma ? chromaHeight : details.height
    let x = min(max(column, 0), width - 1)
    let y = min(max(row, 0), height - 1)
    return samples[component][y * width + x]
  }

  /// The frame stored in its pixel format. Rows are `padding` bytes longer than necessary, all
  /// bytes without samples are random, and the memory ends right after the last row's own bytes.
  func store(padding: Int, offset: Int, seed: UInt64) throws -> StoredFrame {
    var random = SeededGenerator(seed: seed)
    let format = details.format
    var planes: [StoredFrame.Block] = []
    for plane in 0..<format.planeCount {
      let least =
        format == .v210
        ? (details.width + 5) / 6 * 16
        : format.minimumBytesPerRow(plane: plane, width: details.width)
      planes.append(
        StoredFrame.Block(
          bytesPerRow: least + padding, rows: format.rows(plane: plane, height: details.height),
          offset: offset, using: &random))
    }
    let table = format.descriptor
    let bytes = table.bitDepth > 8 ? 2 : 1
    func put(_ plane: Int, _ row: Int, at index: Int, _ code: Int) {
      planes[plane].put(row, byte: index * bytes, count: bytes, code << table.shift)
    }
    for y in 0..<details.height {
      for x in 0..<((details.width + 1) / 2 * 2) {
        let luma = sample(0, x, y)
        switch table.packing {
        case .planar, .biplanar:
          if x < details.width { put(0, y, at: x, luma) }
          if x < details.width, table.hasAlpha { put(3, y, at: x, sample(3, x, y)) }
        case .biplanarPacked10:
          if x < details.width { planes[0].putBits(y, bit: 10 * x, count: 10, luma) }
        case .packedYCbYCr: put(0, y, at: 2 * x, luma)
        case .packedCbYCrY: put(0, y, at: 2 * x + 1, luma)
        case .v210: if x < details.width { planes[0].putV210(y, 2 * x + 1, luma) }
        case .packedBGR, .packedBGRX, .packedXRGB:
          guard x < details.width else { continue }
          let step = table.packing == .packedBGR ? 3 : 4
          for part in 0..<3 {
            let place = table.packing == .packedXRGB ? 3 - part : part
            put(0, y, at: step * x + place, samples[part][y * details.width + x])
          }
        case .mosaic, .mosaicPacked: break
        }
      }
    }
    guard table.subsampling != .rgb else {
      return StoredFrame(details: details, blocks: planes)
    }
    for y in 0..<chromaHeight {
      for x in 0..<chromaWidth {
        let (cb, cr) = (sample(1, x, y), sample(2, x, y))
        switch table.packing {
        case .planar:
          put(1, y, at: x, cb)
          put(2, y, at: x, cr)
        case .biplanar:
          put(1, y, at: 2 * x, cb)
          put(1, y, at: 2 * x + 1, cr)
        case .biplanarPacked10:
          planes[1].putBits(y, bit: 20 * x, count: 10, cb)
          planes[1].putBits(y, bit: 20 * x + 10, count: 10, cr)
        case .packedYCbYCr:
          put(0, y, at: 4 * x + 1, cb)
          put(0, y, at: 4 * x + 3, cr)
        case .packedCbYCrY:
          put(0, y, at: 4 * x, cb)
          put(0, y, at: 4 * x + 2, cr)
        case .v210:
          planes[0].putV210(y, 4 * x, cb)
          planes[0].putV210(y, 4 * x + 2, cr)
        case .packedBGR, .packedBGRX, .packedXRGB, .mosaic, .mosaicPacked: break
        }
      }
    }
    return StoredFrame(details: details, blocks: planes)
  }
}

/// A frame in guarded memory: the bytes before and after each plane are known, so writes to them
/// are detected.
final class StoredFrame {
  final class Block {
    static let guardBytes = 256
    let bytesPerRow: Int
    let rows: Int
    let offset: Int
    let memory: UnsafeMutableRawBufferPointer

    /// Memory of random bytes, misaligned by `offset`, between guards.
    init(bytesPerRow: Int, rows: Int, offset: Int, using random: inout SeededGenerator) {
      self.bytesPerRow = bytesPerRow
      self.rows = rows
      self.offset = offset
      let count = bytesPerRow * rows + 2 * Self.guardBytes + offset
      memory = .allocate(byteCount: count, alignment: 4096)
      for index in memory.indices { memory[index] = UInt8.random(in: 0...255, using: &random) }
    }

    deinit { memory.deallocate() }

    var first: Int { Self.guardBytes + offset }

    func put(_ row: Int, byte: Int, count: Int, _ value: Int) {
      for index in 0..<count {
        memory[first + row * bytesPerRow + byte + index] = UInt8((value >> (8 * index)) & 0xFF)
      }
    }

    func putBits(_ row: Int, bit: Int, count: Int, _ value: Int) {
      for index in 0..<count {
        let place = first + row * bytesPerRow + (bit + index) / 8
        let mask = UInt8(1) << UInt8((bit + index) % 8)
        if (value >> index) & 1 == 1 { memory[place] |= mask } else { memory[place] &= ~mask }
      }
    }

    /// Sample `index` of a row in v210's order Cb Y Cr Y: three in each 32-bit word.
    func putV210(_ row: Int, _ index: Int, _ value: Int) {
      putBits(row, bit: index / 3 * 32 + index % 3 * 10, count: 10, value)
    }

    func word(_ row: Int, _ index: Int) -> Int {
      let place = first + row * bytesPerRow + index * 2
      return Int(memory[place]) | Int(memory[place + 1]) << 8
    }
  }

  let details: PixelBuffer.Description
  let blocks: [Block]

  init(details: PixelBuffer.Description, blocks: [Block]) {
    self.details = details
    self.blocks = blocks
  }

  /// An empty frame of a planar format.
  init(empty details: PixelBuffer.Description, padding: Int, offset: Int, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    self.details = details
    let format = details.format
    blocks = (0..<format.planeCount).map {
      Block(
        bytesPerRow: format.minimumBytesPerRow(plane: $0, width: details.width) + padding,
        rows: format.rows(plane: $0, height: details.height), offset: offset, using: &random)
    }
  }

  /// The frame as a buffer over this memory, which the buffer keeps alive.
  func buffer() throws -> PixelBuffer {
    let planes = try blocks.map {
      PixelBuffer.Plane(
        baseAddress: try #require($0.memory.baseAddress) + $0.first,
        bytesPerRow: $0.bytesPerRow, rows: $0.rows)
    }
    return try PixelBuffer(details, planes: planes, release: nil)
  }

  /// The frame as memory to fill.
  func memory() throws -> MutablePixelBuffer { MutablePixelBuffer(sole: try buffer()) }

  /// A copy of all bytes, including guards and padding.
  func snapshot() -> [[UInt8]] { blocks.map { Array($0.memory) } }
}
