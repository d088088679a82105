import AVFoundationCompat

/// A recorder with a pause: samples after it are moved back by its duration.
final class RetimedSamples {
  private var offset = CMTime.zero
  private var last = CMTime.invalid
  private var isAfterPause = false

  func pause() { isAfterPause = true }

  func adjust(_ sample: CMSampleBuffer) -> CMSampleBuffer? {
    let time = CMSampleBufferGetPresentationTimeStamp(sample)
    if isAfterPause {
      isAfterPause = false
      if last.flags.contains(.valid) {
        let frame = CMSampleBufferGetDuration(sample)
        offset = CMTimeAdd(offset, CMTimeSubtract(CMTimeSubtract(time, offset), last) - frame)
      }
    }
    var copy = sample
    if offset.value > 0 {
      guard let moved = retimed(sample, by: offset) else { return nil }
      copy = moved
    }
    last = CMSampleBufferGetPresentationTimeStamp(copy)
    return copy
  }

  private func retimed(_ sample: CMSampleBuffer, by offset: CMTime) -> CMSampleBuffer? {
    var count: CMItemCount = 0
    CMSampleBufferGetSampleTimingInfoArray(
      sample, entryCount: 0, arrayToFill: nil, entriesNeededOut: &count)
    var info = [CMSampleTimingInfo](
      repeating: CMSampleTimingInfo(
        duration: .zero, presentationTimeStamp: .zero, decodeTimeStamp: .zero), count: count)
    CMSampleBufferGetSampleTimingInfoArray(
      sample, entryCount: count, arrayToFill: &info, entriesNeededOut: &count)
    for index in 0..<count {
      info[index].presentationTimeStamp = CMTimeSubtract(
        info[index].presentationTimeStamp, offset)
      info[index].decodeTimeStamp = CMTimeSubtract(info[index].decodeTimeStamp, offset)
    }
    var copy: CMSampleBuffer?
    let status = CMSampleBufferCreateCopyWithNewTiming(
      allocator: kCFAllocatorDefault, sampleBuffer: sample, sampleTimingEntryCount: count,
      sampleTimingArray: &info, sampleBufferOut: &copy)
    return status == noErr ? copy : nil
  }

  static func frame(at seconds: Double) throws -> CMSampleBuffer {
    var buffer: CVPixelBuffer?
    let status = CVPixelBufferCreate(
      kCFAllocatorDefault, 64, 48, kCVPixelFormatType_422YpCbCr8, nil, &buffer)
    guard status == kCVReturnSuccess, let buffer else { throw AVError(.unknown) }
    var format: CMVideoFormatDescription?
    CMVideoFormatDescriptionCreateForImageBuffer(
      allocator: kCFAllocatorDefault, imageBuffer: buffer, formatDescriptionOut: &format)
    guard let format else { throw AVError(.formatUnsupported) }
    var timing = CMSampleTimingInfo(
      duration: CMTime(value: 1, timescale: 25),
      presentationTimeStamp: CMTime(seconds: seconds, preferredTimescale: 600),
      decodeTimeStamp: .invalid)
    var sample: CMSampleBuffer?
    CMSampleBufferCreateReadyWithImageBuffer(
      allocator: kCFAllocatorDefault, imageBuffer: buffer, formatDescription: format,
      sampleTiming: &timing, sampleBufferOut: &sample)
    guard let sample else { throw AVError(.invalidSourceMedia) }
    return sample
  }

  static func run() async throws {
    let program = RetimedSamples()
    var times: [Double] = []
    for (index, seconds) in [10, 10.04, 20, 20.04].enumerated() {
      if index == 2 { program.pause() }
      guard let sample = program.adjust(try frame(at: seconds)) else { continue }
      times.append(CMTimeGetSeconds(sample.presentationTimeStamp))
      let infos = try sample.sampleTimingInfos()
      expect(infos.count == 1 && infos[0].duration.seconds == 0.04, "the duration changed")
    }
    let wanted = [10, 10.04, 10.08, 10.12]
    expect(times.count == 4, "\(times.count) samples were retimed")
    expect(zip(times, wanted).allSatisfy { abs($0 - $1) < 1e-6 }, "the times are \(times)")
    let copy = try CMSampleBuffer(
      copying: frame(at: 1),
      withNewTiming: [
        CMSampleTimingInfo(
          duration: .invalid, presentationTimeStamp: .zero, decodeTimeStamp: .invalid)
      ])
    expect(copy.presentationTimeStamp == .zero, "a copy has no new time")
  }
}
