import Foundation
import MediaCore
import Synchronization
import Testing

@Suite struct PixelBufferTests {
  static let details = PixelBuffer.Description(format: .p210, width: 64, height: 8)

  private static func isReusable(_ buffer: inout PixelBuffer?) -> Bool {
    guard let memory = MutablePixelBuffer(reusing: &buffer) else { return false }
    _ = consume memory
    return true
  }

  @Test func a_pool_lends_its_buffers_and_takes_them_back() throws {
    let pool = try PixelBufferPool(Self.details, capacity: 3)
    var held = try (0..<3).map { _ in try pool.makeBuffer().finish() }
    #expect(pool.available == 0)
    let error = #expect(throws: MediaCoreError.self) { _ = try pool.makeBuffer() }
    #expect(error?.code == .poolExhausted)
    held.removeLast()
    #expect(pool.available == 1)
    held.append(try pool.makeBuffer().finish())
    held.removeAll()
    #expect(pool.available == 3)
  }

  @Test func a_buffer_outlives_its_pool() throws {
    var pool: PixelBufferPool? = try PixelBufferPool(Self.details, capacity: 2)
    var memory = try #require(pool).makeBuffer()
    weak let gone = pool
    pool = nil
    #expect(gone == nil)
    memory.withUnsafeMutableBytes(ofPlane: 1) {
      _ = $0.initializeMemory(as: UInt8.self, repeating: 7)
    }
    let buffer = memory.finish()
    #expect(buffer.withUnsafeBytes(ofPlane: 1) { $0.allSatisfy { $0 == 7 } })
  }

  @Test func many_threads_share_a_pool_without_sharing_a_buffer() throws {
    let pool = try PixelBufferPool(Self.details, capacity: 4)
    let clashes = Atomic(0)
    let group = DispatchGroup()
    for thread in 0..<4 {
      DispatchQueue.global().async(group: group) {
        for round in 0..<2000 {
          guard var buffer = try? pool.makeBuffer() else { continue }
          let mark = UInt64(thread << 32 | round)
          buffer.withUnsafeMutableBytes(ofPlane: 0) { $0.storeBytes(of: mark, as: UInt64.self) }
          let seen = buffer.finish().withUnsafeBytes(ofPlane: 0) { $0.load(as: UInt64.self) }
          if seen != mark { clashes.add(1, ordering: .relaxed) }
        }
      }
    }
    group.wait()
    #expect(clashes.load(ordering: .relaxed) == 0)
    #expect(pool.available == 4)
  }

  @Test func unfinished_memory_returns_to_its_pool() throws {
    let pool = try PixelBufferPool(Self.details, capacity: 1)
    do { _ = try pool.makeBuffer() }
    #expect(pool.available == 1)
  }

  @Test func finishing_neither_copies_nor_allocates() throws {
    var memory = try MutablePixelBuffer(Self.details)
    let address = memory.withUnsafeMutableBytes(ofPlane: 0) { UInt(bitPattern: $0.baseAddress) }
    let frame = memory.finish()
    #expect(frame.withUnsafeBytes(ofPlane: 0) { UInt(bitPattern: $0.baseAddress) } == address)
  }

  @Test func memory_is_reused_only_if_nobody_else_holds_the_buffer() throws {
    var last: PixelBuffer? = try MutablePixelBuffer(Self.details).finish()
    let address = last?.withUnsafeBytes(ofPlane: 0) { UInt(bitPattern: $0.baseAddress) }
    guard var again = MutablePixelBuffer(reusing: &last) else {
      Issue.record("the only reference was not reused")
      return
    }
    let place = again.withUnsafeMutableBytes(ofPlane: 0) { UInt(bitPattern: $0.baseAddress) }
    #expect(place == address)
    let held = again.finish()
    last = held
    let isTaken = Self.isReusable(&last)
    #expect(!isTaken && last == nil)
    #expect(held.planeCount == 2)
  }

  @Test func external_memory_is_never_reused() throws {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 64)
    defer { memory.deallocate() }
    var buffer: PixelBuffer? = try PixelBuffer(
      .init(format: .uyvy, width: 16, height: 4),
      planes: [.init(baseAddress: memory, bytesPerRow: 32, rows: 4)], release: nil)
    let isTaken = Self.isReusable(&buffer)
    #expect(!isTaken)
  }

  @Test func external_memory_is_released_only_with_the_last_reference() throws {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 64)
    defer { memory.deallocate() }
    let releases = Atomic(0)
    let details = PixelBuffer.Description(format: .uyvy, width: 16, height: 4)
    var buffer: PixelBuffer? = try PixelBuffer(
      details, planes: [.init(baseAddress: memory, bytesPerRow: 32, rows: 4)]
    ) { releases.add(1, ordering: .relaxed) }
    let second = buffer
    buffer = nil
    #expect(releases.load(ordering: .relaxed) == 0)
    #expect(second?.bytesPerRow(plane: 0) == 32)
    withExtendedLifetime(second) {}
  }

  @Test func layouts_that_do_not_fit_the_description_are_refused() throws {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 65536, alignment: 64)
    defer { memory.deallocate() }
    func code(_ details: PixelBuffer.Description, _ planes: [(Int, Int)]) -> MediaCoreError.Code? {
      let planes = planes.map {
        PixelBuffer.Plane(baseAddress: memory, bytesPerRow: $0.0, rows: $0.1)
      }
      do { _ = try PixelBuffer(details, planes: planes, release: nil) } catch { return error.code }
      return nil
    }
    let nv12 = PixelBuffer.Description(format: .nv12, width: 15, height: 5)
    #expect(code(nv12, [(16, 5), (16, 3)]) == nil)
    #expect(code(nv12, [(16, 5)]) == .invalidLayout)
    #expect(code(nv12, [(14, 5), (16, 3)]) == .invalidLayout)
    #expect(code(nv12, [(16, 5), (15, 3)]) == .invalidLayout)
    #expect(code(nv12, [(16, 5), (16, 2)]) == .invalidLayout)
    #expect(code(nv12, [(16, 4), (16, 3)]) == .invalidLayout)
    #expect(
      code(.init(format: .v210, width: 7, height: 1), [(32, 1)]) == nil,
      "v210 rows may lack the padding that writers add")
    for (width, height) in [(0, 1), (1, 0), (-1, 1), (16_385, 1), (.max, .max)] {
      let details = PixelBuffer.Description(format: .uyvy, width: width, height: height)
      #expect(code(details, [(32, 1)]) == .invalidDimensions)
      #expect(throws: MediaCoreError.self) { _ = try MutablePixelBuffer(details) }
      #expect(throws: MediaCoreError.self) { try PixelBufferPool(details, capacity: 1) }
    }
  }

  @Test func audio_is_a_whole_number_of_frames() throws {
    let format = AudioFormat(sampleRate: 48000, channelCount: 3, sampleFormat: .int24)
    #expect(format.bytesPerFrame == 9)
    let buffer = try AudioBuffer(format: format, bytes: [UInt8](repeating: 0, count: 9 * 480))
    #expect(buffer.frameCount == 480)
    #expect(buffer.duration == MediaTime(value: 1, timescale: 100))
    #expect(throws: MediaCoreError.self) {
      try AudioBuffer(format: format, bytes: [UInt8](repeating: 0, count: 10))
    }
    let none = AudioFormat(sampleRate: 48000, channelCount: 0, sampleFormat: .int16)
    #expect(throws: MediaCoreError.self) { try AudioBuffer(format: none, bytes: []) }
  }

  @Test func sizes_are_read_strictly() {
    #expect(VideoDimensions("1920x1080") == VideoDimensions(width: 1920, height: 1080))
    #expect(VideoDimensions("720X576")?.height == 576)
    for text in ["", "1920", "0x1", "1x0", "-1x5", "+5x5", "16385x1", "1x1x1", "ax1", "1920x"] {
      #expect(VideoDimensions(text) == nil)
    }
    #expect(PixelAspectRatio(128, 117).horizontal == 128)
    #expect(PixelAspectRatio(24, 22) == PixelAspectRatio(12, 11))
    #expect(PixelAspectRatio(0, 5) == .square)
  }
}
