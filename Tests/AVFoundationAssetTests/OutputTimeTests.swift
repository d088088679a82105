import AVFoundationCompat
import TestSupport
import Testing

/// Output presentation times of samples, and the errors of sample calls.
@Suite struct OutputTimeTests {
  private static let second = CMTime(value: 1, timescale: 1)

  private func sample(_ seconds: Int64 = 0) throws -> CMSampleBuffer {
    let frame = try MutablePixelBuffer(.init(format: .uyvy, width: 16, height: 16)).finish()
    return CMSampleBuffer(
      .video(frame), presentationTimeStamp: CMTime(value: seconds, timescale: 1))
  }

  @Test func output_times_are_shared_until_a_sample_is_copied() throws {
    let sample = try sample()
    let copy = sample
    #expect(CMSampleBufferGetOutputPresentationTimeStamp(sample) == .zero)
    #expect(CMSampleBufferSetOutputPresentationTimeStamp(sample, newValue: Self.second) == noErr)
    #expect(copy.outputPresentationTimeStamp == Self.second)
    #expect(CMSampleBufferGetOutputPresentationTimeStamp(copy) == Self.second)
    #expect(copy.presentationTimeStamp == .zero)
    // It is not an attachment.
    #expect(sample.attachments.nonPropagated.isEmpty && sample.attachments.propagated.isEmpty)
    CMRemoveAllAttachments(sample)
    #expect(sample.outputPresentationTimeStamp == Self.second)
    var another: CMSampleBuffer?
    #expect(
      CMSampleBufferCreateCopy(
        allocator: kCFAllocatorDefault, sampleBuffer: sample, sampleBufferOut: &another) == noErr)
    try sample.setOutputPresentationTimeStamp(newValue: .invalid)
    #expect(copy.outputPresentationTimeStamp == .zero)
    #expect(another?.outputPresentationTimeStamp == Self.second)
    // Retiming a sample also moves its output time.
    let timing = CMSampleTimingInfo(
      duration: .invalid, presentationTimeStamp: CMTime(value: 9, timescale: 1),
      decodeTimeStamp: .invalid)
    let moved = try CMSampleBuffer(copying: try #require(another), withNewTiming: [timing])
    #expect(moved.outputPresentationTimeStamp.seconds == 9)
  }

  @Test func queues_can_sort_by_output_time() throws {
    let queue = try CMBufferQueue(handlers: .outputPTSSortedSampleBuffers)
    let (first, second) = (try sample(1), try sample(2))
    try first.setOutputPresentationTimeStamp(newValue: CMTime(value: 3, timescale: 1))
    try queue.enqueue(first)
    try queue.enqueue(second)
    let times = (0..<2).map { _ in
      (queue.dequeue() as? CMSampleBuffer)?.presentationTimeStamp.seconds
    }
    #expect(times == [2, 1])
  }

  @Test func samples_from_a_reader_accept_output_times_and_attachments() async throws {
    let rig = try ReadingRig()
    let asset = try await rig.makeMovie()
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(track: asset.tracks[0], outputSettings: [:])
    reader.add(output)
    try #require(reader.startReading())
    let sample = try #require(output.copyNextSampleBuffer())
    #expect(CMSampleBufferSetOutputPresentationTimeStamp(sample, newValue: Self.second) == noErr)
    #expect(sample.outputPresentationTimeStamp == Self.second)
    CMSetAttachment(
      sample, key: "Take", value: 2, attachmentMode: kCMAttachmentMode_ShouldNotPropagate)
    #expect(CMGetAttachment(sample, key: "Take", attachmentModeOut: nil) as? Int == 2)
    reader.cancelReading()
  }

  @Test func sample_buffer_errors_have_core_media_codes() {
    // CMSampleBuffer.h: these names, in this order.
    let errors: [CMSampleBuffer.Error] = [
      .allocationFailed, .requiredParameterMissing, .alreadyHasDataBuffer, .bufferNotReady,
      .sampleIndexOutOfRange, .bufferHasNoSampleSizes, .bufferHasNoSampleTimingInfo,
      .arrayTooSmall, .invalidEntryCount, .cannotSubdivide, .sampleTimingInfoInvalid,
      .invalidMediaTypeForOperation, .invalidSampleData, .invalidMediaFormat, .invalidated,
    ]
    #expect(errors.map(\.status) == (0..<15).map { -12730 - $0 })
    #expect(CMSampleBuffer.Error.dataFailed.status == -16750)
    #expect(CMSampleBuffer.Error.dataCanceled.errorCode == -16751)
    #expect(CMSampleBuffer.Error.arrayTooSmall.status == kCMSampleBufferError_ArrayTooSmall)
    #expect(Set(errors.map(\.message)).count == errors.count)
    #expect(errors.allSatisfy { "\($0)" == $0.message && $0.localizedDescription == $0.message })
    let thrown: any Error = CMSampleBuffer.Error.bufferNotReady
    #expect((thrown as NSError).domain == "NSOSStatusErrorDomain")
    #expect((thrown as NSError).code == -12733)
    do { throw thrown } catch CMSampleBuffer.Error.bufferNotReady {
    } catch { Issue.record("\(error) does not match its case") }
  }
}
