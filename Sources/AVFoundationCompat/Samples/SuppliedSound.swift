// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
public import MediaCore
import Synchronization

/// Posted when the audio of a sample is set that was made without.
public let kCMSampleBufferNotification_DataBecameReady = "DataBecameReady"

/// A sample has its bytes already.
public let kCMSampleBufferError_AlreadyHasDataBuffer: OSStatus = -12732

/// The audio of a sample that was made without it, among what the sample's copies share.
enum SuppliedSound: Sendable {
  case awaited
  case given(MediaCore.AudioBuffer, CMBlockBuffer)
}

extension SampleBuffer {
  /// Silence, whose audio is yet to be set: see
  /// ``CMSampleBufferSetDataBufferFromAudioBufferList(_:blockBufferAllocator:blockBufferMemoryAllocator:flags:bufferList:)``.
  ///
  /// - Parameter count: Frames.
  init?(awaitingSoundOf format: AudioFormat, count: CMItemCount, at time: CMTime) {
    // At most 256 MiB, for the count is only what a program says.
    let size = count.multipliedReportingOverflow(by: format.bytesPerFrame)
    guard count > 0, !size.overflow, size.partialValue <= 1 << 28,
      let silence = try? MediaCore.AudioBuffer(
        format: format, bytes: [UInt8](repeating: 0, count: size.partialValue))
    else { return nil }
    self.init(.audio(silence), presentationTimeStamp: time, duration: silence.duration)
    self = withOwnNotes()
    notes?.contents.withLock { $0.lent = SuppliedSound.awaited }
  }

  /// Nil for a sample that was made with its audio, and for a picture.
  var supplied: SuppliedSound? {
    notes?.contents.withLock { $0.lent as? SuppliedSound }
  }

  /// True until somebody sets the audio of a sample that was made without.
  var awaitsSound: Bool { if case .awaited? = supplied { true } else { false } }

  /// The audio, also where it was set later; nil for a picture and timecode, and until it is set.
  var sound: MediaCore.AudioBuffer? {
    if dataSample != nil { return nil }
    return switch supplied {
    case .awaited?: nil
    case .given(let sound, _)?: sound
    case nil: audioBuffer
    }
  }

  /// The block that audio was set as; nil for other samples.
  var suppliedBlock: CMBlockBuffer? {
    if case .given(_, let block)? = supplied { block } else { nil }
  }

  /// The sample with the audio that was set later.
  var withSuppliedSound: SampleBuffer { with(supplied) }

  /// The sample with audio that was set later.
  func with(_ supplied: SuppliedSound?) -> SampleBuffer {
    guard case .given(let sound, _)? = supplied else { return self }
    var whole = SampleBuffer(
      .audio(sound), presentationTimeStamp: presentationTimeStamp, duration: duration,
      attachments: sourceFacts)
    whole.notes = notes
    return whole
  }

  /// Sets the audio of a sample that waits for it; false where it has some.
  fileprivate func supply(_ sound: MediaCore.AudioBuffer, _ block: CMBlockBuffer) -> Bool {
    notes?.contents.withLock { contents in
      guard case .awaited? = contents.lent as? SuppliedSound else { return false }
      contents.lent = SuppliedSound.given(sound, block)
      return true
    } ?? false
  }
}

/// Sets the audio of a sample that was made without, by `CMSampleBufferCreate` with no block and `dataReady` of false:
/// a copy of a list's bytes, of one buffer as they are, or of as many as there are channels, whose samples then take
/// turns. The sample and its copies are ready then.
///
/// - Parameters:
///   - sbuf: The sample.
///   - blockBufferAllocator: Ignored.
///   - blockBufferMemoryAllocator: Ignored.
///   - flags: Ignored: the bytes are aligned.
///   - bufferList: The audio, of exactly as many frames as the sample has.
/// - Returns: ``kCMSampleBufferError_InvalidMediaFormat`` for a picture,
///   ``kCMSampleBufferError_AlreadyHasDataBuffer`` where there is audio,
///   ``kCMSampleBufferError_RequiredParameterMissing`` for a buffer without an address,
///   ``kCMSampleBufferError_InvalidEntryCount`` for another number of buffers or bytes.
@discardableResult
public func CMSampleBufferSetDataBufferFromAudioBufferList(
  _ sbuf: CMSampleBuffer, blockBufferAllocator: CFAllocator?,
  blockBufferMemoryAllocator: CFAllocator?, flags: UInt32,
  bufferList: UnsafePointer<AudioBufferList>
) -> OSStatus {
  guard let silence = sbuf.audioBuffer else { return kCMSampleBufferError_InvalidMediaFormat }
  guard sbuf.awaitsSound else { return kCMSampleBufferError_AlreadyHasDataBuffer }
  let format = silence.format
  let list = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: bufferList))
  guard list.count == 1 || list.count == format.channelCount,
    list.allSatisfy({ Int($0.mDataByteSize) == silence.bytes.count / list.count })
  else { return kCMSampleBufferError_InvalidEntryCount }
  let runs = list.compactMap { buffer in
    buffer.mData.map { UnsafeRawBufferPointer(start: $0, count: Int(buffer.mDataByteSize)) }
  }
  guard runs.count == list.count else { return kCMSampleBufferError_RequiredParameterMissing }
  guard
    let sound = try? MediaCore.AudioBuffer(
      format: format, bytes: interleaved(runs, width: format.bytesPerFrame / format.channelCount)),
    let block = try? CMBlockBuffer(copying: sound.bytes)
  else { return kCMBlockBufferBlockAllocationFailedErr }
  guard sbuf.supply(sound, block) else { return kCMSampleBufferError_AlreadyHasDataBuffer }
  NotificationCenter.default.post(
    name: Notification.Name(kCMSampleBufferNotification_DataBecameReady), object: nil)
  return noErr
}

/// Channels of equal length as one run, in which their samples take turns.
private func interleaved(_ channels: [UnsafeRawBufferPointer], width: Int) -> [UInt8] {
  guard channels.count > 1, let first = channels.first else {
    return channels.flatMap { [UInt8]($0) }
  }
  var bytes: [UInt8] = []
  bytes.reserveCapacity(first.count * channels.count)
  for start in stride(from: 0, to: first.count, by: width) {
    for channel in channels { bytes += channel[start..<start + width] }
  }
  return bytes
}
