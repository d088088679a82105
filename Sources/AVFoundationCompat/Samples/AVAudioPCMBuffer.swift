// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
public import MediaCore

/// Audio in memory.
open class AVAudioBuffer {
  /// The form of the audio.
  public let format: AVAudioFormat
  /// The memory, and how much of it is used. The pointer is good for as long as the buffer.
  public let mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList>

  init(_ format: AVAudioFormat, _ list: UnsafeMutablePointer<AudioBufferList>) {
    (self.format, mutableAudioBufferList) = (format, list)
  }

  /// The memory, and how much of it is used.
  public var audioBufferList: UnsafePointer<AudioBufferList> {
    UnsafePointer(mutableAudioBufferList)
  }
}

/// Linear PCM in memory, which its program fills and reads.
public final class AVAudioPCMBuffer: AVAudioBuffer {
  /// Frames that it has room for.
  public let frameCapacity: AVAudioFrameCount
  /// Samples from one of a channel to the next.
  public let stride: Int
  private let channels: UnsafeMutablePointer<UnsafeMutableRawPointer>
  private let release: () -> Void
  private var length: AVAudioFrameCount = 0

  /// A buffer without audio yet: zeros.
  ///
  /// - Returns: Nil if there is no memory for so many frames, and for a format without channels
  ///   or of compressed audio.
  public convenience init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
    guard format.channelCount > 0, format.compression == nil else { return nil }
    let count = format.isInterleaved ? 1 : format.format.channelCount
    let width = format.format.bytesPerFrame / count
    let (size, overflow) = Int(frameCapacity).multipliedReportingOverflow(by: width)
    guard !overflow else { return nil }
    let list = AudioBufferList.allocate(maximumBuffers: count)
    for index in 0..<count {
      list[index].mData = calloc(1, max(size, 1))
      list[index].mNumberChannels = UInt32(format.format.channelCount / count)
    }
    let release = {
      for buffer in list { free(buffer.mData) }
      free(list.unsafeMutablePointer)
    }
    guard list.allSatisfy({ $0.mData != nil }) else {
      release()
      return nil
    }
    self.init(format, list, frameCapacity, release)
  }

  /// A buffer of memory that is there, full of audio.
  ///
  /// - Parameters:
  ///   - format: What it holds.
  ///   - bufferList: Where; the list itself is copied.
  ///   - deallocator: Called with it once nobody reads it any more.
  /// - Returns: Nil if the list has not as many buffers as the format, or they are not of one size.
  public convenience init?(
    pcmFormat format: AVAudioFormat, bufferListNoCopy bufferList: UnsafePointer<AudioBufferList>,
    deallocator: ((UnsafePointer<AudioBufferList>) -> Void)? = nil
  ) {
    guard format.channelCount > 0, format.compression == nil else { return nil }
    let given = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: bufferList))
    let count = format.isInterleaved ? 1 : format.format.channelCount
    let width = format.format.bytesPerFrame / count
    guard given.count == count, let size = given.first?.mDataByteSize,
      given.allSatisfy({ $0.mData != nil && $0.mDataByteSize == size })
    else { return nil }
    let list = AudioBufferList.allocate(maximumBuffers: count)
    for index in 0..<count { list[index] = given[index] }
    let frames = size / UInt32(width)
    self.init(format, list, frames) {
      free(list.unsafeMutablePointer)
      deallocator?(bufferList)
    }
    frameLength = frames
  }

  private init(
    _ format: AVAudioFormat, _ list: UnsafeMutableAudioBufferListPointer,
    _ capacity: AVAudioFrameCount, _ release: @escaping () -> Void
  ) {
    let count = format.format.channelCount
    channels = .allocate(capacity: count)
    let width = format.format.sampleFormat.byteCount
    for channel in 0..<count {
      // Every buffer has memory: what makes the list has checked that.
      let base = list[list.count > 1 ? channel : 0].mData ?? UnsafeMutableRawPointer(channels)
      (channels + channel).initialize(to: base + (list.count > 1 ? 0 : channel * width))
    }
    frameCapacity = capacity
    stride = list.count > 1 ? 1 : count
    self.release = release
    super.init(format, list.unsafeMutablePointer)
  }

  deinit {
    release()
    channels.deallocate()
  }

  /// Frames that hold audio: none at first. More than ``frameCapacity`` become that.
  public var frameLength: AVAudioFrameCount {
    get { length }
    set {
      length = min(newValue, frameCapacity)
      let list = UnsafeMutableAudioBufferListPointer(mutableAudioBufferList)
      let width = UInt32(format.format.bytesPerFrame / max(list.count, 1))
      for index in list.indices { list[index].mDataByteSize = length * width }
    }
  }

  /// Where each channel's samples are, ``stride`` apart; nil unless the samples are 32-bit floats.
  public var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? {
    channelData(.float32, of: Float.self)
  }
  /// Where each channel's samples are, ``stride`` apart; nil unless the samples are 16-bit integers.
  public var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? {
    channelData(.int16, of: Int16.self)
  }
  /// Where each channel's samples are, ``stride`` apart; nil unless the samples are 32-bit integers.
  public var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? {
    channelData(.int32, of: Int32.self)
  }

  private func channelData<Sample>(
    _ stored: AudioFormat.SampleFormat, of type: Sample.Type
  ) -> UnsafePointer<UnsafeMutablePointer<Sample>>? {
    guard format.format.sampleFormat == stored else { return nil }
    // Pointers of any kind are alike in memory.
    return UnsafePointer(
      UnsafeMutableRawPointer(channels).assumingMemoryBound(to: UnsafeMutablePointer<Sample>.self))
  }

  /// The audio as a sample for an asset writer, which interleaves channels and copies them; nil for none.
  ///
  /// Apple has no such method: there a sample is made by `CMSampleBufferSetDataBufferFromAudioBufferList`.
  public func sampleBuffer(at presentationTimeStamp: CMTime) -> CMSampleBuffer? {
    interleaved().map {
      CMSampleBuffer(
        .audio($0), presentationTimeStamp: presentationTimeStamp, duration: $0.duration)
    }
  }

  /// A copy of the audio, in which channels take turns; nil for none.
  func interleaved() -> MediaCore.AudioBuffer? {
    let (frames, count) = (Int(length), format.format.channelCount)
    let width = format.format.sampleFormat.byteCount
    let bytes = [UInt8](unsafeUninitializedCapacity: frames * count * width) { target, made in
      let base = target.baseAddress.map { UnsafeMutableRawPointer($0) }
      each(frames) { sample, place in
        base?.advanced(by: place).copyMemory(from: sample, byteCount: width)
      }
      made = frames * count * width
    }
    guard frames > 0 else { return nil }
    return try? MediaCore.AudioBuffer(format: format.format, bytes: bytes)
  }

  /// Takes audio in which channels take turns: as many frames as there are and have room.
  func fill(_ bytes: ArraySlice<UInt8>) {
    let width = format.format.sampleFormat.byteCount
    frameLength = AVAudioFrameCount(clamping: bytes.count / format.format.bytesPerFrame)
    bytes.withUnsafeBytes { source in
      each(Int(length)) { sample, place in
        source.baseAddress.map { sample.copyMemory(from: $0 + place, byteCount: width) }
      }
    }
  }

  /// Calls a function with the address of each sample, and its place in bytes where channels take turns.
  private func each(_ frames: Int, _ body: (UnsafeMutableRawPointer, Int) -> Void) {
    let (count, width) = (format.format.channelCount, format.format.sampleFormat.byteCount)
    for channel in 0..<count {
      for frame in 0..<frames {
        body(channels[channel] + frame * stride * width, (frame * count + channel) * width)
      }
    }
  }
}
