public import Foundation

extension CMBlockBuffer {
  /// Allocates memory of a size in bytes.
  public typealias CustomBlockAllocator = (Int) -> UnsafeMutableRawPointer?
  /// Frees memory, by its address and its size in bytes. Called once, on the thread that releases the last reference.
  public typealias CustomBlockDeallocator = (UnsafeMutableRawPointer, Int) -> Void

  /// Creates an empty block, to append to.
  ///
  /// - Throws: Nothing; Apple's declaration throws.
  public convenience init(capacity: Int, flags: Flags = []) throws { self.init() }

  /// Creates a block of zeros, or of a range of them.
  ///
  /// - Throws: ``AVError`` for a length below 1, for a range outside of it, and if memory is exhausted.
  public convenience init(
    length: Int, allocator: CFAllocator? = kCFAllocatorDefault, range: Range<Int>? = nil,
    flags: Flags = []
  ) throws(AVError) {
    self.init()
    try append(length: length, allocator: allocator, range: range, flags: flags)
  }

  /// Creates a block that refers to memory and takes ownership of it, like ``append(buffer:allocator:flags:)``.
  ///
  /// - Throws: ``AVError`` for empty memory.
  public convenience init(
    buffer: UnsafeMutableRawBufferPointer, allocator: CFAllocator? = kCFAllocatorDefault,
    flags: Flags = []
  ) throws(AVError) {
    self.init()
    try append(buffer: buffer, allocator: allocator, flags: flags)
  }

  /// Creates a block that refers to memory, which a function frees.
  ///
  /// - Throws: ``AVError`` for empty memory, which the program then still owns.
  public convenience init(
    buffer: UnsafeMutableRawBufferPointer, deallocator: @escaping CustomBlockDeallocator,
    flags: Flags = []
  ) throws(AVError) {
    self.init()
    try append(buffer: buffer, deallocator: deallocator, flags: flags)
  }

  /// Creates a block that refers to the memory of another one.
  ///
  /// - Throws: ``AVError`` for an empty block, unless the flags permit it.
  public convenience init(
    bufferReference: CMBlockBuffer, flags: Flags = []
  ) throws(AVError) {
    self.init()
    try append(bufferReference: bufferReference, flags: flags)
  }

  /// Appends zeros, or a range of them.
  ///
  /// - Throws: ``AVError`` for a length below 1, for a range outside of it, and if memory is exhausted.
  public func append(
    length: Int, allocator: CFAllocator? = kCFAllocatorDefault, range: Range<Int>? = nil,
    flags: Flags = []
  ) throws(AVError) {
    try append(nil, length: length, of: BlockSource(allocator), range: range)
  }

  /// Appends memory and takes ownership of it. The allocator frees it when the last block that refers to it is
  /// released. With ``kCFAllocatorNull`` the program keeps ownership, and must keep the memory until then.
  ///
  /// - Throws: ``AVError`` for empty memory.
  public func append(
    buffer: UnsafeMutableRawBufferPointer, allocator: CFAllocator? = kCFAllocatorDefault,
    flags: Flags = []
  ) throws(AVError) {
    try append(buffer, of: BlockSource(allocator))
  }

  /// Appends memory, which a function frees.
  ///
  /// - Throws: ``AVError`` for empty memory, which the program then still owns.
  public func append(
    buffer: UnsafeMutableRawBufferPointer, deallocator: @escaping CustomBlockDeallocator,
    flags: Flags = []
  ) throws(AVError) {
    try append(buffer, of: BlockSource(allocate: nil, free: deallocator))
  }

  /// Appends a reference to another block's memory in its present state, without copying.
  ///
  /// - Throws: ``AVError`` for an empty block, unless the flags permit it.
  public func append(bufferReference: CMBlockBuffer, flags: Flags = []) throws(AVError) {
    try BlockFailure.rethrown { () throws(BlockFailure) in
      try append(bufferReference, offset: 0, count: 0, flags: flags.rawValue)
    }
  }

  /// No effect: a block always has its memory.
  ///
  /// - Throws: Nothing; Apple's declaration throws.
  public func assureBlockMemory() throws {}

  public var isEmpty: Bool { dataLength == 0 }

  /// True if all bytes are contiguous in memory.
  public var isContiguous: Bool { CMBlockBufferIsRangeContiguous(self, atOffset: 0, length: 0) }

  /// A block with the same bytes, contiguous in memory: a reference if possible, otherwise a copy.
  ///
  /// - Throws: ``AVError`` for an empty block, and if memory is exhausted.
  public func makeContiguous(
    allocator: CFAllocator? = kCFAllocatorDefault, flags: Flags = []
  ) throws(AVError) -> CMBlockBuffer {
    try BlockFailure.rethrown { () throws(BlockFailure) in
      try contiguous(0, 0, BlockSource(allocator), flags.rawValue)
    }
  }

  /// A copy of the bytes.
  ///
  /// - Throws: Nothing; Apple's declaration throws.
  public func dataBytes() throws -> Data { Data(contents) }

  /// Copies bytes from the start of the block, filling the destination.
  ///
  /// - Throws: ``AVError`` if the block has fewer.
  public func copyDataBytes(to destination: UnsafeMutableRawBufferPointer) throws(AVError) {
    guard let base = destination.baseAddress else { return }
    try BlockFailure.rethrown { () throws(BlockFailure) in
      try copy(0, destination.count, to: base)
    }
  }

  /// Copies bytes to the start of the block's memory.
  ///
  /// - Throws: ``AVError`` if the block is smaller, in which case nothing is copied.
  public func replaceDataBytes(with sourceBytes: UnsafeRawBufferPointer) throws(AVError) {
    try BlockFailure.rethrown { () throws(BlockFailure) in
      try visit(0, sourceBytes.count) { bytes, done in
        bytes.copyBytes(from: sourceBytes[done..<done + bytes.count])
      }
    }
  }

  /// Sets all bytes to a value.
  ///
  /// - Throws: Nothing; Apple's declaration throws.
  public func fillDataBytes(with fillByte: UInt8) throws {
    CMBlockBufferFillDataBytes(
      with: Int8(bitPattern: fillByte), blockBuffer: self, offsetIntoDestination: 0,
      dataLength: dataLength)
  }

  /// Calls a function with the contiguous bytes at an offset, in place.
  ///
  /// - Throws: ``AVError`` for an offset outside of the block; also what the function throws.
  public func withUnsafeMutableBytes<Result>(
    atOffset offset: Int = 0, _ body: (UnsafeMutableRawBufferPointer) throws -> Result
  ) throws -> Result {
    let run = try BlockFailure.rethrown {
      () throws(BlockFailure) -> UnsafeMutableRawBufferPointer in try self.run(at: offset)
    }
    return try withExtendedLifetime(self) { try body(run) }
  }

  /// Calls a function with all bytes, contiguous: in place if possible, otherwise copied.
  ///
  /// - Throws: ``AVError`` for an empty block, and if memory is exhausted; also what the function throws.
  public func withContiguousStorage<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    try makeContiguous().withUnsafeMutableBytes { try body(UnsafeRawBufferPointer($0)) }
  }

  private func append(
    _ memory: UnsafeMutableRawBufferPointer, of source: BlockSource
  ) throws(AVError) {
    // Nil memory would make the block allocate its own.
    try append(
      memory.baseAddress, length: memory.baseAddress == nil ? 0 : memory.count, of: source,
      range: nil)
  }

  private func append(
    _ memory: UnsafeMutableRawPointer?, length: Int, of source: BlockSource, range: Range<Int>?
  ) throws(AVError) {
    try BlockFailure.rethrown { () throws(BlockFailure) in
      try append(
        memory, length: length, of: source, offset: range?.lowerBound ?? 0,
        count: range?.count ?? length)
    }
  }
}
