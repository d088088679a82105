import CVideo4Linux
import Foundation
import MediaCore
import Synchronization
import SystemPackage

/// The buffers that a device fills: mapped, queued, dequeued, and queued again when the last user
/// of a frame lets it go.
///
/// A frame outlives the stream: its memory stays mapped, and the device open, until it is released.
final class V4L2BufferQueue: Sendable {
  struct Filled: Sendable {
    var index: Int
    var sequence: UInt32
    var nanoseconds: Int64
    var flags: UInt32
    /// Which field the device says that it is.
    var field: UInt32
    /// Bytes that the device wrote, a number for each block.
    var bytesUsed: InlineArray<4, Int>
    /// Where in each block they begin.
    var dataOffset: InlineArray<4, Int>
    /// True where every buffer was in use for some time before this one was filled.
    var followsStarvation: Bool
    /// Buffers that the device had, this one included, when this one was taken.
    var queuedBefore: Int
  }

  /// A mapped block of memory.
  private struct Mapping: Sendable {
    let address: UInt
    let length: Int
  }

  private struct State {
    var isStreaming = false
    var hasStopped = false
    /// A bit for each buffer that the device has.
    var queued: UInt64 = 0
    /// A bit for each buffer that is still mapped.
    var mapped: UInt64 = 0
    var hasRunDry = false
  }

  private let handle: V4L2Handle
  private let type: v4l2_buf_type
  private let blocks: Int
  private let mappings: [[Mapping]]
  private let state: Mutex<State>

  /// Buffers that the device granted.
  var count: Int { mappings.count }
  /// True where the device has a buffer to fill.
  var hasBuffers: Bool { state.withLock { $0.queued != 0 } }
  private var isMultiPlanar: Bool { type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE }

  /// Asks for buffers and maps them.
  ///
  /// - Parameters:
  ///   - count: 2 to 32; the device may grant more or fewer.
  ///   - blocks: Blocks of memory of a frame, each of at least as many bytes as `sizes` says.
  init(
    _ handle: V4L2Handle, type: v4l2_buf_type, count: Int, sizes: [Int]
  ) throws(CaptureError) {
    self.handle = handle
    self.type = type
    self.blocks = sizes.count
    var request = v4l2_requestbuffers()
    request.type = type.rawValue
    request.memory = V4L2_MEMORY_MMAP.rawValue
    request.count = UInt32(min(max(count, 2), 32))
    try handle.require(.requestBuffers, &request)
    let granted = Int(min(request.count, 32))
    var mapped: [[Mapping]] = []
    do throws(CaptureError) {
      guard granted >= 2 else {
        throw CaptureError(
          .deviceFailed,
          "\(handle.node) grants \(granted) of \(count) buffers; choose a smaller size")
      }
      for index in 0..<granted {
        mapped.append(
          try Self.map(handle, type: type, index: index, sizes: sizes, into: mapped))
      }
    } catch {
      for mapping in mapped.joined() { Self.unmap(mapping, handle) }
      Self.releaseBuffers(handle, type)
      throw error
    }
    self.mappings = mapped
    self.state = Mutex(State(mapped: granted == 64 ? .max : (1 << UInt64(granted)) - 1))
  }

  deinit {
    let left = state.withLock { $0.mapped }
    for index in mappings.indices where left & 1 << UInt64(index) != 0 { unmap(index) }
  }

  // MARK: Streaming

  /// Gives the device all buffers and starts it.
  func start() throws(CaptureError) {
    do {
      try state.withLock { state throws(Errno) in
        for index in mappings.indices { try enqueue(index, &state) }
      }
    } catch {
      throw CaptureError.calling(.queueBuffer, on: handle.node, error)
    }
    var type = Int32(bitPattern: self.type.rawValue)
    try handle.require(.streamOn, &type)
    state.withLock { $0.isStreaming = true }
  }

  /// Stops the device, and releases every buffer that is not in use.
  func stop() {
    let unused = state.withLock { state -> UInt64 in
      guard !state.hasStopped else { return 0 }
      state.hasStopped = true
      if state.isStreaming {
        state.isStreaming = false
        var type = Int32(bitPattern: self.type.rawValue)
        // A device that is gone has stopped.
        try? handle.call(.streamOff, &type)
      }
      let unused = state.queued & state.mapped
      state.queued = 0
      state.mapped &= ~unused
      return unused
    }
    for index in mappings.indices where unused & 1 << UInt64(index) != 0 { unmap(index) }
    // Kernels that support orphaned buffers free the device immediately; with others it stays taken
    // until the last frame is released.
    Self.releaseBuffers(handle, type)
  }

  /// A filled buffer, or nil where there is none yet.
  ///
  /// - Throws: what the kernel says; the buffer of a failed dequeue stays with it.
  func dequeue() throws(Errno) -> Filled? {
    let result = withPlanes { planes -> Result<Filled?, Errno> in
      var raw = buffer(index: 0, planes: planes)
      return state.withLock { state in
        do throws(Errno) {
          try handle.call(.dequeueBuffer, &raw)
        } catch .resourceTemporarilyUnavailable {
          return .success(nil)
        } catch {
          return .failure(error)
        }
        return .success(note(raw, planes, &state))
      }
    }
    return try result.get()
  }

  /// Books a dequeued buffer; nil for one that we did not give to the device, which some drivers
  /// hand out all the same while a consumer still reads it.
  private func note(
    _ raw: v4l2_buffer, _ planes: UnsafeMutableBufferPointer<v4l2_plane>, _ state: inout State
  ) -> Filled? {
    let index = Int(raw.index)
    guard index < mappings.count, state.queued & 1 << UInt64(index) != 0 else {
      state.hasRunDry = true
      return nil
    }
    let before = state.queued.nonzeroBitCount
    let wasDry = state.hasRunDry
    state.queued &= ~(1 << UInt64(index))
    state.hasRunDry = state.queued == 0
    var used = InlineArray<4, Int>(repeating: 0)
    var offsets = InlineArray<4, Int>(repeating: 0)
    if isMultiPlanar {
      for block in 0..<min(blocks, 4) {
        used[block] = Int(planes[block].bytesused)
        offsets[block] = Int(planes[block].data_offset)
      }
    } else {
      used[0] = Int(raw.bytesused)
    }
    return Filled(
      index: index, sequence: raw.sequence,
      nanoseconds: Int64(raw.timestamp.tv_sec) &* 1_000_000_000
        &+ Int64(raw.timestamp.tv_usec) &* 1000,
      flags: raw.flags, field: raw.field, bytesUsed: used, dataOffset: offsets,
      followsStarvation: wasDry,
      queuedBefore: before)
  }

  /// Gives a buffer back to the device, or its memory back to the system once the device stopped.
  func giveBack(_ index: Int) {
    let isLeft = state.withLock { state -> Bool in
      guard !state.hasStopped else {
        let isMapped = state.mapped & 1 << UInt64(index) != 0
        state.mapped &= ~(1 << UInt64(index))
        return isMapped
      }
      // Refused by a device that is gone or in error: the next dequeue says so.
      try? enqueue(index, &state)
      return false
    }
    if isLeft { unmap(index) }
  }

  private func enqueue(_ index: Int, _ state: inout State) throws(Errno) {
    let result = withPlanes { planes -> Result<Void, Errno> in
      for block in 0..<blocks { planes[block].length = UInt32(mappings[index][block].length) }
      var raw = buffer(index: index, planes: planes)
      do throws(Errno) {
        return .success(try handle.call(.queueBuffer, &raw))
      } catch {
        return .failure(error)
      }
    }
    try result.get()
    state.queued |= 1 << UInt64(index)
  }

  /// Room for the planes of a buffer, on the stack.
  private func withPlanes<Result>(
    _ body: (UnsafeMutableBufferPointer<v4l2_plane>) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(of: v4l2_plane.self, capacity: Int(VIDEO_MAX_PLANES)) {
      $0.initialize(repeating: v4l2_plane())
      return body($0)
    }
  }

  private func buffer(
    index: Int, planes: UnsafeMutableBufferPointer<v4l2_plane>
  ) -> v4l2_buffer {
    var raw = v4l2_buffer()
    raw.index = UInt32(index)
    raw.type = type.rawValue
    raw.memory = V4L2_MEMORY_MMAP.rawValue
    if isMultiPlanar {
      raw.m.planes = planes.baseAddress
      raw.length = UInt32(blocks)
    }
    return raw
  }

  // MARK: Frames

  /// A frame over a buffer's memory, which goes back to the device when the frame is released.
  ///
  /// The frame owns the buffer from here on, also if this throws.
  func frame(
    _ filled: Filled, layout: V4L2Layout, details: PixelBuffer.Description
  ) throws(MediaCoreError) -> PixelBuffer {
    let index = filled.index
    var planes: [PixelBuffer.Plane] = []
    planes.reserveCapacity(layout.planes.count)
    for plane in layout.planes {
      let mapping = mappings[index][plane.block]
      let begin = plane.offset + offset(filled, block: plane.block, of: layout)
      guard let memory = UnsafeMutableRawPointer(bitPattern: mapping.address) else { continue }
      planes.append(
        .init(
          baseAddress: memory + begin, bytesPerRow: plane.bytesPerRow, rows: plane.rows))
    }
    do {
      return try PixelBuffer(details, planes: planes) { [self] in giveBack(index) }
    } catch {
      giveBack(index)
      throw error
    }
  }

  /// The start of the data in a block; 0 where the device's number would lead out of the block.
  private func offset(_ filled: Filled, block: Int, of layout: V4L2Layout) -> Int {
    let offset = filled.dataOffset[block]
    let length = mappings[filled.index][block].length
    return offset > 0 && offset <= length - layout.leastBytes(ofBlock: block) ? offset : 0
  }

  /// True if the device wrote less than a whole frame.
  func isShort(_ filled: Filled, layout: V4L2Layout) -> Bool {
    (0..<blocks).contains { block in
      // The count of bytes includes those before the data.
      filled.bytesUsed[block] < layout.leastBytes(ofBlock: block) + filled.dataOffset[block]
    }
  }

  /// Calls `body` with what the device wrote into the first plane. The caller keeps the
  /// buffer, and must return it.
  func withBytes<Result>(
    _ filled: Filled, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    let mapping = mappings[filled.index][0]
    let begin = min(filled.dataOffset[0], mapping.length)
    let end = max(begin, min(filled.bytesUsed[0], mapping.length))
    let memory = UnsafeRawPointer(bitPattern: mapping.address)
    return body(UnsafeRawBufferPointer(start: memory.map { $0 + begin }, count: end - begin))
  }

  // MARK: Memory

  private static func map(
    _ handle: V4L2Handle, type: v4l2_buf_type, index: Int, sizes: [Int], into done: [[Mapping]]
  ) throws(CaptureError) -> [Mapping] {
    let planes = UnsafeMutableBufferPointer<v4l2_plane>.allocate(capacity: Int(VIDEO_MAX_PLANES))
    defer { planes.deallocate() }
    planes.initialize(repeating: v4l2_plane())
    var raw = v4l2_buffer()
    raw.index = UInt32(index)
    raw.type = type.rawValue
    raw.memory = V4L2_MEMORY_MMAP.rawValue
    let isMultiPlanar = type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE
    if isMultiPlanar {
      raw.m.planes = planes.baseAddress
      raw.length = UInt32(sizes.count)
    }
    try handle.require(.queryBuffer, &raw)
    var mapped: [Mapping] = []
    for (block, size) in sizes.enumerated() {
      let length = Int(isMultiPlanar ? planes[block].length : raw.length)
      let offset = Int(isMultiPlanar ? planes[block].m.mem_offset : raw.m.offset)
      do throws(Errno) {
        guard length >= size else { throw .invalidArgument }
        let address = try handle.calls.map(handle.descriptor, length: length, offset: offset)
        mapped.append(Mapping(address: UInt(bitPattern: address), length: length))
      } catch {
        for mapping in mapped { unmap(mapping, handle) }
        throw CaptureError(
          .deviceFailed,
          "\(handle.node): buffer \(index) of \(length) bytes cannot be mapped for a frame of "
            + "\(size) bytes: choose another format", errno: error)
      }
    }
    return mapped
  }

  private func unmap(_ index: Int) {
    for mapping in mappings[index] { Self.unmap(mapping, handle) }
  }

  private static func unmap(_ mapping: Mapping, _ handle: V4L2Handle) {
    guard let address = UnsafeMutableRawPointer(bitPattern: mapping.address) else { return }
    handle.calls.unmap(address, length: mapping.length)
  }

  private static func releaseBuffers(_ handle: V4L2Handle, _ type: v4l2_buf_type) {
    var request = v4l2_requestbuffers()
    request.type = type.rawValue
    request.memory = V4L2_MEMORY_MMAP.rawValue
    // The kernel frees them at the latest when the device is closed.
    try? handle.call(.requestBuffers, &request)
  }
}
