import AVFoundationCompat
import Synchronization
import TestSupport
import Testing

/// Several data outputs with one delegate.
@Suite(.timeLimit(.minutes(10)))
struct SynchronizerTests {
  private let rig: PatternRig
  private let queue = DispatchQueue(label: "synchronized")

  init() throws {
    rig = try PatternRig()
    rig.session.removeOutput(rig.output)
  }

  /// Keeps the collections it receives.
  private final class Listener: NSObject, AVCaptureDataOutputSynchronizerDelegate {
    let collections = Mutex<[AVCaptureSynchronizedDataCollection]>([])

    func dataOutputSynchronizer(
      _ synchronizer: AVCaptureDataOutputSynchronizer,
      didOutput synchronizedDataCollection: AVCaptureSynchronizedDataCollection
    ) {
      // Only the first few, because they hold the device's memory.
      collections.withLock { if $0.count < 6 { $0.append(synchronizedDataCollection) } }
    }

    var count: Int { collections.withLock { $0.count } }
  }

  /// Counts the samples that outputs deliver to their own delegate.
  private final class OwnListener: AVCaptureVideoDataOutputSampleBufferDelegate {
    let count = Atomic<Int>(0)
    func captureOutput(
      _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
      from connection: AVCaptureConnection
    ) { count.add(1, ordering: .relaxed) }
  }

  private func frames() -> AVCaptureVideoDataOutput {
    let output = AVCaptureVideoDataOutput()
    output.alwaysDiscardsLateVideoFrames = false
    rig.session.addOutput(output)
    return output
  }

  @Test func frames_of_two_outputs_are_delivered_together() async throws {
    let (first, second) = (frames(), frames())
    second.videoSettings = [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA]
    let own = OwnListener()
    first.setSampleBufferDelegate(own, queue: DispatchQueue(label: "own"))
    let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: [first, second])
    let listener = Listener()
    synchronizer.setDelegate(listener, queue: queue)
    #expect(synchronizer.error == nil && synchronizer.delegate === listener)
    #expect(synchronizer.dataOutputs.count == 2 && synchronizer.delegateCallbackQueue === queue)
    rig.session.startRunning()
    try await eventually("frames arrive together") {
      listener.collections.withLock { $0.contains { $0.count == 2 } }
    }
    #expect(own.count.load(ordering: .relaxed) == 0)
    let collections = listener.collections.withLock { $0 }
    for collection in collections where collection.count == 2 {
      let data = [first, second].map { collection.synchronizedData(for: $0) }
      #expect(data[0]?.timestamp == data[1]?.timestamp)
      #expect(collection.map(\.timestamp) == data.compactMap { $0?.timestamp })
      let made = try #require(collection[second] as? AVCaptureSynchronizedSampleBufferData)
      #expect(made.timestamp == made.sampleBuffer.presentationTimeStamp)
      guard !made.sampleBufferWasDropped else { continue }
      #expect(made.droppedReason == .none)
      let frame = try #require(CMSampleBufferGetImageBuffer(made.sampleBuffer))
      #expect(CVPixelBufferGetPixelFormatType(frame) == kCVPixelFormatType_32BGRA)
    }
    let times = collections.compactMap { $0.map(\.timestamp).first }
    #expect(times == times.sorted() && Set(times).count == times.count)
    // Afterwards the outputs call their own delegates again.
    synchronizer.setDelegate(nil, queue: nil)
    try await eventually("the output's own delegate is called") {
      own.count.load(ordering: .relaxed) > 0
    }
    rig.session.stopRunning()
    #expect(synchronizer.delegate == nil && synchronizer.delegateCallbackQueue == nil)
  }

  @Test func audio_and_video_are_both_synchronized() async throws {
    let tone = try #require(AVCaptureDevice(uniqueID: "tone"))
    rig.session.addInput(try AVCaptureDeviceInput(device: tone))
    let (video, audio) = (frames(), AVCaptureAudioDataOutput())
    rig.session.addOutput(audio)
    let found = Mutex<Set<MediaType>>([])
    final class Sorter: AVCaptureDataOutputSynchronizerDelegate {
      let take: (AVCaptureSynchronizedData) -> Void
      init(_ take: @escaping (AVCaptureSynchronizedData) -> Void) { self.take = take }
      func dataOutputSynchronizer(
        _ synchronizer: AVCaptureDataOutputSynchronizer,
        didOutput synchronizedDataCollection: AVCaptureSynchronizedDataCollection
      ) { for datum in synchronizedDataCollection { take(datum) } }
    }
    let sorter = Sorter { datum in
      guard let data = datum as? AVCaptureSynchronizedSampleBufferData else { return }
      _ = found.withLock { $0.insert(data.sampleBuffer.mediaType) }
    }
    let synchronizer = AVCaptureDataOutputSynchronizer(
      dataOutputs: [video, audio, AVCaptureMetadataOutput()])
    synchronizer.setDelegate(sorter, queue: queue)
    rig.session.startRunning()
    try await eventually("frames and audio arrive") { found.withLock { $0.count == 2 } }
    rig.session.stopRunning()
  }

  @Test func a_dropped_frame_is_reported_with_its_reason() async throws {
    let output = AVCaptureVideoDataOutput()
    rig.session.addOutput(output)
    let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: [output])
    let listener = Listener()
    synchronizer.setDelegate(listener, queue: queue)
    let drops = output.droppedSamples
    queue.suspend()
    rig.session.startRunning()
    // While the delegate is busy, late frames are discarded according to the output's setting.
    for await _ in drops { break }
    queue.resume()
    try await eventually("the drop is reported") { listener.count >= 2 }
    rig.session.stopRunning()
    let data = listener.collections.withLock { $0 }.compactMap {
      $0[output] as? AVCaptureSynchronizedSampleBufferData
    }
    #expect(data.first?.sampleBufferWasDropped == false)
    let dropped = try #require(data.first { $0.sampleBufferWasDropped })
    #expect(dropped.droppedReason == AVCaptureOutput.DataDroppedReason.lateData)
  }

  @Test func an_invalid_synchronizer_reports_an_error_and_leaves_delegates() async throws {
    let output = frames()
    let own = OwnListener()
    output.setSampleBufferDelegate(own, queue: DispatchQueue(label: "own"))
    let elsewhere = AVCaptureVideoDataOutput()
    let other = AVCaptureSession()
    other.addOutput(elsewhere)
    let listener = Listener()
    let wrong: [([AVCaptureOutput], String)] = [
      ([], "one data output"), ([output, output], "twice"), ([output, rig.output], "takes only"),
      ([output, elsewhere], "different sessions"),
    ]
    let kept = wrong.map { outputs, words in
      let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: outputs)
      synchronizer.setDelegate(listener, queue: queue)
      #expect(synchronizer.error?.message.contains(words) == true)
      #expect(synchronizer.error?.code == .operationNotAllowed && synchronizer.delegate == nil)
      return synchronizer
    }
    let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: [output])
    synchronizer.setDelegate(listener, queue: nil)
    #expect(synchronizer.error?.message.contains("queue") == true)
    rig.session.startRunning()
    try await eventually("the output's own delegate is called") {
      own.count.load(ordering: .relaxed) > 0
    }
    rig.session.stopRunning()
    #expect(listener.count == 0)
    withExtendedLifetime(kept) {}
  }
}
