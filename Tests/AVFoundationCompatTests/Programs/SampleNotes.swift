import AVFoundationCompat

/// A delegate that asks why a frame was dropped, and marks samples for display.
final class SampleNotes: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, @unchecked Sendable
{
  private let session = AVCaptureSession()
  private let output = AVCaptureVideoDataOutput()
  private let queue = DispatchQueue(label: "slow pictures")
  private let dropped = DispatchSemaphore(value: 0)
  private var reasons: [String] = []

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {
    // Slower than the camera.
    Thread.sleep(forTimeInterval: 0.15)
  }

  func captureOutput(
    _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {
    var mode = CMAttachmentMode(0)
    let reason = CMGetAttachment(
      sampleBuffer, key: kCMSampleBufferAttachmentKey_DroppedFrameReason, attachmentModeOut: &mode)
    if let reason = reason as? String { reasons.append(reason) }
    dropped.signal()
  }

  func start() throws {
    session.addInput(try AVCaptureDeviceInput(device: .testCamera()))
    session.addOutput(output)
    output.alwaysDiscardsLateVideoFrames = true
    output.setSampleBufferDelegate(self, queue: queue)
    session.startRunning()
  }

  func stop() -> [String] {
    let isDropped = dropped.wait(timeout: .now() + 60) == .success
    session.stopRunning()
    expect(isDropped, "nothing was dropped")
    return queue.sync { reasons }
  }

  static func mark(_ sample: CMSampleBuffer) {
    if let attachments = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: true),
      attachments.count > 0
    {
      sample.sampleAttachments[0][.displayImmediately] = true
    }
    CMSetAttachment(
      sample, key: "note" as CFString, value: "first" as CFString,
      attachmentMode: kCMAttachmentMode_ShouldPropagate)
  }

  static func run() async throws {
    let program = SampleNotes()
    try program.start()
    let reasons = program.stop()
    let known = [
      kCMSampleBufferDroppedFrameReason_FrameWasLate,
      kCMSampleBufferDroppedFrameReason_OutOfBuffers,
    ]
    expect(reasons.first.map(known.contains) == true, "the reason is \(reasons)")
    let sample = try RetimedSamples.frame(at: 0)
    mark(sample)
    let all = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false)
    let first = (all as? [[String: Any]])?.first
    expect(
      first?[kCMSampleAttachmentKey_DisplayImmediately as String] as? Bool == true,
      "the sample is not marked")
    let isSync = !(first?[kCMSampleAttachmentKey_NotSync as String] as? Bool ?? false)
    expect(isSync, "a frame is not a key frame")
    if let note = CMGetAttachment(sample, key: "note" as CFString, attachmentModeOut: nil) {
      expect(note as? String == "first", "the note is \(note)")
    } else {
      expect(false, "the note is missing")
    }
    let notes: CFDictionary? = CMCopyDictionaryOfAttachments(
      allocator: kCFAllocatorDefault, target: sample,
      attachmentMode: kCMAttachmentMode_ShouldPropagate)
    expect(notes?["note"] != nil, "the note is not among those that propagate")
  }
}
