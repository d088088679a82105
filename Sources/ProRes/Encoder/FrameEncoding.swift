import CProResKernels
import MediaCore

/// The encoding of one frame after another: waves of slices, then assembly.
///
/// The thread that calls ``encode(_:header:pool:into:)`` alone changes the plan of a frame and the
/// controller, and only while no worker is at work; workers read them, and write the records of
/// their own slices.
final class FrameEncoding: @unchecked Sendable {
  // Sendable: see above. `WorkerPool.run` orders the memory between the phases.

  /// Where a coded slice waits.
  private struct Record {
    var worker: Int32 = 0
    var byteCount: Int32 = 0
    var alphaBytes: Int32 = 0
    var neededBytes: Int32 = 0
    var neededLuma: Int32 = 0
    var quantizationIndex: Int32 = 0
    var isNoise = false
    var source = 0
    var destination = 0
  }

  private enum Phase {
    case measure
    case encode
    case assemble
  }

  /// A thread's state: its slice encoder and where it puts what it has coded.
  private final class Worker {
    let slices: SliceEncoder
    let arena: AlignedMemory
    var used = 0

    init(_ slices: consuming SliceEncoder, arenaSize: Int) throws(ProResError) {
      self.slices = slices
      arena = try AlignedMemory(byteCount: arenaSize)
    }
  }

  private let plan: FramePlan
  private let sizes: FrameSizes
  private let configuration: ProResEncoder.Configuration
  private var controller: RateController
  private let workers: [Worker]
  private let records: UnsafeMutablePointer<Record>
  /// One, or the two fields.
  private let pictures: UnsafeMutableBufferPointer<prores_picture>
  private var phase = Phase.assemble
  private var target = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  init(
    configuration: ProResEncoder.Configuration, sizes: FrameSizes, kernels: prores_kernels,
    workers count: Int
  ) throws(ProResError) {
    let profile = configuration.profile
    let tables = QuantizerTables(
      luma: profile.lumaMatrix, chroma: profile.chromaMatrix,
      interlaced: configuration.fieldOrder.isInterlaced, rounding: profile.rounding,
      faint: profile.faintRounding)
    let alphaBits = [0, 8, 16][Int(configuration.alpha.rawValue)]
    var workers: [Worker] = []
    for _ in 0..<count {
      let slices = try SliceEncoder(
        kernels: kernels, tables: tables, fullChroma: profile.is4444, alphaBits: alphaBits)
      // Once for the frame, once for what is encoded again.
      let arenaSize = 2 * sizes.maximum + SliceEncoder.largestSlice + PRORES_CODE_MARGIN
      workers.append(try Worker(slices, arenaSize: arenaSize))
    }
    self.workers = workers
    self.sizes = sizes
    self.configuration = configuration
    plan = FramePlan(layouts: configuration.layouts)
    controller = Self.controller(configuration, plan, sizes)
    records = .allocate(capacity: plan.slices.count)
    records.initialize(repeating: Record(), count: plan.slices.count)
    pictures = .allocate(capacity: plan.layouts.count)
    pictures.initialize(repeating: prores_picture())
  }

  private static func controller(
    _ configuration: ProResEncoder.Configuration, _ plan: FramePlan, _ sizes: FrameSizes
  ) -> RateController {
    RateController(
      plan: plan, sizes: sizes, profile: configuration.profile, mode: configuration.rateMode,
      perceptualStrength: configuration.isPerceptual ? 0.1 : 0)
  }

  /// Forgets all frames so far: the next one is encoded as the first one is.
  func restart() { controller = Self.controller(configuration, plan, sizes) }

  deinit {
    records.deallocate()
    pictures.deallocate()
  }

  /// Encodes a frame into `target` and returns its bytes.
  func encode(
    _ picture: prores_picture, header: FrameHeader, pool: WorkerPool,
    into target: UnsafeMutableRawBufferPointer
  ) -> Int {
    self.target = target
    split(picture)
    for worker in workers { worker.used = 0 }
    controller.begin()
    phase = .encode
    var wave = 0
    while controller.prepare(wave: wave) {
      pool.run(controller.groups.count)
      controller.finish(wave: wave, size: size)
      wave = measureIfDue(pool) ? 0 : wave + 1
    }
    let size = layOut(header)
    phase = .assemble
    pool.run((plan.groups.count + Self.groupsAtOnce - 1) / Self.groupsAtOnce)
    return size
  }

  /// Measures all slices of a picture that is not like the one before; true where the frame begins
  /// anew.
  private func measureIfDue(_ pool: WorkerPool) -> Bool {
    guard controller.prepareSurvey() else { return false }
    phase = .measure
    repeat {
      pool.run(controller.groups.count)
      controller.finishSurvey(size: size)
    } while controller.prepareSurvey()
    phase = .encode
    for worker in workers { worker.used = 0 }
    return true
  }

  /// The size of an encoded slice.
  private func size(_ slice: Int) -> RateController.SliceSize {
    let record = records[slice]
    return RateController.SliceSize(
      bytes: Int(record.byteCount - record.alphaBytes), needed: Int(record.neededBytes),
      neededLuma: Int(record.neededLuma), index: Int(record.quantizationIndex),
      isNoise: record.isNoise)
  }

  /// A worker's part: one group of slices to encode, or some groups to copy into the frame.
  func work(worker: Int, item: Int) {
    switch phase {
    case .measure: measure(group: controller.groups[item], worker: worker)
    case .encode: encode(group: controller.groups[item], worker: worker)
    case .assemble:
      let first = item * Self.groupsAtOnce
      for group in first..<min(first + Self.groupsAtOnce, plan.groups.count) { copy(group: group) }
    }
  }

  private static let groupsAtOnce = 32

  private func split(_ picture: prores_picture) {
    guard pictures.count == 2 else {
      pictures[0] = picture
      return
    }
    let heights = PictureLayout.pictureHeights(
      frameHeight: configuration.height, mode: configuration.interlaceMode)
    let first = configuration.fieldOrder == .topFieldFirst ? 0 : 1
    pictures[0] = picture.field(firstRow: first, height: heights[0])
    pictures[1] = picture.field(firstRow: 1 - first, height: heights[1])
  }

  private func measure(group number: Int, worker workerIndex: Int) {
    let worker = workers[workerIndex]
    guard let arena = worker.arena.bytes.baseAddress, let pictures = pictures.baseAddress else {
      return
    }
    for slice in plan.groups[number].slices {
      let place = plan.slices[slice]
      let measured = worker.slices.measure(
        pictures + place.picture, place.area, quantizationIndex: controller.index(of: slice),
        using: arena.assumingMemoryBound(to: UInt8.self))
      records[slice].neededBytes = Int32(measured.bytes)
      records[slice].neededLuma = Int32(measured.luma)
      records[slice].isNoise = measured.isNoise
    }
  }

  private func encode(group number: Int, worker workerIndex: Int) {
    let worker = workers[workerIndex]
    guard let arena = worker.arena.bytes.baseAddress, let pictures = pictures.baseAddress else {
      return
    }
    var budget = controller.budget(of: number)
    var used = worker.used
    for slice in plan.groups[number].slices {
      let place = plan.slices[slice]
      let (index, limit) = budget.next()
      let output = worker.slices.encode(
        pictures + place.picture, place.area, quantizationIndex: index, limit: limit,
        into: (arena + used).assumingMemoryBound(to: UInt8.self))
      budget.spend(output.byteCount - output.alphaBytes)
      records[slice] = Record(
        worker: Int32(workerIndex), byteCount: Int32(output.byteCount),
        alphaBytes: Int32(output.alphaBytes), neededBytes: Int32(output.neededBytes),
        neededLuma: Int32(output.neededLuma),
        quantizationIndex: Int32(output.quantizationIndex), isNoise: output.isNoise, source: used)
      used += output.byteCount
    }
    worker.used = used
  }

  /// Copies a group, whose slices follow one another in the arena as in the frame.
  private func copy(group number: Int) {
    let slices = plan.groups[number].slices
    let first = records[slices.lowerBound]
    let last = records[slices.upperBound - 1]
    let end = last.source + Int(last.byteCount)
    let arena = workers[Int(first.worker)].arena.bytes
    UnsafeMutableRawBufferPointer(rebasing: target[first.destination...]).copyMemory(
      from: UnsafeRawBufferPointer(rebasing: arena[first.source..<end]))
  }

  /// Writes headers and slice tables, decides where slices go, and returns the frame's size.
  private func layOut(_ header: FrameHeader) -> Int {
    var writer = ByteWriter(target, at: header.encodedSize)
    var slice = 0
    for layout in plan.layouts {
      let start = writer.offset
      let first = slice
      var end = start + 8 + layout.slices * 2
      writer.offset = start + 8
      for _ in 0..<layout.slices {
        records[slice].destination = end
        end += Int(records[slice].byteCount)
        writer.append(UInt16(records[slice].byteCount))
        slice += 1
      }
      writer.offset = start
      writer.append(UInt8(8 << 3))
      writer.append(UInt32(end - start))
      writer.append(UInt16(truncatingIfNeeded: slice - first))
      writer.append(UInt8(3 << 4))
      writer.offset = end
    }
    let size =
      (writer.offset + FrameSizes.alignment - 1) / FrameSizes.alignment
      * FrameSizes.alignment
    while writer.offset < size { writer.append(UInt8(0)) }
    var header = header
    header.frameSize = UInt32(size)
    header.write(into: target)
    return size
  }
}
