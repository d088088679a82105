import Foundation
import MediaCore
import Synchronization

/// Bytes in memory that others own or that the block has of its own: one run of offsets over one or more
/// pieces.
///
/// The block refers to the memory and copies nothing: what is written there is in the block. Memory goes
/// back to its allocator when the last block that refers to it goes away, so that addresses within a block
/// are good for as long as it is held. Memory of ``kCFAllocatorNull`` stays its program's, which keeps it
/// for as long as any block refers to it.
///
/// Only who made a block may write to it, before others have it.
public final class CMBlockBuffer: Sendable {
  private let pieces: Mutex<[Piece]>

  /// A part of some memory.
  private struct Piece: Sendable {
    let memory: BlockMemory
    let range: Range<Int>

    var bytes: UnsafeMutableRawBufferPointer {
      UnsafeMutableRawBufferPointer(rebasing: memory.bytes[range])
    }

    static func length(of pieces: [Piece]) -> Int {
      pieces.reduce(0) { $0.addingSaturating($1.range.count) }
    }
  }

  private init(_ pieces: [Piece]) { self.pieces = Mutex(pieces) }

  /// A block without bytes.
  convenience init() { self.init([Piece]()) }

  /// A copy of bytes.
  convenience init(copying source: [UInt8]) throws(BlockFailure) {
    self.init()
    guard !source.isEmpty else { return }
    try append(nil, length: source.count, of: BlockSource(nil), offset: 0, count: source.count)
    try run(at: 0).copyBytes(from: source)
  }

  /// Bytes of the block.
  public var dataLength: Int { Piece.length(of: pieces.withLock { $0 }) }
}

extension CMBlockBuffer {
  /// Takes memory over, or has the source give out some, and refers to a part of it. Where this throws the
  /// memory is still the caller's.
  func append(
    _ memory: UnsafeMutableRawPointer?, length: Int, of source: BlockSource, offset: Int, count: Int
  ) throws(BlockFailure) {
    guard length > 0, offset >= 0, count >= 0, offset <= length - count else { throw .length }
    guard let given = memory ?? source.allocate?(length) else {
      throw source.allocate == nil ? .unusableSource : .noMemory
    }
    let memory = BlockMemory(UnsafeMutableRawBufferPointer(start: given, count: length), of: source)
    pieces.withLock { $0.append(Piece(memory: memory, range: offset..<offset + count)) }
  }

  /// Refers to what another block refers to now, from an offset on: so many bytes, or with 0 all that follow.
  func append(
    _ other: CMBlockBuffer, offset: Int, count: Int, flags: CMBlockBufferFlags
  ) throws(BlockFailure) {
    let count = try count == 0 ? other.length(from: offset) : count
    let isEmptyAllowed = flags & kCMBlockBufferPermitEmptyReferenceFlag != 0
    guard count != 0 || isEmptyAllowed else { throw .empty }
    let added = try other.parts(offset, count)
    pieces.withLock { $0 += added }
  }

  /// Bytes from an offset to the end.
  func length(from offset: Int) throws(BlockFailure) -> Int {
    let length = dataLength
    guard offset >= 0, offset <= length else { throw .offset }
    return length - offset
  }

  /// The bytes at an offset that lie together: to the end of their piece.
  ///
  /// - Throws: ``BlockFailure/offset`` where there is no such byte.
  func run(at offset: Int) throws(BlockFailure) -> UnsafeMutableRawBufferPointer {
    guard let rest = try? length(from: offset), let first = try parts(offset, rest).first else {
      throw .offset
    }
    return first.bytes
  }

  /// The bytes of a range where they lie together, which they do in one piece; else nil.
  func run(_ offset: Int, _ count: Int) throws(BlockFailure) -> UnsafeMutableRawBufferPointer? {
    let parts = try parts(offset, count)
    switch parts.count {
    case 0: return UnsafeMutableRawBufferPointer(start: nil, count: 0)
    case 1: return parts[0].bytes
    default: return nil
    }
  }

  /// Calls a function with the bytes of a range, piece by piece, and with how many came before.
  func visit(
    _ offset: Int, _ count: Int, _ body: (UnsafeMutableRawBufferPointer, Int) -> Void
  ) throws(BlockFailure) {
    var done = 0
    for part in try parts(offset, count) {
      body(part.bytes, done)
      done += part.range.count
    }
  }

  /// Copies the bytes of a range.
  func copy(
    _ offset: Int, _ count: Int, to destination: UnsafeMutableRawPointer
  ) throws(BlockFailure) {
    try visit(offset, count) { bytes, done in
      UnsafeMutableRawBufferPointer(start: destination + done, count: bytes.count)
        .copyMemory(from: UnsafeRawBufferPointer(bytes))
    }
  }

  /// All bytes, as a copy.
  var contents: [UInt8] {
    let pieces = pieces.withLock { $0 }
    var all: [UInt8] = []
    all.reserveCapacity(Piece.length(of: pieces))
    for piece in pieces { all += piece.bytes }
    return all
  }

  /// The pieces that a range of the bytes lies in, cut to it.
  private func parts(_ offset: Int, _ count: Int) throws(BlockFailure) -> [Piece] {
    let all = pieces.withLock { $0 }
    let length = Piece.length(of: all)
    guard offset >= 0, count >= 0, offset <= length, count <= length - offset else { throw .length }
    var (skipped, missing) = (offset, count)
    var parts: [Piece] = []
    for piece in all where missing > 0 {
      let before = min(skipped, piece.range.count)
      skipped -= before
      let taken = min(piece.range.count - before, missing)
      guard taken > 0 else { continue }
      missing -= taken
      let start = piece.range.lowerBound + before
      parts.append(Piece(memory: piece.memory, range: start..<start + taken))
    }
    return parts
  }
}
