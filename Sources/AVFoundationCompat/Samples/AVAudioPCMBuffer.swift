// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
public import MediaCore

/// A buffer of audio.
open class AVAudioBuffer {
  public let format: AVAudioFormat
  /// The memory and how much of it is used. The pointer is valid as long as the buffer.
  public let mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList>

  init(_ format: AVAudioFormat, _ list: UnsafeMutablePointer<AudioBufferList>) {
    (self.format, mutableAudioBufferList) = (format, list)
  }

  /// The memory and how much of it is used.
  public var audioBufferList: UnsafePointer<AudioBufferList> {
    UnsafePointer(mutableAudioBufferList)
  }
}

/// A buffer of linear PCM.
public final class AVAudioPCMBuffer: AVAudioBuffer {
  /// The most frames in the buffer.
  public let frameCapacity: AVAudioFrameCount
  /// The distance between samples of a channel, in samples.
  public let stride: Int
  private let channels: UnsafeMutablePointer<UnsafeMutableRawPointer>
  private let release: () -> Void
  private var length: AVAudioFrameCount = 0

  /// A buffer filled with zeros, with a ``frameLength`` of 0.
  ///
  /// - Returns: Nil if memory is exhausted, and for a format without channels or a compressed one.
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

  /// A buffer of existing memory, which is taken as full.
  ///
  /// - Parameters:
  ///   - format: The format of the audio.
  ///   - bufferList: The memory; the list itself is copied.
  ///   - deallocator: Called with the list when the buffer is released.
  /// - Returns: Nil if the number of buffers in the list does not match the format, or their sizes differ.
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
      // The list's creator has checked that every buffer has memory.
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

  /// The number of valid frames, 0 at first. Limited to ``frameCapacity``.
  public var frameLength: AVAudioFrameCount {
    get { length }
    set {
      length = min(newValue, frameCapacity)
      let list = UnsafeMutableAudioBufferListPointer(mutableAudioBufferList)
      let width = UInt32(format.format.bytesPerFrame / max(list.count, 1))
      for index in list.indices { list[index].mDataByteSize = length * width }
    }
  }

  /// The addresses of the channels' samples, ``stride`` apart; nil unless samples are 32-bit floats.
  public var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? {
    channelData(.float32, of: Float.self)
  }
  /// The addresses of the channels' samples, ``stride`` apart; nil unless samples are 16-bit integers.
  public var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? {
    channelData(.int16, of: Int16.self)
  }
  /// The addresses of the channels' samples, ``stride`` apart; nil unless samples are 32-bit integers.
  public var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? {
    channelData(.int32, of: Int32.self)
  }

  private func channelData<Sample>(
    _ stored: AudioFormat.SampleFormat, of type: Sample.Type
  ) -> UnsafePointer<UnsafeMutablePointer<Sample>>? {
    guard format.format.sampleFormat == stored else { return nil }
    // Pointers to any type have the same layout.
    return UnsafePointer(
      UnsafeMutableRawPointer(channels).assumingMemoryBound(to: UnsafeMutablePointer<Sample>.self))
  }

  /// A sample for an asset writer, with an interleaved copy of the audio; nil if the buffer is empty.
  ///
  /// Not in Apple's API, where `CMSampleBufferSetDataBufferFromAudioBufferList` is used.
  public func sampleBuffer(at presentationTimeStamp: CMTime) -> CMSampleBuffer? {
    interleaved().map {
      CMSampleBuffer(
        .audio($0), presentationTimeStamp: presentationTimeStamp, duration: $0.duration)
    }
  }

  /// An interleaved copy of the audio; nil if the buffer is empty.
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

  /// Copies interleaved audio into the buffer, as many frames as fit.
  func fill(_ bytes: ArraySlice<UInt8>) {
    let width = format.format.sampleFormat.byteCount
    frameLength = AVAudioFrameCount(clamping: bytes.count / format.format.bytesPerFrame)
    bytes.withUnsafeBytes { source in
      each(Int(length)) { sample, place in
        source.baseAddress.map { sample.copyMemory(from: $0 + place, byteCount: width) }
      }
    }
  }

  /// Calls a function with the address of each sample and its byte offset in interleaved audio.
  private func each(_ frames: Int, _ body: (UnsafeMutableRawPointer, Int) -> Void) {
    let (count, width) = (format.format.channelCount, format.format.sampleFormat.byteCount)
    for channel in 0..<count {
      for frame in 0..<frames {
        body(channels[channel] + frame * stride * width, (frame * count + channel) * width)
      }
    }
  }
}
