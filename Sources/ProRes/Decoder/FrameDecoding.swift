import CProResKernels
import MediaCore
import Synchronization

/// The decoding of one frame after another: a row of slices is a worker's item.
///
/// The thread that calls ``decode(_:_:into:pool:)`` alone changes what the frame is, and only while
/// no worker is at work; workers read it, and write samples that are their rows' alone.
final class FrameDecoding: @unchecked Sendable {
  // Sendable: see above. `WorkerPool.run` orders the memory between the phases.

  private struct Item {
    let picture: Int
    let row: Int
  }

  /// A thread's state.
  private final class Worker {
    var slices: SliceDecoder
    init(_ slices: consuming SliceDecoder) { self.slices = slices }
  }

  private let scale: ProResDecoder.Scale
  private let workers: [Worker]
  private var map: FrameMap?
  private var planes = DecodedPlanes(planes: [], depth: 10)
  private var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  private var items: [Item] = []
  /// The first item that failed, and why.
  private let failure = Mutex<(item: Int, error: ProResError)?>(nil)

  init(
    kernels: prores_decoder_kernels, scale: ProResDecoder.Scale, workers count: Int
  ) throws(ProResError) {
    self.scale = scale
    var workers: [Worker] = []
    for _ in 0..<count { workers.append(Worker(try SliceDecoder(kernels: kernels))) }
    self.workers = workers
  }

  /// Decodes a frame.
  ///
  /// - Throws: The error of the frame's first bad row of slices, whichever thread met it.
  func decode(
    _ map: FrameMap, _ bytes: UnsafeRawBufferPointer, into planes: DecodedPlanes, pool: WorkerPool
  ) throws(ProResError) {
    self.map = map
    self.planes = planes
    self.bytes = bytes
    items = map.pictures.indices.flatMap { picture in
      (0..<map.pictures[picture].layout.rows).map { Item(picture: picture, row: $0) }
    }
    failure.withLock { $0 = nil }
    for worker in workers { worker.slices.begin(map) }
    pool.run(items.count)
    self.bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    if let failure = failure.withLock({ $0 }) { throw failure.error }
  }

  /// A worker's part: a row of slices.
  func work(worker: Int, item number: Int) {
    guard let map, failure.withLock({ $0.map { $0.item > number } ?? true }) else { return }
    let item = items[number]
    let picture = map.pictures[item.picture]
    let places = picture.layout.rowSlices
    let slices = places.indices.map { index in
      let number = item.row * places.count + index
      return SliceDecoder.Slice(
        number: number, range: picture.offsets[number]..<picture.offsets[number + 1],
        column: places[index].start, row: item.row, macroblocks: places[index].width)
    }
    do throws(ProResError) {
      switch scale {
      case .full: try decode(slices, picture, workers[worker])
      case .eighth:
        for slice in slices {
          try SliceMeans(map, bytes).decode(slice, of: picture, into: planes)
        }
      }
    } catch {
      let place = map.pictures.count > 1 ? "picture \(item.picture), " : ""
      let named = ProResError(error.code, place + error.message)
      failure.withLock { if $0.map({ $0.item > number }) ?? true { $0 = (number, named) } }
    }
  }

  private func decode(
    _ slices: [SliceDecoder.Slice], _ picture: FrameMap.Picture, _ worker: Worker
  ) throws(ProResError) {
    var index = 0
    while index < slices.count {
      let end = min(index + 2, slices.count)
      try worker.slices.decode(Array(slices[index..<end]), of: picture, bytes, into: planes)
      index = end
    }
  }
}
