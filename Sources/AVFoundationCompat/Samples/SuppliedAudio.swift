// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
public import MediaCore
import Synchronization

/// Posted when the audio of a sample created without it is set.
public let kCMSampleBufferNotification_DataBecameReady = "DataBecameReady"

/// The sample already has its bytes.
public let kCMSampleBufferError_AlreadyHasDataBuffer: OSStatus = -12732

/// The audio of a sample created without it. A sample's copies share it.
enum SuppliedAudio: Sendable {
  case awaited
  case given(MediaCore.AudioBuffer, CMBlockBuffer)
}

extension SampleBuffer {
  /// A sample of silence that waits for its audio: see
  /// ``CMSampleBufferSetDataBufferFromAudioBufferList(_:blockBufferAllocator:blockBufferMemoryAllocator:flags:bufferList:)``.
  ///
  /// - Parameter count: The number of frames.
  init?(awaitingAudioOf format: AudioFormat, count: CMItemCount, at time: CMTime) {
    // At most 256 MiB, because the program's count may be wrong.
    let size = count.multipliedReportingOverflow(by: format.bytesPerFrame)
    guard count > 0, !size.overflow, size.partialValue <= 1 << 28,
      let silence = try? MediaCore.AudioBuffer(
        format: format, bytes: [UInt8](repeating: 0, count: size.partialValue))
    else { return nil }
    self.init(.audio(silence), presentationTimeStamp: time, duration: silence.duration)
    self = withOwnNotes()
    notes?.contents.withLock { $0.lent = SuppliedAudio.awaited }
  }

  /// Nil for a sample created with its audio, and for video.
  var supplied: SuppliedAudio? {
    notes?.contents.withLock { $0.lent as? SuppliedAudio }
  }

  /// True while a sample created without audio waits for it.
  var awaitsAudio: Bool { if case .awaited? = supplied { true } else { false } }

  /// The audio, including audio set later; nil for video, timecode and audio that was not set yet.
  var audio: MediaCore.AudioBuffer? {
    if dataSample != nil { return nil }
    return switch supplied {
    case .awaited?: nil
    case .given(let audio, _)?: audio
    case nil: audioBuffer
    }
  }

  /// The block of audio set later; nil for other samples.
  var suppliedBlock: CMBlockBuffer? {
    if case .given(_, let block)? = supplied { block } else { nil }
  }

  /// The sample with the audio set later, if any.
  var withSuppliedAudio: SampleBuffer { with(supplied) }

  /// The sample with audio set later.
  func with(_ supplied: SuppliedAudio?) -> SampleBuffer {
    guard case .given(let audio, _)? = supplied else { return self }
    var whole = SampleBuffer(
      .audio(audio), presentationTimeStamp: presentationTimeStamp, duration: duration,
      attachments: sourceFacts)
    whole.notes = notes
    return whole
  }

  /// Sets the audio of a sample that waits for it; false if it already has some.
  fileprivate func supply(_ audio: MediaCore.AudioBuffer, _ block: CMBlockBuffer) -> Bool {
    notes?.contents.withLock { contents in
      guard case .awaited? = contents.lent as? SuppliedAudio else { return false }
      contents.lent = SuppliedAudio.given(audio, block)
      return true
    } ?? false
  }
}

/// Sets the audio of a sample created by `CMSampleBufferCreate` without a block and with `dataReady` false. The bytes
/// are copied: interleaved from one buffer, or from one buffer for each channel. The sample and its copies are then
/// ready.
///
/// - Parameters:
///   - sbuf: The sample.
///   - blockBufferAllocator: Ignored.
///   - blockBufferMemoryAllocator: Ignored.
///   - flags: Ignored: the bytes are aligned.
///   - bufferList: The audio, with exactly as many frames as the sample.
/// - Returns: ``kCMSampleBufferError_InvalidMediaFormat`` for video, ``kCMSampleBufferError_AlreadyHasDataBuffer`` if
///   the audio is already set, ``kCMSampleBufferError_RequiredParameterMissing`` for a buffer without an address,
///   ``kCMSampleBufferError_InvalidEntryCount`` for a wrong number of buffers or bytes.
@discardableResult
public func CMSampleBufferSetDataBufferFromAudioBufferList(
  _ sbuf: CMSampleBuffer, blockBufferAllocator: CFAllocator?,
  blockBufferMemoryAllocator: CFAllocator?, flags: UInt32,
  bufferList: UnsafePointer<AudioBufferList>
) -> OSStatus {
  guard let silence = sbuf.audioBuffer else { return kCMSampleBufferError_InvalidMediaFormat }
  guard sbuf.awaitsAudio else { return kCMSampleBufferError_AlreadyHasDataBuffer }
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
    let audio = try? MediaCore.AudioBuffer(
      format: format, bytes: interleaved(runs, width: format.bytesPerFrame / format.channelCount)),
    let block = try? CMBlockBuffer(copying: audio.bytes)
  else { return kCMBlockBufferBlockAllocationFailedErr }
  guard sbuf.supply(audio, block) else { return kCMSampleBufferError_AlreadyHasDataBuffer }
  NotificationCenter.default.post(
    name: Notification.Name(kCMSampleBufferNotification_DataBecameReady), object: nil)
  return noErr
}

/// Interleaves channels of equal length.
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
