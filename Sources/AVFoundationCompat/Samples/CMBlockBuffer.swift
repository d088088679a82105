import Foundation
import MediaCore
import Synchronization

/// Bytes in memory, in one or more pieces with consecutive offsets.
///
/// The block refers to the memory without copying, so writing to the memory changes the block. Memory is returned to
/// its allocator when the last block that refers to it is released, so addresses within a block are valid as long as
/// it is retained. Memory of ``kCFAllocatorNull`` is owned by the program, which must keep it as long as any block
/// refers to it.
///
/// Only a block's creator may write to it, before passing it on.
public final class CMBlockBuffer: Sendable {
  private let pieces: Mutex<[Piece]>

  /// A range of some memory.
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

  /// An empty block.
  convenience init() { self.init([Piece]()) }

  convenience init(copying source: [UInt8]) throws(BlockFailure) {
    self.init()
    guard !source.isEmpty else { return }
    try append(nil, length: source.count, of: BlockSource(nil), offset: 0, count: source.count)
    try run(at: 0).copyBytes(from: source)
  }

  /// The size of the block in bytes.
  public var dataLength: Int { Piece.length(of: pieces.withLock { $0 }) }
}

extension CMBlockBuffer {
  /// Takes ownership of memory, or lets the source allocate it, and refers to a range of it. If it throws, the caller
  /// still owns the memory.
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

  /// Refers to a range of another block in its present state; a count of 0 stands for all bytes from the offset.
  func append(
    _ other: CMBlockBuffer, offset: Int, count: Int, flags: CMBlockBufferFlags
  ) throws(BlockFailure) {
    let count = try count == 0 ? other.length(from: offset) : count
    let isEmptyAllowed = flags & kCMBlockBufferPermitEmptyReferenceFlag != 0
    guard count != 0 || isEmptyAllowed else { throw .empty }
    let added = try other.parts(offset, count)
    pieces.withLock { $0 += added }
  }

  /// The number of bytes from an offset to the end.
  func length(from offset: Int) throws(BlockFailure) -> Int {
    let length = dataLength
    guard offset >= 0, offset <= length else { throw .offset }
    return length - offset
  }

  /// The contiguous bytes at an offset, to the end of their piece.
  ///
  /// - Throws: ``BlockFailure/offset`` if there is no such byte.
  func run(at offset: Int) throws(BlockFailure) -> UnsafeMutableRawBufferPointer {
    guard let rest = try? length(from: offset), let first = try parts(offset, rest).first else {
      throw .offset
    }
    return first.bytes
  }

  /// The bytes of a range if they are in one piece; otherwise nil.
  func run(_ offset: Int, _ count: Int) throws(BlockFailure) -> UnsafeMutableRawBufferPointer? {
    let parts = try parts(offset, count)
    switch parts.count {
    case 0: return UnsafeMutableRawBufferPointer(start: nil, count: 0)
    case 1: return parts[0].bytes
    default: return nil
    }
  }

  /// Calls a function with the bytes of a range, piece by piece, and the number of bytes before each piece.
  func visit(
    _ offset: Int, _ count: Int, _ body: (UnsafeMutableRawBufferPointer, Int) -> Void
  ) throws(BlockFailure) {
    var done = 0
    for part in try parts(offset, count) {
      body(part.bytes, done)
      done += part.range.count
    }
  }

  func copy(
    _ offset: Int, _ count: Int, to destination: UnsafeMutableRawPointer
  ) throws(BlockFailure) {
    try visit(offset, count) { bytes, done in
      UnsafeMutableRawBufferPointer(start: destination + done, count: bytes.count)
        .copyMemory(from: UnsafeRawBufferPointer(bytes))
    }
  }

  /// A copy of all bytes.
  var contents: [UInt8] {
    let pieces = pieces.withLock { $0 }
    var all: [UInt8] = []
    all.reserveCapacity(Piece.length(of: pieces))
    for piece in pieces { all += piece.bytes }
    return all
  }

  /// The pieces of a range, cut to it.
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
