import MediaCore

extension FrameHeader {
  /// Reads the header at the start of a frame.
  ///
  /// Reserved values are kept, not refused: ``FrameChecker`` judges them.
  ///
  /// - Throws: ``ProResError/Code/invalidFrame`` where there are fewer bytes than a header has, the
  ///   frame identifier is another, or the matrices do not fit the header's size.
  public init(parsing frame: RawSpan) throws(ProResError) {
    guard frame.byteCount >= 28 else {
      throw ProResError(
        .invalidFrame, "a ProRes frame has at least 28 bytes, this has \(frame.byteCount)")
    }
    let identifier = FourCharCode(rawValue: frame.u32(4))
    guard identifier == Self.identifier else {
      throw ProResError(.invalidFrame, "frame identifier is '\(identifier)', not 'icpf'")
    }
    let size = frame.u16(8)
    let flags = frame.u8(27)
    let needed = 20 + (flags & 2 != 0 ? 64 : 0) + (flags & 1 != 0 ? 64 : 0)
    guard size >= needed, size + 8 <= frame.byteCount else {
      throw ProResError(
        .invalidFrame,
        "header size \(size) does not hold \(needed) bytes within a frame of \(frame.byteCount)")
    }
    self.init(fields: frame, flags: flags)
    declaredHeaderSize = size
  }

  private init(fields frame: RawSpan, flags: UInt8) {
    frameSize = frame.u32(0)
    bitstreamVersion = frame.u8(11)
    encoderIdentifier = FourCharCode(rawValue: frame.u32(12))
    width = frame.u16(16)
    height = frame.u16(18)
    chromaFormatCode = frame.u8(20) >> 6
    interlaceModeCode = frame.u8(20) >> 2 & 3
    aspectRatioCode = frame.u8(21) >> 4
    frameRateCode = frame.u8(21) & 15
    colorPrimaries = frame.u8(22)
    transferFunction = frame.u8(23)
    matrixCoefficients = frame.u8(24)
    alphaCode = frame.u8(25) & 15
    var offset = 28
    lumaMatrix = flags & 2 != 0 ? frame.matrix(at: offset) : nil
    if flags & 2 != 0 { offset += 64 }
    chromaMatrix = flags & 1 != 0 ? frame.matrix(at: offset) : nil
    hasReservedBits =
      frame.u8(10) != 0 || frame.u8(20) & 0x33 != 0 || frame.u8(25) & 0xF0 != 0
      || frame.u8(26) != 0 || flags & 0xFC != 0
  }

  /// The bytes from the frame's start to its first picture, ``encodedSize`` of them.
  public func serialized() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: encodedSize) { bytes, count in
      write(into: UnsafeMutableRawBufferPointer(bytes))
      count = encodedSize
    }
  }

  /// Writes ``encodedSize`` bytes to the start of `target`, allocating nothing.
  func write(into target: UnsafeMutableRawBufferPointer) {
    var writer = ByteWriter(target, at: 0)
    writer.append(frameSize)
    writer.append(Self.identifier.rawValue)
    writer.append(UInt16(encodedSize - 8))
    writer.append(UInt8(0))
    writer.append(bitstreamVersion)
    writer.append(encoderIdentifier.rawValue)
    writer.append(UInt16(truncatingIfNeeded: width))
    writer.append(UInt16(truncatingIfNeeded: height))
    writer.append((chromaFormatCode & 3) << 6 | (interlaceModeCode & 3) << 2)
    writer.append((aspectRatioCode & 15) << 4 | frameRateCode & 15)
    writer.append(colorPrimaries)
    writer.append(transferFunction)
    writer.append(matrixCoefficients)
    writer.append(alphaCode & 15)
    writer.append(UInt8(0))
    writer.append(UInt8((lumaMatrix == nil ? 0 : 2) | (chromaMatrix == nil ? 0 : 1)))
    if let lumaMatrix { for weight in lumaMatrix.weights { writer.append(weight) } }
    if let chromaMatrix { for weight in chromaMatrix.weights { writer.append(weight) } }
  }
}

extension RawSpan {
  func u8(_ offset: Int) -> UInt8 { unsafeLoad(fromByteOffset: offset, as: UInt8.self) }

  func u16(_ offset: Int) -> Int {
    Int(UInt16(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self)))
  }

  func u32(_ offset: Int) -> UInt32 {
    UInt32(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  fileprivate func matrix(at offset: Int) -> QuantizationMatrix? {
    QuantizationMatrix((0..<64).map { u8(offset + $0) })
  }
}
