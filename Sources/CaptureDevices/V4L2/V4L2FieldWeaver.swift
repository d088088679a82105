import MediaCore

/// Joins the fields of a device that delivers them one by one into frames.
///
/// A field is copied into every other row of a frame of ours as it comes, and its buffer goes back
/// at once. A frame with a field missing shows the other one twice, and is damaged. Used by one
/// thread.
final class V4L2FieldWeaver {
  /// What a field led to.
  enum Outcome {
    /// A frame: its number on the device's count of frames, and when its first field began or would have.
    case frame(PixelBuffer, sequence: UInt32, nanoseconds: Int64, isDamaged: Bool)
    /// A frame that no memory is left for: consumers hold it all.
    case noRoom(sequence: UInt32, nanoseconds: Int64)
  }

  private struct Work: ~Copyable {
    let field: V4L2FieldPairing.Field
    /// Nil where there was no room.
    var frame: MutablePixelBuffer?
    var isDamaged: Bool
  }

  private let pool: PixelBufferPool
  private var pairing: V4L2FieldPairing
  private var work: Work?

  init(_ pool: PixelBufferPool, frameDuration: Int64?) {
    self.pool = pool
    self.pairing = V4L2FieldPairing(
      fieldOrder: pool.details.fieldOrder, frameDuration: frameDuration)
  }

  /// Takes a field; calls `emit` for each frame that it completes or leaves incomplete.
  func take(
    _ field: V4L2FieldPairing.Field, _ rows: PixelBuffer, isDamaged: Bool,
    emit: (Outcome) -> Void
  ) {
    switch pairing.take(field) {
    case .begins(let abandons):
      if abandons { giveUp(emit) }
      begin(field, rows, isDamaged)
    case .completes:
      guard var done = work.take() else { return }
      done.frame?.copyRows(of: rows, from: field.parity.firstRow, step: 2)
      done.isDamaged = done.isDamaged || isDamaged
      finish(done, emit)
    case .stray(let abandons):
      if abandons { giveUp(emit) }
      begin(field, rows, isDamaged)
      giveUp(emit)
    }
  }

  private func begin(_ field: V4L2FieldPairing.Field, _ rows: PixelBuffer, _ isDamaged: Bool) {
    var begun = Work(field: field, frame: try? pool.makeBuffer(), isDamaged: isDamaged)
    begun.frame?.copyRows(of: rows, from: field.parity.firstRow, step: 2)
    work = consume begun
  }

  /// Ends the frame in the making as it is: its one field stands for both.
  private func giveUp(_ emit: (Outcome) -> Void) {
    guard var half = work.take() else { return }
    half.frame?.doubleRows(from: half.field.parity.firstRow)
    half.isDamaged = true
    finish(half, emit)
  }

  private func finish(_ done: consuming Work, _ emit: (Outcome) -> Void) {
    let number = pairing.frameNumber(of: done.field)
    let time = pairing.beginning(of: done.field)
    let isDamaged = done.isDamaged
    guard let frame = done.frame.take() else {
      return emit(.noRoom(sequence: number, nanoseconds: time))
    }
    emit(.frame(frame.finish(), sequence: number, nanoseconds: time, isDamaged: isDamaged))
  }
}

extension V4L2FieldPairing.Parity {
  /// The first of the field's rows in a frame.
  var firstRow: Int { self == .top ? 0 : 1 }
}

extension MutablePixelBuffer {

  /// Copies the rows of a frame of the same layout into this one, the first into row `from`, each
  /// further one `step` rows on. If the rows are of equal length their padding is copied, too, so that a copy
  /// has the device's bytes.
  mutating func copyRows(of source: PixelBuffer, from first: Int, step: Int) {
    for plane in 0..<min(planeCount, source.planeCount) {
      let there = source.plane(plane)
      let here = bytesPerRow(plane: plane)
      let samples = details.format.sampleBytesPerRow(plane: plane, width: details.width)
      let width =
        here == there.bytesPerRow ? here : min(samples, here, there.bytesPerRow)
      let count = min(there.rows, (rows(ofPlane: plane) - first + step - 1) / step)
      source.withUnsafeBytes(ofPlane: plane) { bytes in
        withUnsafeMutableBytes(ofPlane: plane) { memory in
          for row in 0..<count {
            let from = row * there.bytesPerRow
            let to = (first + row * step) * here
            // The last row may end without its padding.
            let length = min(width, bytes.count - from, memory.count - to)
            guard length > 0 else { break }
            UnsafeMutableRawBufferPointer(rebasing: memory[to..<to + length])
              .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[from..<from + length]))
          }
        }
      }
    }
  }

  /// Fills every other row with the one beside it that has content: rows `first`, `first` + 2 …
  mutating func doubleRows(from first: Int) {
    for plane in 0..<planeCount {
      let bytesPerRow = self.bytesPerRow(plane: plane)
      let height = rows(ofPlane: plane)
      withUnsafeMutableBytes(ofPlane: plane) { memory in
        for row in stride(from: first, to: height, by: 2) {
          let other = first == 0 ? row + 1 : row - 1
          guard other < height else { continue }
          let from = row * bytesPerRow
          let to = other * bytesPerRow
          UnsafeMutableRawBufferPointer(rebasing: memory[to..<to + bytesPerRow])
            .copyMemory(
              from: UnsafeRawBufferPointer(rebasing: memory[from..<from + bytesPerRow]))
        }
      }
    }
  }
}
