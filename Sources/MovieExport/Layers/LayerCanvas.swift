import MediaCore

/// A frame with planes of 16-bit words, on which frames of the same layout are drawn.
struct LayerCanvas: ~Copyable {
  private var memory: MutablePixelBuffer
  private let size: LayerPlacement.Area
  private let hasAlpha: Bool
  private let depth: Int
  /// The number of columns that share a chroma sample.
  private let step: Int

  /// Creates a frame of one color.
  ///
  /// - Parameter background: The codes of luma, Cb and Cr.
  /// - Throws: `MediaCoreError` if memory runs out.
  init(_ details: PixelBuffer.Description, background: [UInt16]) throws(MediaCoreError) {
    memory = try MutablePixelBuffer(details)
    size = LayerPlacement.Area(x: 0..<details.width, y: 0..<details.height)
    let descriptor = details.format.descriptor
    depth = descriptor.bitDepth
    step = details.format.descriptor.subsampling == .yuv422 ? 2 : 1
    hasAlpha = memory.planeCount == 4
    let codes = background + [UInt16((1 << depth) - 1)]
    for plane in 0..<memory.planeCount {
      memory.withUnsafeMutableBytes(ofPlane: plane) { bytes in
        bytes.bindMemory(to: UInt16.self).update(repeating: codes[plane])
      }
    }
  }

  /// Draws a frame at its place, blended with the canvas according to its opacity and its alpha
  /// channel, if any.
  mutating func draw(_ frame: PixelBuffer, _ placement: LayerPlacement, opacity: Double) {
    let seen = placement.visible.intersection(size)
    let weight = Int((min(max(opacity, 0), 1) * 65_536).rounded())
    guard !seen.isEmpty, weight > 0 else { return }
    let isOpaque = weight == 65_536 && !hasAlpha
    for plane in 0..<3 {
      let step = plane == 0 ? 1 : self.step
      let columns = seen.x.lowerBound / step..<(seen.x.upperBound + step - 1) / step
      let shift = placement.area.x.lowerBound / step
      for row in seen.y {
        let from = (plane: plane, row: row - placement.area.y.lowerBound, shift: shift)
        if isOpaque {
          copy(frame, from, row, columns)
        } else {
          mix(frame, from, row, columns, weight)
        }
      }
    }
  }

  private typealias Place = (plane: Int, row: Int, shift: Int)

  private mutating func copy(
    _ frame: PixelBuffer, _ from: Place, _ row: Int, _ columns: Range<Int>
  ) {
    Self.withRow(of: frame, from.plane, from.row) { source in
      withRow(from.plane, row) { target in
        for column in columns { target[column] = source[column - from.shift] }
      }
    }
  }

  private mutating func mix(
    _ frame: PixelBuffer, _ from: Place, _ row: Int, _ columns: Range<Int>, _ weight: Int
  ) {
    let most = (1 << depth) - 1
    let hasAlpha = hasAlpha
    Self.withRow(of: frame, from.plane, from.row) { source in
      Self.withRow(of: frame, frame.planeCount - 1, from.row) { alpha in
        withRow(from.plane, row) { target in
          for column in columns {
            let own = column - from.shift
            let part = hasAlpha ? weight * Int(alpha[own]) / most : weight
            let mixed = Int(source[own]) * part + Int(target[column]) * (65_536 - part)
            target[column] = UInt16(truncatingIfNeeded: (mixed + 32_768) >> 16)
          }
        }
      }
    }
  }

  private mutating func withRow(
    _ plane: Int, _ row: Int, _ body: (UnsafeMutableBufferPointer<UInt16>) -> Void
  ) {
    let step = memory.bytesPerRow(plane: plane)
    memory.withUnsafeMutableBytes(ofPlane: plane) { bytes in
      body(
        UnsafeMutableRawBufferPointer(rebasing: bytes[row * step..<(row + 1) * step])
          .bindMemory(to: UInt16.self))
    }
  }

  private static func withRow(
    of frame: PixelBuffer, _ plane: Int, _ row: Int,
    _ body: (UnsafeBufferPointer<UInt16>) -> Void
  ) {
    let step = frame.bytesPerRow(plane: plane)
    frame.withUnsafeBytes(ofPlane: plane) { bytes in
      body(
        UnsafeRawBufferPointer(rebasing: bytes[row * step..<(row + 1) * step])
          .bindMemory(to: UInt16.self))
    }
  }

  /// Returns the frame.
  consuming func finish() -> PixelBuffer { memory.finish() }
}
