import CRawKernels
import DNG
import MediaCore

/// Renders camera light to an image, in runs of pixels on all processors.
///
/// Each pixel is computed by one thread in a fixed order of operations, so the result does not depend on the number
/// of threads.
struct ImageRenderer {
  let plan: RenderPlan
  let source: LightSource
  /// Interpolates a mosaic; nil if the source has all colors.
  let demosaicker: Demosaicker?
  /// Processes planes before they are rendered; nil if not needed.
  let detail: DetailStage?
  let localContrast: LocalContrast?
  /// Changes linear light before it is rendered; nil if not needed.
  let linearFilter: RAWFilter.LinearSpaceFilter?
  /// The part of the source to render.
  let columns: Range<Int>
  let rows: Range<Int>
  /// Pixels of the file per pixel of the source, across and down.
  let step: SIMD2<Double>
  /// The position of the source's first pixel in the extent.
  let origin: SIMD2<Double>
  /// The active area as trimmed by opcodes.
  let extent: ImageExtent
  /// The masks of one name for each of the kernel's mask indices.
  let masks: [[SemanticMask]]
  let orientation: PhotoMetadata.Orientation
  let format: RenderedImage.SampleFormat
  let colorSpace: ImageColorSpace

  var width: Int { orientation.isTransposed ? rows.count : columns.count }
  var height: Int { orientation.isTransposed ? columns.count : rows.count }

  /// A thread's buffers.
  private final class Worker {
    static let run = Int(RAW_RUN)
    let tile: Demosaicker.Tile?
    let detailTile: DetailStage.Tile?
    let memory: UnsafeMutablePointer<Float>
    let line: UnsafeMutablePointer<Float>
    let maskCount: Int
    let planes: [UnsafeMutablePointer<Float>]
    /// A finished run.
    var pixels: UnsafeMutablePointer<Float> { memory + 3 * Self.run }
    func mask(_ index: Int) -> UnsafeMutablePointer<Float> { memory + (6 + index) * Self.run }

    init(lineLength: Int, maskCount: Int, isMosaic: Bool, hasDetail: Bool) {
      self.maskCount = maskCount
      tile = isMosaic ? Demosaicker.Tile() : nil
      detailTile = hasDetail ? DetailStage.Tile() : nil
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: (6 + maskCount) * Self.run)
      self.memory = memory
      planes = (0..<3).map { memory + $0 * Self.run }
      line = .allocate(capacity: max(lineLength, 1))
    }

    deinit {
      memory.deallocate()
      line.deallocate()
    }
  }

  func render() -> RenderedImage {
    let count = 3 * width * height
    let samples: RenderedImage.Samples =
      switch format {
      case .uint8:
        .uint8([UInt8](unsafeUninitializedCapacity: count) { render(into: $0, &$1) })
      case .uint16:
        .uint16([UInt16](unsafeUninitializedCapacity: count) { render(into: $0, &$1) })
      case .half:
        .half([UInt16](unsafeUninitializedCapacity: count) { render(into: $0, &$1) })
      case .float:
        .float([Float](unsafeUninitializedCapacity: count) { render(into: $0, &$1) })
      }
    return RenderedImage(width: width, height: height, samples: samples, colorSpace: colorSpace)
  }

  private func render<Sample>(
    into target: UnsafeMutableBufferPointer<Sample>, _ count: inout Int
  ) {
    defer { count = target.count }
    guard let pixels = target.baseAddress else { return }
    ImageMemory.preferLargePages(UnsafeMutableRawBufferPointer(target))
    // Safe: runs do not overlap, so each thread writes only its own pixels.
    nonisolated(unsafe) let memory = UnsafeMutableRawPointer(pixels)
    if let detail {
      renderStrips(detail, memory)
    } else if let demosaicker {
      let side = Demosaicker.side
      let across = tiles(columns, of: side)
      let down = tiles(rows, of: side)
      _ = ConcurrentMap.map(across.count * down.count, worker: { worker() }) { worker, index in
        renderTile(
          demosaicker, x: across.lowerBound + index % across.count,
          y: down.lowerBound + index / across.count, worker, memory)
      }
    } else {
      let band = 16
      _ = ConcurrentMap.map((rows.count + band - 1) / band, worker: { worker() }) {
        worker, index in
        let first = rows.lowerBound + index * band
        for row in first..<min(first + band, rows.upperBound) { renderRow(row, worker, memory) }
      }
    }
  }

  /// The indices of the tiles that contain pixels of the image along an axis.
  private func tiles(_ axis: Range<Int>, of side: Int) -> Range<Int> {
    axis.lowerBound / side..<(axis.upperBound + side - 1) / side
  }

  /// Renders the rows of tiles in order, computing light only as far as they need it.
  private func renderStrips(_ detail: DetailStage, _ memory: UnsafeMutableRawPointer) {
    // Safe: runs do not overlap, so each thread writes only its own pixels.
    nonisolated(unsafe) let memory = memory
    let light = LightStripSource(source: source, demosaicker: demosaicker)
    let across = tiles(columns, of: detail.side)
    var strip: LightStrip?
    for y in tiles(rows, of: detail.side) {
      let next = light.strip(of: detail.rows(ofTiles: y), after: strip)
      strip = next
      _ = ConcurrentMap.map(across.count, worker: { worker() }) { worker, index in
        renderTile(detail, next, x: across.lowerBound + index, y: y, worker, memory)
      }
    }
  }

  private func renderTile(
    _ detail: DetailStage, _ strip: LightStrip, x: Int, y: Int, _ worker: Worker,
    _ memory: UnsafeMutableRawPointer
  ) {
    guard let tile = worker.detailTile else { return }
    let side = detail.side
    detail.work(tile, strip, x: x * side, y: y * side)
    let wanted = (x * side..<(x + 1) * side).clamped(to: columns)
    for row in (y * side..<(y + 1) * side).clamped(to: rows) {
      detail.copy(
        tile, row: row - y * side,
        columns: wanted.lowerBound - x * side..<wanted.upperBound - x * side, into: worker.planes)
      finish(worker, wanted, row, memory)
    }
  }

  private func worker() -> Worker {
    var length = 0
    if detail == nil, case .stored(let linearization) = source {
      length = linearization.area.width * linearization.components
    }
    return Worker(
      lineLength: length, maskCount: masks.count, isMosaic: demosaicker != nil && detail == nil,
      hasDetail: detail != nil)
  }

  private func renderTile(
    _ demosaicker: Demosaicker, x: Int, y: Int, _ worker: Worker,
    _ memory: UnsafeMutableRawPointer
  ) {
    guard let tile = worker.tile else { return }
    let side = Demosaicker.side
    demosaicker.interpolate(y * demosaicker.columns + x, tile)
    let wanted = (x * side..<(x + 1) * side).clamped(to: columns)
    for row in (y * side..<(y + 1) * side).clamped(to: rows) {
      demosaicker.decode(
        tile, row: row - y * side,
        columns: wanted.lowerBound - x * side..<wanted.upperBound - x * side, into: worker.planes)
      finish(worker, wanted, row, memory)
    }
  }

  private func renderRow(_ row: Int, _ worker: Worker, _ memory: UnsafeMutableRawPointer) {
    if case .stored(let linearization) = source {
      linearization.linearize(row..<row + 1, into: worker.line)
    }
    for first in stride(from: columns.lowerBound, to: columns.upperBound, by: Worker.run) {
      let run = first..<min(first + Worker.run, columns.upperBound)
      let planes = worker.planes
      switch source {
      case .stored(let linearization):
        if linearization.components == 3 {
          var targets: [UnsafeMutablePointer<Float>?] = planes
          raw_split(worker.line, 3, run.lowerBound, run.upperBound, &targets)
        } else {
          for plane in planes { plane.update(from: worker.line + run.lowerBound, count: run.count) }
        }
      case .planes(let light), .mosaic(let light, _):
        for color in 0..<3 {
          planes[color].update(
            from: light[min(color, light.count - 1)] + row * light.width + run.lowerBound,
            count: run.count)
        }
      }
      finish(worker, run, row, memory)
    }
  }

  /// Develops a worker's run and stores it in the image.
  private func finish(
    _ worker: Worker, _ run: Range<Int>, _ row: Int, _ memory: UnsafeMutableRawPointer
  ) {
    let planes = worker.planes
    let x = origin.x + (Double(run.lowerBound) + 0.5) * step.x
    let y = origin.y + (Double(row) + 0.5) * step.y
    localContrast?.apply(planes, count: run.count, x: x, y: y, step: step.x)
    for (index, masks) in masks.enumerated() {
      worker.mask(index).update(repeating: 0, count: run.count)
      for mask in masks {
        mask.raise(
          worker.mask(index), count: run.count, x: Float(x / Double(extent.width)),
          step: Float(step.x / Double(extent.width)), y: Float(y / Double(extent.height)))
      }
    }
    let weights = (0..<masks.count).map { Optional(UnsafePointer(worker.mask($0))) }
    withUnsafePointer(to: plan.kernel) { kernel in
      raw_develop_light(
        kernel, run.count, Float(x), Float(y), Float(step.x), planes[0], planes[1], planes[2])
      if let linearFilter {
        for index in 0..<run.count {
          let color = linearFilter(
            SIMD3(planes[0][index], planes[1][index], planes[2][index]))
          for plane in 0..<3 { planes[plane][index] = color[plane].isNaN ? 0 : color[plane] }
        }
      }
      raw_develop_look(kernel, run.count, weights, planes[0], planes[1], planes[2])
    }
    let raw = UnsafeMutableRawPointer(worker.pixels)
    switch format {
    case .uint8:
      raw_store_bytes(
        planes[0], planes[1], planes[2], run.count, raw.assumingMemoryBound(to: UInt8.self))
    case .uint16:
      raw_store_words(
        planes[0], planes[1], planes[2], run.count, raw.assumingMemoryBound(to: UInt16.self))
    case .half:
      raw_store_halves(
        planes[0], planes[1], planes[2], run.count, raw.assumingMemoryBound(to: UInt16.self))
    case .float: raw_store_floats(planes[0], planes[1], planes[2], run.count, worker.pixels)
    }
    let (start, way) = place(run.lowerBound - columns.lowerBound, row - rows.lowerBound)
    raw_place_run(raw, run.count, 3 * format.byteCount, memory, start, way)
  }

  /// The position of a pixel in the turned image, and the distance to the next one in its row.
  private func place(_ column: Int, _ row: Int) -> (first: Int, step: Int) {
    let (isTransposed, isReversed) = (orientation.isTransposed, orientation.reversesColumns)
    let along = isReversed ? columns.count - 1 - column : column
    let beside = orientation.reversesRows ? rows.count - 1 - row : row
    let step = isTransposed ? width : 1
    return (
      isTransposed ? along * width + beside : beside * width + along, isReversed ? -step : step
    )
  }
}
