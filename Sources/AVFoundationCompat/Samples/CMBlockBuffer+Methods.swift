public import Foundation

extension CMBlockBuffer {
  /// Gives out memory of a size in bytes.
  public typealias CustomBlockAllocator = (Int) -> UnsafeMutableRawPointer?
  /// Takes memory back, by its address and its size in bytes: once, on the thread that lets go of it last.
  public typealias CustomBlockDeallocator = (UnsafeMutableRawPointer, Int) -> Void

  /// An empty block, to be added to.
  ///
  /// - Throws: Nothing; Apple's declaration throws.
  public convenience init(capacity: Int, flags: Flags = []) throws { self.init() }

  /// A block of zeros, or of a range of them.
  ///
  /// - Throws: ``AVError`` for a length below 1, a range outside of it, and without memory.
  public convenience init(
    length: Int, allocator: CFAllocator? = kCFAllocatorDefault, range: Range<Int>? = nil,
    flags: Flags = []
  ) throws(AVError) {
    self.init()
    try append(length: length, allocator: allocator, range: range, flags: flags)
  }

  /// A block that refers to memory and takes it over, as
  /// ``append(buffer:allocator:flags:)`` does.
  ///
  /// - Throws: ``AVError`` for an empty memory.
  public convenience init(
    buffer: UnsafeMutableRawBufferPointer, allocator: CFAllocator? = kCFAllocatorDefault,
    flags: Flags = []
  ) throws(AVError) {
    self.init()
    try append(buffer: buffer, allocator: allocator, flags: flags)
  }

  /// A block that refers to memory, which a function takes back.
  ///
  /// - Throws: ``AVError`` for an empty memory, which then is still the program's.
  public convenience init(
    buffer: UnsafeMutableRawBufferPointer, deallocator: @escaping CustomBlockDeallocator,
    flags: Flags = []
  ) throws(AVError) {
    self.init()
    try append(buffer: buffer, deallocator: deallocator, flags: flags)
  }

  /// A block that refers to what another one refers to.
  ///
  /// - Throws: ``AVError`` for an empty block, unless the flags permit it.
  public convenience init(
    bufferReference: CMBlockBuffer, flags: Flags = []
  ) throws(AVError) {
    self.init()
    try append(bufferReference: bufferReference, flags: flags)
  }

  /// Adds zeros, or a range of them.
  ///
  /// - Throws: ``AVError`` for a length below 1, a range outside of it, and without memory.
  public func append(
    length: Int, allocator: CFAllocator? = kCFAllocatorDefault, range: Range<Int>? = nil,
    flags: Flags = []
  ) throws(AVError) {
    try append(nil, length: length, of: BlockSource(allocator), range: range)
  }

  /// Adds memory, which the block takes over: the allocator frees it when the last block that refers to it
  /// goes away. With ``kCFAllocatorNull`` it stays the program's, which keeps it until then.
  ///
  /// - Throws: ``AVError`` for an empty memory.
  public func append(
    buffer: UnsafeMutableRawBufferPointer, allocator: CFAllocator? = kCFAllocatorDefault,
    flags: Flags = []
  ) throws(AVError) {
    try append(buffer, of: BlockSource(allocator))
  }

  /// Adds memory, which a function takes back.
  ///
  /// - Throws: ``AVError`` for an empty memory, which then is still the program's.
  public func append(
    buffer: UnsafeMutableRawBufferPointer, deallocator: @escaping CustomBlockDeallocator,
    flags: Flags = []
  ) throws(AVError) {
    try append(buffer, of: BlockSource(allocate: nil, free: deallocator))
  }

  /// Adds what another block refers to now, without a copy.
  ///
  /// - Throws: ``AVError`` for an empty block, unless the flags permit it.
  public func append(bufferReference: CMBlockBuffer, flags: Flags = []) throws(AVError) {
    try BlockFailure.rethrown { () throws(BlockFailure) in
      try append(bufferReference, offset: 0, count: 0, flags: flags.rawValue)
    }
  }

  /// Does nothing: a block has its memory from the beginning.
  ///
  /// - Throws: Nothing; Apple's declaration throws.
  public func assureBlockMemory() throws {}

  /// True for a block without bytes.
  public var isEmpty: Bool { dataLength == 0 }

  /// True if all bytes lie together.
  public var isContiguous: Bool { CMBlockBufferIsRangeContiguous(self, atOffset: 0, length: 0) }

  /// A block of the same bytes, which lie together: these where they do, else a copy.
  ///
  /// - Throws: ``AVError`` for an empty block, and without memory.
  public func makeContiguous(
    allocator: CFAllocator? = kCFAllocatorDefault, flags: Flags = []
  ) throws(AVError) -> CMBlockBuffer {
    try BlockFailure.rethrown { () throws(BlockFailure) in
      try contiguous(0, 0, BlockSource(allocator), flags.rawValue)
    }
  }

  /// The bytes, as a copy.
  ///
  /// - Throws: Nothing; Apple's declaration throws.
  public func dataBytes() throws -> Data { Data(contents) }

  /// Copies bytes from the beginning: as many as there is room for.
  ///
  /// - Throws: ``AVError`` where there are fewer.
  public func copyDataBytes(to destination: UnsafeMutableRawBufferPointer) throws(AVError) {
    guard let base = destination.baseAddress else { return }
    try BlockFailure.rethrown { () throws(BlockFailure) in
      try copy(0, destination.count, to: base)
    }
  }

  /// Copies bytes into the block's memory, from its beginning on.
  ///
  /// - Throws: ``AVError`` where the block has fewer; then nothing is copied.
  public func replaceDataBytes(with sourceBytes: UnsafeRawBufferPointer) throws(AVError) {
    try BlockFailure.rethrown { () throws(BlockFailure) in
      try visit(0, sourceBytes.count) { bytes, done in
        bytes.copyBytes(from: sourceBytes[done..<done + bytes.count])
      }
    }
  }

  /// Sets all bytes to one value.
  ///
  /// - Throws: Nothing; Apple's declaration throws.
  public func fillDataBytes(with fillByte: UInt8) throws {
    CMBlockBufferFillDataBytes(
      with: Int8(bitPattern: fillByte), blockBuffer: self, offsetIntoDestination: 0,
      dataLength: dataLength)
  }

  /// Calls a function with the bytes at an offset that lie together, in place.
  ///
  /// - Throws: ``AVError`` for a place outside of the block, and what the function throws.
  public func withUnsafeMutableBytes<Result>(
    atOffset offset: Int = 0, _ body: (UnsafeMutableRawBufferPointer) throws -> Result
  ) throws -> Result {
    let run = try BlockFailure.rethrown {
      () throws(BlockFailure) -> UnsafeMutableRawBufferPointer in try self.run(at: offset)
    }
    return try withExtendedLifetime(self) { try body(run) }
  }

  /// Calls a function with all bytes, which lie together: in place where they do, else as a copy.
  ///
  /// - Throws: ``AVError`` for an empty block, and without memory; what the function throws.
  public func withContiguousStorage<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    try makeContiguous().withUnsafeMutableBytes { try body(UnsafeRawBufferPointer($0)) }
  }

  private func append(
    _ memory: UnsafeMutableRawBufferPointer, of source: BlockSource
  ) throws(AVError) {
    // Without an address there would be memory of the block's own.
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
