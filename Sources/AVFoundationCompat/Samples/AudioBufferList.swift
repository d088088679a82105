// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
public import MediaCore

/// Core Audio's buffer: audio at an address. This package's own type is that of a sample's `audioBuffer`.
public struct AudioBuffer {
  /// The number of interleaved channels.
  public var mNumberChannels: UInt32
  /// The number of bytes at the address.
  public var mDataByteSize: UInt32
  /// The address; nil for none.
  public var mData: UnsafeMutableRawPointer?

  /// An empty buffer.
  public init() { self.init(mNumberChannels: 0, mDataByteSize: 0, mData: nil) }
  public init(mNumberChannels: UInt32, mDataByteSize: UInt32, mData: UnsafeMutableRawPointer?) {
    self.mNumberChannels = mNumberChannels
    self.mDataByteSize = mDataByteSize
    self.mData = mData
  }
}

/// A list of audio buffers. Further buffers follow the first one in memory. Samples have one buffer, because their
/// channels are interleaved.
public struct AudioBufferList {
  public var mNumberBuffers: UInt32
  /// The first buffer.
  public var mBuffers: AudioBuffer

  /// One empty buffer.
  public init() { self.init(mNumberBuffers: 1, mBuffers: AudioBuffer()) }
  public init(mNumberBuffers: UInt32, mBuffers: AudioBuffer) {
    self.mNumberBuffers = mNumberBuffers
    self.mBuffers = mBuffers
  }
}

/// The buffers of a list as a collection.
public struct UnsafeMutableAudioBufferListPointer: RandomAccessCollection {
  public let unsafeMutablePointer: UnsafeMutablePointer<AudioBufferList>

  /// The buffers of a list, which must not move.
  public init(_ p: UnsafeMutablePointer<AudioBufferList>) { unsafeMutablePointer = p }

  /// The buffers of a list, which must not move; nil for nil.
  public init?(_ p: UnsafeMutablePointer<AudioBufferList>?) {
    guard let p else { return nil }
    unsafeMutablePointer = p
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { count }
  public var count: Int {
    get { Int(unsafeMutablePointer.pointee.mNumberBuffers) }
    nonmutating set { unsafeMutablePointer.pointee.mNumberBuffers = UInt32(clamping: newValue) }
  }
  public var unsafePointer: UnsafePointer<AudioBufferList> {
    UnsafePointer(unsafeMutablePointer)
  }
  public subscript(index: Int) -> AudioBuffer {
    get { buffers[index] }
    nonmutating set { buffers[index] = newValue }
  }

  private var buffers: UnsafeMutablePointer<AudioBuffer> {
    let offset = MemoryLayout<AudioBufferList>.offset(of: \.mBuffers) ?? 8
    return (UnsafeMutableRawPointer(unsafeMutablePointer) + offset)
      .assumingMemoryBound(to: AudioBuffer.self)
  }
}

extension AudioBufferList {
  /// The size of a list with a number of buffers.
  public static func sizeInBytes(maximumBuffers: Int) -> Int {
    MemoryLayout<AudioBufferList>.size + (max(maximumBuffers, 1) - 1)
      * MemoryLayout<AudioBuffer>.stride
  }

  /// A list of empty buffers. Free its memory with `free(_.unsafeMutablePointer)`.
  public static func allocate(maximumBuffers: Int) -> UnsafeMutableAudioBufferListPointer {
    let count = max(maximumBuffers, 1)
    let size = sizeInBytes(maximumBuffers: count)
    // `calloc`, because callers use `free`. The function cannot return nil, as in Apple's API, so the program stops
    // if memory is exhausted.
    guard let memory = calloc(1, size) else {
      fatalError("no memory for a list of \(count) buffers")
    }
    let list = UnsafeMutableAudioBufferListPointer(
      memory.bindMemory(to: AudioBufferList.self, capacity: 1))
    list.count = count
    return list
  }
}

/// Align lists to 16 bytes. Always so here.
public let kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment: UInt32 = 1

/// Fills a list with a copy of a sample's audio, which the block retains.
///
/// - Parameters:
///   - sbuf: The sample.
///   - bufferListSizeNeededOut: Set to the size of a list of one buffer; may be nil.
///   - bufferListOut: The list; nil to query only the size.
///   - bufferListSize: The list's size in bytes.
///   - blockBufferAllocator: Ignored.
///   - blockBufferMemoryAllocator: Ignored.
///   - flags: Ignored: the bytes are aligned.
///   - blockBufferOut: Set to the block with the bytes; retain it as long as the list is used. Nil to query only the
///     size.
/// - Returns: ``kCMSampleBufferError_ArrayTooSmall`` if the list is too small,
///   ``kCMSampleBufferError_RequiredParameterMissing`` for a list without a block,
///   ``kCMSampleBufferError_InvalidMediaFormat`` for a sample that is not audio, or whose audio was not set yet.
@discardableResult
public func CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
  _ sbuf: CMSampleBuffer, bufferListSizeNeededOut: UnsafeMutablePointer<Int>?,
  bufferListOut: UnsafeMutablePointer<AudioBufferList>?, bufferListSize: Int,
  blockBufferAllocator: CFAllocator?, blockBufferMemoryAllocator: CFAllocator?, flags: UInt32,
  blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>?
) -> OSStatus {
  let needed = MemoryLayout<AudioBufferList>.size
  bufferListSizeNeededOut?.pointee = needed
  guard let basic = sbuf.formatDescription?.audioStreamBasicDescription,
    let block = CMSampleBufferGetDataBuffer(sbuf)
  else { return kCMSampleBufferError_InvalidMediaFormat }
  guard let bufferListOut else { return noErr }
  guard bufferListSize >= needed else { return kCMSampleBufferError_ArrayTooSmall }
  // Nothing else retains the bytes.
  guard let blockBufferOut else { return kCMSampleBufferError_RequiredParameterMissing }
  bufferListOut.pointee = AudioBufferList(
    mNumberBuffers: 1,
    mBuffers: AudioBuffer(
      mNumberChannels: basic.mChannelsPerFrame, mDataByteSize: UInt32(clamping: block.dataLength),
      mData: (try? block.run(at: 0))?.baseAddress))
  blockBufferOut.pointee = block
  return noErr
}

/// Copies frames of a sample to a list of buffers: interleaved to one buffer, or one channel to each buffer if there
/// are as many as channels.
///
/// - Returns: ``kCMSampleBufferError_ArrayTooSmall`` if the sample does not have the frames or the list has no room
///   for them, ``kCMSampleBufferError_InvalidMediaFormat`` for a sample that is not audio, or whose audio was not set
///   yet.
@discardableResult
public func CMSampleBufferCopyPCMDataIntoAudioBufferList(
  _ sbuf: CMSampleBuffer, at frameOffset: Int32, frameCount numFrames: Int32,
  into bufferList: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
  guard let basic = sbuf.formatDescription?.audioStreamBasicDescription,
    let audio = sbuf.audio
  else { return kCMSampleBufferError_InvalidMediaFormat }
  let frame = Int(basic.mBytesPerFrame)
  let (start, count) = (Int(frameOffset) * frame, Int(numFrames) * frame)
  let targets = UnsafeMutableAudioBufferListPointer(bufferList)
  let channels = Int(basic.mChannelsPerFrame)
  guard targets.count == 1 || targets.count == channels, channels > 0 else {
    return kCMSampleBufferError_ArrayTooSmall
  }
  guard frameOffset >= 0, numFrames >= 0, start + count <= audio.bytes.count,
    targets.allSatisfy({ $0.mData != nil && count / targets.count <= Int($0.mDataByteSize) })
  else { return kCMSampleBufferError_ArrayTooSmall }
  audio.bytes.withUnsafeBytes { bytes in
    let source = UnsafeRawBufferPointer(rebasing: bytes[start..<(start + count)])
    guard targets.count > 1, let base = source.baseAddress else {
      targets[0].mData?.copyMemory(from: source)
      return
    }
    let width = frame / channels
    for (channel, target) in targets.enumerated() {
      for index in 0..<Int(numFrames) {
        target.mData?.advanced(by: index * width).copyMemory(
          from: base + index * frame + channel * width, byteCount: width)
      }
    }
  }
  return noErr
}

extension SampleBuffer {
  /// Flags of ``withAudioBufferList(blockBufferMemoryAllocator:flags:body:)``.
  public struct Flags: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Align lists to 16 bytes. Always so here.
    public static let audioBufferListAssure16ByteAlignment = Flags(rawValue: 1)
  }

  /// Calls a function with the sample's audio and the block that retains it. Both are valid until the function
  /// returns.
  ///
  /// - Throws: ``AVError`` for a sample that is not audio or whose audio was not set yet; also what the function
  ///   throws.
  public func withAudioBufferList<Result>(
    blockBufferMemoryAllocator: CFAllocator? = nil, flags: Flags = [],
    body: (UnsafeMutableAudioBufferListPointer, CMBlockBuffer) throws -> Result
  ) throws -> Result {
    var (list, block) = (AudioBufferList(), CMBlockBuffer?.none)
    let status = CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
      self, bufferListSizeNeededOut: nil, bufferListOut: &list,
      bufferListSize: MemoryLayout<AudioBufferList>.size, blockBufferAllocator: nil,
      blockBufferMemoryAllocator: nil, flags: flags.rawValue, blockBufferOut: &block)
    guard status == noErr, let block else {
      throw AVError(
        .operationNotAllowed,
        awaitsAudio
          ? "the sample's audio was not set yet; call CMSampleBufferSetDataBufferFromAudioBufferList first"
          : "a video sample has no audio")
    }
    return try withUnsafeMutablePointer(to: &list) {
      try body(UnsafeMutableAudioBufferListPointer($0), block)
    }
  }
}

extension UnsafeMutableRawPointer {
  fileprivate func copyMemory(from bytes: UnsafeRawBufferPointer) {
    if let base = bytes.baseAddress { copyMemory(from: base, byteCount: bytes.count) }
  }
}

extension SampleBuffer {
  /// No effect: a sample is ready from the start, or once its audio is set.
  ///
  /// - Throws: Nothing; Apple's declaration throws.
  public func setDataReady() throws {}
  /// The size of each sample: one entry, because all have the same size.
  public func sampleSizes() -> [Int] { [CMSampleBufferGetSampleSize(self, at: 0)] }
}

/// Creates a sample of audio at a time, like `CMSampleBufferCreate`; packet descriptions must be nil.
@discardableResult
public func CMAudioSampleBufferCreateWithPacketDescriptions(
  allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, dataReady: Bool,
  makeDataReadyCallback: UnsafeRawPointer?, refcon: UnsafeMutableRawPointer?,
  formatDescription: CMFormatDescription, sampleCount: CMItemCount, presentationTimeStamp: CMTime,
  packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?,
  sampleBufferOut: inout CMSampleBuffer?
) -> OSStatus {
  var timing = CMSampleTimingInfo(
    duration: .invalid, presentationTimeStamp: presentationTimeStamp, decodeTimeStamp: .invalid)
  return CMSampleBufferCreate(
    allocator: allocator, dataBuffer: dataBuffer, dataReady: dataReady,
    makeDataReadyCallback: makeDataReadyCallback, refcon: refcon,
    formatDescription: formatDescription, sampleCount: sampleCount, sampleTimingEntryCount: 1,
    sampleTimingArray: &timing, sampleSizeEntryCount: 0, sampleSizeArray: nil,
    sampleBufferOut: &sampleBufferOut)
}
