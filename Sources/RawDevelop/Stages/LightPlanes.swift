import CRawKernels
import DNG
import MediaCore

/// Linear light in memory: a plane for each component, rows without padding.
///
/// `@unchecked Sendable` because the memory has no lock. That is safe: the stage that makes the planes lets each
/// thread fill only its own rows and waits for all of them; afterwards the planes are only read.
final class LightPlanes: @unchecked Sendable {
  let width: Int
  let height: Int
  let count: Int
  private let planes: [Plane]
  private let starts: [UnsafeMutablePointer<Float>]

  /// The memory of a plane, in large pages.
  private final class Plane {
    let start: UnsafeMutablePointer<Float>

    init(count: Int) {
      let byteCount = max(count, 1) * MemoryLayout<Float>.stride
      let memory = UnsafeMutableRawBufferPointer.allocate(
        byteCount: byteCount, alignment: ImageMemory.alignment(ofByteCount: byteCount))
      ImageMemory.preferLargePages(memory)
      start = memory.bindMemory(to: Float.self).baseAddress ?? .allocate(capacity: 1)
    }

    deinit { start.deallocate() }
  }

  /// Planes with uninitialized light.
  convenience init(width: Int, height: Int, count: Int) {
    self.init(
      width: width, height: height,
      planes: (0..<count).map { _ in Plane(count: width * height) })
  }

  private init(width: Int, height: Int, planes: [Plane]) {
    self.width = width
    self.height = height
    self.planes = planes
    count = planes.count
    starts = planes.map(\.start)
  }

  /// A plane's samples.
  subscript(plane: Int) -> UnsafeMutablePointer<Float> { starts[plane] }

  /// Each plane separately, sharing the same memory: once this object is released, each can be released when it is
  /// no longer needed.
  var separated: [LightPlanes] {
    planes.map { LightPlanes(width: width, height: height, planes: [$0]) }
  }

  /// Calls `body` for bands of rows on all processors.
  func bands(of rows: Int = 32, _ body: @Sendable (Range<Int>) -> Void) {
    ConcurrentMap.bands(height, of: rows, body)
  }

  /// Clips light above 1.
  func clip() {
    for plane in 0..<count {
      bands { rows in
        for index in rows.lowerBound * width..<rows.upperBound * width {
          self[plane][index] = min(self[plane][index], 1)
        }
      }
    }
  }

  /// The planes with each block of `side` by `side` samples averaged to one.
  func averaged(_ side: Int) -> LightPlanes {
    if side == 1 { return self }
    let result = LightPlanes(
      width: max(width / side, 1), height: max(height / side, 1), count: count)
    for plane in 0..<count {
      result.bands(of: 1) { rows in
        for row in rows {
          raw_average(
            self[plane] + row * side * width, width, 1, 0, min(side, height - row * side), side,
            result.width, result[plane] + row * result.width)
        }
      }
    }
    return result
  }

  /// The blocks that an area of sensor pixels covers, if each sample of the planes is a block of them; at least
  /// one.
  ///
  /// - Parameter reduction: Sensor pixels along a block's side.
  func blocks(of area: PixelArea, reduction: Int) -> (columns: Range<Int>, rows: Range<Int>) {
    Self.blocks(of: area, reduction: reduction, width: width, height: height)
  }

  /// The same for light of the given size.
  static func blocks(
    of area: PixelArea, reduction: Int, width: Int, height: Int
  ) -> (columns: Range<Int>, rows: Range<Int>) {
    func along(_ first: Int, _ last: Int, of count: Int) -> Range<Int> {
      let first = min(first / reduction, count - 1)
      return first..<min(max(last / reduction, first + 1), count)
    }
    return (along(area.left, area.right, of: width), along(area.top, area.bottom, of: height))
  }

  /// A copy of an area of the planes.
  func cropped(_ x: Range<Int>, _ y: Range<Int>) -> LightPlanes {
    if x == 0..<width, y == 0..<height { return self }
    let result = LightPlanes(width: x.count, height: y.count, count: count)
    for plane in 0..<count {
      for row in y {
        (result[plane] + (row - y.lowerBound) * x.count)
          .update(from: self[plane] + row * width + x.lowerBound, count: x.count)
      }
    }
    return result
  }
}
