// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
public import MediaCore

/// Audio at an address, as Core Audio hands it on. This package's own buffer of audio is a sample's
/// `audioBuffer`.
public struct AudioBuffer {
  /// Channels whose samples take turns.
  public var mNumberChannels: UInt32
  /// Bytes at the address.
  public var mDataByteSize: UInt32
  /// The address; nil for none.
  public var mData: UnsafeMutableRawPointer?

  /// No audio.
  public init() { self.init(mNumberChannels: 0, mDataByteSize: 0, mData: nil) }
  /// Audio at an address.
  public init(mNumberChannels: UInt32, mDataByteSize: UInt32, mData: UnsafeMutableRawPointer?) {
    self.mNumberChannels = mNumberChannels
    self.mDataByteSize = mDataByteSize
    self.mData = mData
  }
}

/// Audio in one or more places. A list of several has the others behind the first in memory; samples have
/// their audio in one place, as channels take turns.
public struct AudioBufferList {
  /// How many buffers there are.
  public var mNumberBuffers: UInt32
  /// The first of them.
  public var mBuffers: AudioBuffer

  /// One empty buffer.
  public init() { self.init(mNumberBuffers: 1, mBuffers: AudioBuffer()) }
  /// Buffers.
  public init(mNumberBuffers: UInt32, mBuffers: AudioBuffer) {
    self.mNumberBuffers = mNumberBuffers
    self.mBuffers = mBuffers
  }
}

/// The buffers of a list, one after the other.
public struct UnsafeMutableAudioBufferListPointer: RandomAccessCollection {
  /// The list.
  public let unsafeMutablePointer: UnsafeMutablePointer<AudioBufferList>

  /// The buffers of a list, which has to stay where it is.
  public init(_ p: UnsafeMutablePointer<AudioBufferList>) { unsafeMutablePointer = p }

  /// The buffers of a list, which has to stay where it is; nil if there is none.
  public init?(_ p: UnsafeMutablePointer<AudioBufferList>?) {
    guard let p else { return nil }
    unsafeMutablePointer = p
  }

  /// 0.
  public var startIndex: Int { 0 }
  /// The number of buffers.
  public var endIndex: Int { count }
  /// The number of buffers.
  public var count: Int {
    get { Int(unsafeMutablePointer.pointee.mNumberBuffers) }
    nonmutating set { unsafeMutablePointer.pointee.mNumberBuffers = UInt32(clamping: newValue) }
  }
  /// The list.
  public var unsafePointer: UnsafePointer<AudioBufferList> {
    UnsafePointer(unsafeMutablePointer)
  }
  /// A buffer by its place.
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
  /// Bytes of a list of so many buffers.
  public static func sizeInBytes(maximumBuffers: Int) -> Int {
    MemoryLayout<AudioBufferList>.size + (max(maximumBuffers, 1) - 1)
      * MemoryLayout<AudioBuffer>.stride
  }

  /// A list of empty buffers, whose memory is to be freed by `free(_.unsafeMutablePointer)`.
  public static func allocate(maximumBuffers: Int) -> UnsafeMutableAudioBufferListPointer {
    let count = max(maximumBuffers, 1)
    let size = sizeInBytes(maximumBuffers: count)
    // Allocated as `free` expects it.
    guard let memory = calloc(1, size) else {
      fatalError("no memory for a list of \(count) buffers")
    }
    let list = UnsafeMutableAudioBufferListPointer(
      memory.bindMemory(to: AudioBufferList.self, capacity: 1))
    list.count = count
    return list
  }
}

/// Lists are aligned to 16 bytes: always so here.
public let kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment: UInt32 = 1

/// Fills a list with the audio of a sample: a copy, which the block keeps.
///
/// - Parameters:
///   - sbuf: The sample.
///   - bufferListSizeNeededOut: Set to the size of a list of one buffer; nil for not asked.
///   - bufferListOut: The list; nil to ask for the size.
///   - bufferListSize: The list's size in bytes.
///   - blockBufferAllocator: Ignored.
///   - blockBufferMemoryAllocator: Ignored.
///   - flags: Ignored: the bytes are aligned.
///   - blockBufferOut: Set to what keeps the bytes; hold it for as long as the list is read; nil to ask for the size.
/// - Returns: ``kCMSampleBufferError_ArrayTooSmall`` for a list that is too small,
///   ``kCMSampleBufferError_RequiredParameterMissing`` for a list without a block,
///   ``kCMSampleBufferError_InvalidMediaFormat`` for a picture, and for audio that is yet to be set.
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
  // Nobody else keeps the bytes.
  guard let blockBufferOut else { return kCMSampleBufferError_RequiredParameterMissing }
  bufferListOut.pointee = AudioBufferList(
    mNumberBuffers: 1,
    mBuffers: AudioBuffer(
      mNumberChannels: basic.mChannelsPerFrame, mDataByteSize: UInt32(clamping: block.dataLength),
      mData: (try? block.run(at: 0))?.baseAddress))
  blockBufferOut.pointee = block
  return noErr
}

/// Copies frames of a sample to where a list says: as they are to one buffer, a channel to each buffer where
/// the list has as many as there are channels.
///
/// - Returns: ``kCMSampleBufferError_ArrayTooSmall`` for frames that the sample has not, or that the list has no
///   room for, ``kCMSampleBufferError_InvalidMediaFormat`` for a picture, and for audio that is yet to be set.
@discardableResult
public func CMSampleBufferCopyPCMDataIntoAudioBufferList(
  _ sbuf: CMSampleBuffer, at frameOffset: Int32, frameCount numFrames: Int32,
  into bufferList: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
  guard let basic = sbuf.formatDescription?.audioStreamBasicDescription,
    let sound = sbuf.sound
  else { return kCMSampleBufferError_InvalidMediaFormat }
  let frame = Int(basic.mBytesPerFrame)
  let (start, count) = (Int(frameOffset) * frame, Int(numFrames) * frame)
  let targets = UnsafeMutableAudioBufferListPointer(bufferList)
  let channels = Int(basic.mChannelsPerFrame)
  guard targets.count == 1 || targets.count == channels, channels > 0 else {
    return kCMSampleBufferError_ArrayTooSmall
  }
  guard frameOffset >= 0, numFrames >= 0, start + count <= sound.bytes.count,
    targets.allSatisfy({ $0.mData != nil && count / targets.count <= Int($0.mDataByteSize) })
  else { return kCMSampleBufferError_ArrayTooSmall }
  sound.bytes.withUnsafeBytes { bytes in
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
  /// Switches of ``withAudioBufferList(blockBufferMemoryAllocator:flags:body:)``.
  public struct Flags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// Flags from their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Lists are aligned to 16 bytes: always so here.
    public static let audioBufferListAssure16ByteAlignment = Flags(rawValue: 1)
  }

  /// Calls a function with the sample's audio and the block that keeps it, which are good until it returns.
  ///
  /// - Throws: ``AVError`` for a picture, for audio that is yet to be set, and what the function throws.
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
        awaitsSound
          ? "the sample's sound is not set yet; call CMSampleBufferSetDataBufferFromAudioBufferList before"
          : "a sample of pictures has no sound")
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
  /// Changes nothing: a sample is ready when there is one, or once its audio is set.
  ///
  /// - Throws: Nothing; Apple's declaration throws.
  public func setDataReady() throws {}
  /// Bytes of each sample: one entry, for all samples are alike.
  public func sampleSizes() -> [Int] { [CMSampleBufferGetSampleSize(self, at: 0)] }
}

/// Makes a sample of audio at a time, as `CMSampleBufferCreate` does; packet descriptions are nil.
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
