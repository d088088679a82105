import AVFoundationCompat
import Testing

/// Who owns a block buffer's memory, and who frees it.
@Suite(.timeLimit(.minutes(10))) struct BlockBufferTests {
  /// Memory for a block buffer, and a source that counts what is freed.
  private final class Source {
    private(set) var given = 0
    private(set) var freed: [UnsafeMutableRawPointer] = []
    private(set) var sizes: [Int] = []
    var block = CMBlockBufferCustomBlockSource()

    init() {
      block.version = kCMBlockBufferCustomBlockSourceVersion
      block.refCon = Unmanaged.passUnretained(self).toOpaque()
      block.AllocateBlock = { context, size in
        Source.at(context)?.given += 1
        return malloc(size)
      }
      block.FreeBlock = { context, memory, size in
        Source.at(context)?.freed.append(memory)
        Source.at(context)?.sizes.append(size)
        free(memory)
      }
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> Source? {
      context.map { Unmanaged<Source>.fromOpaque($0).takeUnretainedValue() }
    }
  }

  private func memory(_ bytes: [UInt8]) -> UnsafeMutableRawBufferPointer {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
    memory.copyBytes(from: bytes)
    return memory
  }

  private func block(_ bytes: [UInt8]) throws -> CMBlockBuffer {
    try CMBlockBuffer(buffer: memory(bytes))
  }

  /// A block buffer of two pieces.
  private func joined() throws -> CMBlockBuffer {
    let joined = try CMBlockBuffer(capacity: 2)
    try joined.append(bufferReference: block([1, 2, 3]))
    try joined.append(buffer: memory([4, 5]))
    return joined
  }

  @Test func a_block_references_memory_and_its_source_frees_it_once() throws {
    let source = Source()
    let memory = memory([0, 1, 2, 3, 4, 5])
    var made: CMBlockBuffer?
    let status = CMBlockBufferCreateWithMemoryBlock(
      allocator: kCFAllocatorDefault, memoryBlock: memory.baseAddress, blockLength: 6,
      blockAllocator: kCFAllocatorNull, customBlockSource: &source.block, offsetToData: 2,
      dataLength: 3, flags: 0, blockBufferOut: &made)
    #expect(status == kCMBlockBufferNoErr && source.given == 0)
    #expect(try made?.dataBytes() == Data([2, 3, 4]))
    memory[2] = 20
    #expect(try made?.dataBytes() == Data([20, 3, 4]), "the block holds a copy")
    if let made {
      CMBlockBufferFillDataBytes(
        with: 9, blockBuffer: made, offsetIntoDestination: 2, dataLength: 1)
    }
    #expect(memory[4] == 9)
    // Other block buffers that refer to the memory keep it alive.
    var part: CMBlockBuffer?
    var whole: CMBlockBuffer? = try CMBlockBuffer(capacity: 0)
    if let made {
      #expect(
        CMBlockBufferCreateWithBufferReference(
          allocator: nil, referenceBuffer: made, offsetToData: 1, dataLength: 0,
          flags: kCMBlockBufferDontOptimizeDepthFlag, blockBufferOut: &part) == noErr)
      try whole?.append(bufferReference: made, flags: .dontOptimizeDepth)
    }
    made = nil
    part = nil
    #expect(source.freed.isEmpty)
    #expect(try whole?.dataBytes() == Data([20, 3, 9]))
    whole = nil
    #expect(source.freed == [memory.baseAddress] && source.sizes == [6])
  }

  @Test func a_custom_source_allocates_the_memory_of_a_block() throws {
    let source = Source()
    var made: CMBlockBuffer?
    func make(_ length: Int) -> OSStatus {
      CMBlockBufferCreateWithMemoryBlock(
        allocator: nil, memoryBlock: nil, blockLength: length, blockAllocator: nil,
        customBlockSource: &source.block, offsetToData: 0, dataLength: length,
        flags: kCMBlockBufferAssureMemoryNowFlag, blockBufferOut: &made)
    }
    #expect(make(16) == noErr && source.given == 1)
    #expect(made.map(CMBlockBufferAssureBlockMemory) == noErr && source.given == 1)
    made = nil
    #expect(source.sizes == [16])
    #expect(make(0) == kCMBlockBufferBadLengthParameterErr && made == nil && source.given == 1)
    source.block.AllocateBlock = { _, _ in nil }
    #expect(make(16) == kCMBlockBufferBlockAllocationFailedErr && made == nil)
    source.block.AllocateBlock = nil
    #expect(make(16) == kCMBlockBufferBadCustomBlockSourceErr)
    source.block.version = 7
    #expect(make(16) == kCMBlockBufferBadCustomBlockSourceErr && source.sizes == [16])
  }

  @Test func the_null_allocator_leaves_memory_to_the_program() throws {
    let memory = memory([1, 2, 3])
    defer { memory.deallocate() }
    var block: CMBlockBuffer? = try CMBlockBuffer(buffer: memory, allocator: kCFAllocatorNull)
    var address: UnsafeMutablePointer<CChar>?
    if let block {
      CMBlockBufferGetDataPointer(
        block, atOffset: 1, lengthAtOffsetOut: nil, totalLengthOut: nil, dataPointerOut: &address)
    }
    #expect(address.map(UnsafeMutableRawPointer.init) == memory.baseAddress.map { $0 + 1 })
    block = nil
    #expect(Array(memory) == [1, 2, 3])
    #expect(throws: AVError.self) {
      try CMBlockBuffer(length: 3, allocator: kCFAllocatorNull)
    }
    #expect(CFAllocatorAllocate(kCFAllocatorNull, 8, 0) == nil)
  }

  @Test(arguments: [kCFAllocatorDefault, kCFAllocatorSystemDefault, kCFAllocatorMalloc])
  func a_block_frees_memory_through_its_allocator(allocator: CFAllocator?) throws {
    let memory = try #require(CFAllocatorAllocate(allocator, 64, 0))
    let block = try CMBlockBuffer(
      buffer: UnsafeMutableRawBufferPointer(start: memory, count: 64), allocator: allocator)
    #expect(try block.dataBytes() == Data(count: 64))
    CFAllocatorDeallocate(allocator, CFAllocatorAllocate(allocator, 1, 0))
    #expect(CFAllocatorAllocate(allocator, 0, 0) == nil)
  }

  @Test func a_failed_block_creation_leaves_memory_to_the_program() throws {
    let source = Source()
    let memory = memory([1, 2, 3])
    defer { memory.deallocate() }
    var made: CMBlockBuffer?
    for (offset, length) in [(0, 4), (3, 1), (-1, 2), (1, -1), (.max, 1)] {
      let status = CMBlockBufferCreateWithMemoryBlock(
        allocator: nil, memoryBlock: memory.baseAddress, blockLength: 3, blockAllocator: nil,
        customBlockSource: &source.block, offsetToData: offset, dataLength: length, flags: 0,
        blockBufferOut: &made)
      #expect(status == kCMBlockBufferBadLengthParameterErr && made == nil)
    }
    let none = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    #expect(throws: AVError.self) { try CMBlockBuffer(buffer: none) { _, _ in } }
    #expect(source.freed.isEmpty && Array(memory) == [1, 2, 3])
  }

  @Test func bytes_are_read_and_written_across_pieces() throws {
    let block = try joined()
    #expect(try block.dataBytes() == Data([1, 2, 3, 4, 5]) && !block.isContiguous)
    #expect(CMBlockBufferIsRangeContiguous(block, atOffset: 0, length: 3))
    #expect(CMBlockBufferIsRangeContiguous(block, atOffset: 3, length: 0))
    #expect(!CMBlockBufferIsRangeContiguous(block, atOffset: 2, length: 2))
    #expect(!CMBlockBufferIsRangeContiguous(block, atOffset: 5, length: 1))
    var (rest, total) = (0, 0)
    var address: UnsafeMutablePointer<CChar>?
    CMBlockBufferGetDataPointer(
      block, atOffset: 1, lengthAtOffsetOut: &rest, totalLengthOut: &total,
      dataPointerOut: &address)
    #expect(rest == 2 && total == 5 && address?.pointee == 2)

    var room = [UInt8](repeating: 0, count: 3)
    let access = { (offset: Int, room: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? in
      CMBlockBufferAccessDataBytes(
        block, atOffset: offset, length: 3, temporaryBlock: room, returnedPointerOut: &address)
      return address.map(UnsafeMutableRawPointer.init)
    }
    room.withUnsafeMutableBytes { room in
      guard let base = room.baseAddress else { return }
      #expect(access(1, base) == base && Array(room) == [2, 3, 4])
      #expect(access(0, base) != base && access(3, base) == nil)
    }

    CMBlockBufferReplaceDataBytes(
      with: [30, 40] as [UInt8], blockBuffer: block, offsetIntoDestination: 2, dataLength: 2)
    var copy = [UInt8](repeating: 0, count: 5)
    try copy.withUnsafeMutableBytes { try block.copyDataBytes(to: $0) }
    #expect(copy == [1, 2, 30, 40, 5])
    try ([9, 8, 7, 6] as [UInt8]).withUnsafeBytes { try block.replaceDataBytes(with: $0) }
    #expect(try block.dataBytes() == Data([9, 8, 7, 6, 5]))
    #expect(throws: AVError.self) {
      try [UInt8](repeating: 0, count: 6).withUnsafeBytes { try block.replaceDataBytes(with: $0) }
    }
    let sum = try block.withContiguousStorage { bytes in bytes.reduce(0) { $0 + Int($1) } }
    #expect(try sum == block.dataBytes().reduce(0) { $0 + Int($1) } && !block.isEmpty)
    try block.fillDataBytes(with: 255)
    try block.withUnsafeMutableBytes(atOffset: 4) { $0[0] = 0 }
    #expect(try block.dataBytes() == Data([255, 255, 255, 255, 0]))
    #expect(throws: AVError.self) { try block.withUnsafeMutableBytes(atOffset: 5) { _ in } }
  }

  @Test func a_contiguous_block_copies_only_if_necessary() throws {
    let block = try joined()
    let source = Source()
    func contiguous(_ offset: Int, _ length: Int, _ flags: CMBlockBufferFlags) -> CMBlockBuffer? {
      var made: CMBlockBuffer?
      CMBlockBufferCreateContiguous(
        allocator: nil, sourceBuffer: block, blockAllocator: nil, customBlockSource: &source.block,
        offsetToData: offset, dataLength: length, flags: flags, blockBufferOut: &made)
      return made
    }
    let whole = contiguous(0, 0, 0)
    #expect(source.given == 1 && whole?.isContiguous == true)
    let same = contiguous(0, 3, 0)
    #expect(source.given == 1)
    let copy = contiguous(0, 3, kCMBlockBufferAlwaysCopyDataFlag)
    #expect(source.given == 2 && contiguous(5, 0, 0) == nil && contiguous(6, 0, 0) == nil)
    #expect(contiguous(4, 2, 0) == nil && source.given == 2)
    try block.fillDataBytes(with: 0)
    #expect(try whole?.dataBytes() == Data([1, 2, 3, 4, 5]))
    #expect(try same?.dataBytes() == Data([0, 0, 0]) && copy?.dataBytes() == Data([1, 2, 3]))
  }

  @Test func empty_blocks_are_referenced_only_if_permitted() throws {
    let (empty, block) = (try CMBlockBuffer(capacity: 0), try block([1]))
    func append(_ target: CMBlockBuffer, _ offset: Int, _ flags: CMBlockBufferFlags) -> OSStatus {
      CMBlockBufferAppendBufferReference(
        block, targetBBuf: target, offsetToData: offset, dataLength: 0, flags: flags)
    }
    #expect(append(empty, 0, 0) == kCMBlockBufferEmptyBBufErr)
    #expect(append(empty, 0, kCMBlockBufferPermitEmptyReferenceFlag) == noErr)
    #expect(append(block, 2, 0) == kCMBlockBufferBadOffsetParameterErr && block.dataLength == 1)
    #expect(append(block, 0, 0) == noErr)
    #expect(try block.dataBytes() == Data([1, 1]))
    #expect(
      CMBlockBufferAppendMemoryBlock(
        block, memoryBlock: nil, length: 4, blockAllocator: nil, customBlockSource: nil,
        offsetToData: 1, dataLength: 2, flags: 0) == noErr)
    #expect(try block.dataBytes() == Data([1, 1, 0, 0]))
    try empty.assureBlockMemory()
    #expect(empty.isEmpty && (try? empty.makeContiguous()) == nil)
    let reference = try CMBlockBuffer(bufferReference: block, flags: [.permitEmptyReference])
    #expect(reference.dataLength == 4)
    let zeros = try CMBlockBuffer(length: 8, range: 2..<4, flags: [.assureMemoryNow])
    #expect(try zeros.dataBytes() == Data(count: 2))
    #expect(CMBlockBuffer.Flags.alwaysCopyData.rawValue == kCMBlockBufferAlwaysCopyDataFlag)
  }

  @Test func the_block_of_a_sample_lives_as_long_as_the_sample() throws {
    let format = AudioFormat(sampleRate: 48_000, channelCount: 2, sampleFormat: .int16)
    let sample = SampleBuffer(
      .audio(try MediaCore.AudioBuffer(format: format, bytes: [1, 2, 3, 4])),
      presentationTimeStamp: .zero)
    weak let block = CMSampleBufferGetDataBuffer(sample)
    #expect(try block?.dataBytes().elementsEqual([1, 2, 3, 4]) == true)
    let copy = sample
    #expect(CMSampleBufferGetDataBuffer(copy) === block)
    withExtendedLifetime(sample) {}
  }

  @Test func a_sample_and_its_block_outlive_each_other() throws {
    let format = CMFormatDescription.audio(
      AudioFormat(sampleRate: 48_000, channelCount: 2, sampleFormat: .int16))
    var freed = 0
    var block: CMBlockBuffer? = try CMBlockBuffer(buffer: memory([1, 2, 3, 4])) { memory, _ in
      freed += 1
      memory.deallocate()
    }
    try block?.append(buffer: memory([5, 6, 7, 8]))
    var sample: CMSampleBuffer?
    CMAudioSampleBufferCreateWithPacketDescriptions(
      allocator: nil, dataBuffer: block, dataReady: true, makeDataReadyCallback: nil, refcon: nil,
      formatDescription: format, sampleCount: 2, presentationTimeStamp: .zero,
      packetDescriptions: nil, sampleBufferOut: &sample)
    block = nil
    #expect(freed == 1)
    var list = AudioBufferList()
    var kept: CMBlockBuffer?
    let size = MemoryLayout<AudioBufferList>.size
    let fill = { (sample: CMSampleBuffer, kept: UnsafeMutablePointer<CMBlockBuffer?>?) in
      CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
        sample, bufferListSizeNeededOut: nil, bufferListOut: &list, bufferListSize: size,
        blockBufferAllocator: nil, blockBufferMemoryAllocator: nil, flags: 0, blockBufferOut: kept)
    }
    #expect(sample.map { fill($0, nil) } == kCMSampleBufferError_RequiredParameterMissing)
    #expect(sample.map { fill($0, &kept) } == noErr)
    sample = nil
    let bytes = withExtendedLifetime(kept) {
      Array(
        UnsafeRawBufferPointer(
          start: list.mBuffers.mData, count: Int(list.mBuffers.mDataByteSize)))
    }
    #expect(bytes == [1, 2, 3, 4, 5, 6, 7, 8])
  }
}
