import AVFoundationCompat
import AssetReader
import Synchronization
import TestSupport
import Testing

/// Samples from data outputs, and a program's own, through `AVAssetWriter`.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct WritingTests {
  /// A frame, and a writer with an input set up for it.
  private func frameWriter(
    _ url: URL
  ) throws -> (CMSampleBuffer, AVAssetWriter, AVAssetWriterInput) {
    let frame = try MutablePixelBuffer(.init(format: .uyvy, width: 64, height: 48)).finish()
    let sample = CMSampleBuffer(.video(frame), presentationTimeStamp: .zero)
    let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
    let input = AVAssetWriterInput(
      mediaType: .video, outputSettings: [AVVideoCodecKey: AVVideoCodecType.proRes422],
      sourceFormatHint: sample.formatDescription)
    return (sample, writer, input)
  }

  /// A recorder that begins its session with the first sample checks first whether the input is
  /// ready.
  @Test func an_input_is_ready_before_the_session_starts() async throws {
    let folder = try TemporaryFolder()
    let (first, writer, input) = try frameWriter(folder.url("a.mov"))
    writer.add(input)
    #expect(!input.isReadyForMoreMediaData)
    #expect(writer.startWriting() && input.isReadyForMoreMediaData)
    let isOver = Atomic(false)
    await withCheckedContinuation { continuation in
      input.requestMediaDataWhenReady(on: DispatchQueue(label: "pull")) {
        guard !isOver.exchange(true, ordering: .relaxed) else { return }
        #expect(input.append(first))
        input.markAsFinished()
        continuation.resume()
      }
      writer.startSession(atSourceTime: .zero)
    }
    await writer.finishWriting()
    #expect(writer.status == .completed)
  }

  @Test func a_writer_pulls_samples_and_can_be_cancelled() async throws {
    let folder = try TemporaryFolder()
    let (first, writer, input) = try frameWriter(folder.url("a.mov"))
    #expect(input.outputSettings?[AVVideoWidthKey] as? Int == 64)
    writer.add(input)
    writer.movieFragmentInterval = CMTime(value: 1, timescale: 1)
    #expect(writer.startWriting() && writer.inputs.count == 1)
    writer.startSession(atSourceTime: .zero)
    let next = Atomic<Int>(0)
    await withCheckedContinuation { continuation in
      input.requestMediaDataWhenReady(on: DispatchQueue(label: "pull")) {
        while input.isReadyForMoreMediaData {
          let frame = next.wrappingAdd(1, ordering: .relaxed).oldValue
          guard frame < 20 else {
            if frame == 20 {
              input.markAsFinished()
              continuation.resume()
            }
            return
          }
          var sample = first
          sample.presentationTimeStamp = CMTime(value: Int64(frame), timescale: 25)
          #expect(input.append(sample))
        }
      }
    }
    await writer.finishWriting()
    #expect(writer.status == .completed)
    let late = AVAssetWriterInput(mediaType: .video, outputSettings: input.outputSettings)
    writer.add(late)
    #expect((writer.error as? AVError)?.code == .operationNotAllowed)
    #expect(!late.append(first) && late.mediaType == .video)

    let other = try AVAssetWriter(outputURL: folder.url("b.mov"), fileType: .mov)
    other.add(AVAssetWriterInput(mediaType: .video, outputSettings: input.outputSettings))
    #expect(other.startWriting())
    other.cancelWriting()
    #expect(other.status == .cancelled)
    #expect((other.error as? AVError)?.code == .operationCancelled)
    #expect(!FileManager.default.fileExists(atPath: folder.url("b.mov").path))
  }

  /// Passes a data output's frames to a writer, from the first on.
  private final class Recorder: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate,
    AVCaptureAudioDataOutputSampleBufferDelegate
  {
    let writer: AVAssetWriter
    let video: AVAssetWriterInput
    let audio: AVAssetWriterInput
    let count = Atomic<Int>(0)
    let audioCount = Atomic<Int>(0)
    private var hasStarted = false

    init(
      url: URL, type: AVFileType = .mov, video settings: [String: Any]?,
      audio audioSettings: [String: Any]?
    ) throws {
      video = AVAssetWriterInput(mediaType: .video, outputSettings: settings)
      audio = AVAssetWriterInput(mediaType: .audio, outputSettings: audioSettings)
      writer = try AVAssetWriter(outputURL: url, fileType: type)
      for input in [video, audio] {
        input.expectsMediaDataInRealTime = true
        writer.add(input)
      }
    }

    func captureOutput(
      _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
      from connection: AVCaptureConnection
    ) {
      if output is AVCaptureAudioDataOutput {
        if hasStarted, audio.isReadyForMoreMediaData, audio.append(sampleBuffer) {
          audioCount.add(1, ordering: .relaxed)
        }
        return
      }
      if writer.status != .writing {
        #expect(writer.startWriting(), "\(writer.error.map { "\($0)" } ?? "")")
        writer.startSession(atSourceTime: CMSampleBufferGetPresentationTimeStamp(sampleBuffer))
        hasStarted = true
      }
      if video.isReadyForMoreMediaData, video.append(sampleBuffer) {
        count.add(1, ordering: .relaxed)
      }
    }
  }

  @Test(arguments: [AVFileType.mov, .mp4])
  func data_output_samples_are_written_by_a_writer(type: AVFileType) async throws {
    if type == .mp4, !EncoderCapabilities.current.interframeCodecs.contains(.h264) {
      try Test.cancel("libavcodec has no encoder of H.264")
    }
    let folder = try TemporaryFolder()
    let rig = try PatternRig()
    rig.session.removeOutput(rig.output)
    let microphone = try #require(AVCaptureDevice(uniqueID: "tone"))
    rig.session.addInput(try AVCaptureDeviceInput(device: microphone))
    let video = AVCaptureVideoDataOutput()
    video.alwaysDiscardsLateVideoFrames = false
    let audio = AVCaptureAudioDataOutput()
    rig.session.addOutput(video)
    rig.session.addOutput(audio)
    let url = folder.url("samples.\(type == .mov ? "mov" : "mp4")")
    if type == .mp4 {
      video.videoSettings = [
        kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA
      ]
    }
    let settings = video.recommendedVideoSettings(
      forVideoCodecType: type == .mov ? .proRes422 : .h264, assetWriterOutputFileType: type)
    #expect(settings?[AVVideoWidthKey] as? Int == 640)
    #expect(
      video.recommendedVideoSettings(
        forVideoCodecType: .proRes4444, assetWriterOutputFileType: .mov) == nil)
    let recorder = try Recorder(
      url: url, type: type, video: settings,
      audio: audio.recommendedAudioSettingsForAssetWriter(writingTo: type))
    let queue = DispatchQueue(label: "samples")
    video.setSampleBufferDelegate(recorder, queue: queue)
    audio.setSampleBufferDelegate(recorder, queue: queue)
    rig.session.startRunning()
    try await eventually("frames and audio arrive") {
      recorder.count.load(ordering: .relaxed) >= 10
        && recorder.audioCount.load(ordering: .relaxed) >= 2
    }
    rig.session.stopRunning()
    queue.sync {}
    recorder.video.markAsFinished()
    recorder.audio.markAsFinished()
    let writer = recorder.writer
    await withCheckedContinuation { continuation in
      writer.finishWriting { continuation.resume() }
    }
    #expect(writer.status == .completed && writer.error == nil)
    let report = try StrictDecoder(path: url.path).run()
    #expect(report.isClean && report.tracks.count { $0.track.mediaType == .video } == 1)
    #expect(report.tracks.contains { $0.track.mediaType == .audio && $0.sampleCount > 0 })
  }

  @Test func frames_in_an_unwanted_layout_are_dropped_and_reported() async throws {
    final class Listener: AVCaptureVideoDataOutputSampleBufferDelegate {
      let given = Atomic<Int>(0)
      let dropped = Atomic<Int>(0)
      func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
        from connection: AVCaptureConnection
      ) { given.add(1, ordering: .relaxed) }
      func captureOutput(
        _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer,
        from connection: AVCaptureConnection
      ) { dropped.add(1, ordering: .relaxed) }
    }
    let rig = try PatternRig()
    let output = AVCaptureVideoDataOutput()
    // Before there is a device: only the frames themselves give the format.
    output.videoSettings = [
      kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange
    ]
    let listener = Listener()
    output.setSampleBufferDelegate(listener, queue: DispatchQueue(label: "pictures"))
    rig.session.addOutput(output)
    rig.session.startRunning()
    try await eventually("three frames are dropped") {
      listener.dropped.load(ordering: .relaxed) >= 3
    }
    rig.session.stopRunning()
    #expect(listener.given.load(ordering: .relaxed) == 0)
  }

  @Test func frames_of_the_program_are_written_through_an_adaptor() async throws {
    let folder = try TemporaryFolder()
    let url = folder.url("own.mov")
    let small = try SmallWriter(to: url, compression: [AVVideoExpectedSourceFrameRateKey: 25])
    let (writer, input) = (small.writer, small.input)
    let adaptor = AVAssetWriterInputPixelBufferAdaptor(
      assetWriterInput: input,
      sourcePixelBufferAttributes: [
        kCVPixelBufferPixelFormatTypeKey as String:
          kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange
      ])
    small.begin()
    let pool = try #require(adaptor.pixelBufferPool)
    for frame in 0..<10 {
      try await eventually("the input is ready") { input.isReadyForMoreMediaData }
      var buffer: CVPixelBuffer?
      try await eventually("the pool has a buffer") {
        CVPixelBufferPoolCreatePixelBuffer(nil, pool, &buffer) == kCVReturnSuccess
      }
      let image = try #require(buffer)
      CVPixelBufferLockBaseAddress(image, [])
      for plane in 0..<CVPixelBufferGetPlaneCount(image) {
        let rows = CVPixelBufferGetHeightOfPlane(image, plane)
        let bytes = rows * CVPixelBufferGetBytesPerRowOfPlane(image, plane)
        let address = try #require(CVPixelBufferGetBaseAddressOfPlane(image, plane))
        let words = address.assumingMemoryBound(to: UInt16.self)
        for index in 0..<bytes / 2 { words[index] = UInt16(512 + frame * 8) << 6 }
      }
      CVPixelBufferUnlockBaseAddress(image, [])
      #expect(
        adaptor.append(
          image, withPresentationTime: CMTimeMake(value: Int64(frame), timescale: 25)))
    }
    // A sample that comes too early is refused, with the reason.
    try await eventually("the input is ready") { input.isReadyForMoreMediaData }
    let last = try MutablePixelBuffer(
      PixelBuffer.Description(format: .p210, width: 64, height: 48)
    ).finish()
    #expect(!adaptor.append(last, withPresentationTime: .zero))
    #expect((writer.error as? AVError)?.code == .invalidSourceMedia)
    #expect(writer.status == .writing)
    input.markAsFinished()
    await writer.finishWriting()
    #expect(writer.status == .completed && writer.error == nil)
    let report = try StrictDecoder(path: url.path).run()
    #expect(report.isClean && report.tracks.first?.sampleCount == 10)
  }

  @Test(arguments: [FrameRate.fps23_976, .fps25, .fps59_94])
  func the_first_two_frames_determine_an_unset_rate(rate: FrameRate) async throws {
    let folder = try TemporaryFolder()
    for count in 1...3 {
      let url = folder.url("\(count).mov")
      let small = try SmallWriter(to: url)
      let (writer, input) = (small.writer, small.input)
      small.begin()
      for frame in 0..<count {
        let image = try MutablePixelBuffer(.init(format: .p210, width: 64, height: 48)).finish()
        // As a clock in nanoseconds gives it.
        let time = rate.time(ofFrame: Int64(frame)).convertScale(
          1_000_000_000, method: .roundHalfAwayFromZero)
        #expect(input.append(CMSampleBuffer(.video(image), presentationTimeStamp: time)))
      }
      await writer.finishWriting()
      #expect(writer.status == .completed && writer.error == nil)
      let track = try #require(try StrictDecoder(path: url.path).run().tracks.first)
      #expect(track.sampleCount == count)
      #expect(track.track.frameRate == (count == 1 ? .fps25 : rate))
    }
  }

  @Test(arguments: ["a second session", "an end at the start", "a late input"])
  func after_an_error_only_earlier_samples_are_in_the_movie(
    mistake: String
  ) async throws {
    let folder = try TemporaryFolder()
    let (first, writer, input) = try frameWriter(folder.url("a.mov"))
    writer.add(input)
    try #require(writer.startWriting())
    writer.startSession(atSourceTime: .zero)
    #expect(input.append(first) && writer.status == .writing && writer.error == nil)
    switch mistake {
    case "a second session": writer.startSession(atSourceTime: .zero)
    case "an end at the start": writer.endSession(atSourceTime: .zero)
    default: writer.add(AVAssetWriterInput(mediaType: .video, outputSettings: input.outputSettings))
    }
    #expect(writer.status == .failed)
    let error = try #require(writer.error as? AVError)
    #expect(error.recordingSuccessfullyFinished != true)
    // A program waiting for the input to become ready is notified.
    #expect(input.isReadyForMoreMediaData)
    for frame in 1..<4 {
      var sample = first
      sample.presentationTimeStamp = CMTime(value: Int64(frame), timescale: 25)
      #expect(!input.append(sample), "\(frame)")
    }
    #expect(writer.error as? AVError == error)
    input.markAsFinished()
    #expect(!input.isReadyForMoreMediaData)
    await writer.finishWriting()
    #expect(writer.status == .failed && writer.error as? AVError == error)
    #expect((writer.error as? AVError)?.recordingSuccessfullyFinished == true)
    #expect(try MovieIndex(path: folder.path("a.mov")).tracks.first?.samples.count == 1)
  }

  @Test func invalid_adaptor_attributes_are_named() throws {
    let input = AVAssetWriterInput(
      mediaType: .video,
      outputSettings: [
        AVVideoCodecKey: AVVideoCodecType.proRes422, AVVideoWidthKey: 64, AVVideoHeightKey: 48,
      ])
    let folder = try TemporaryFolder()
    let writer = try AVAssetWriter(url: folder.url("a.mov"), fileType: .mov)
    writer.add(input)
    let adaptor = AVAssetWriterInputPixelBufferAdaptor(
      assetWriterInput: input, sourcePixelBufferAttributes: ["Alpha": true])
    #expect(adaptor.pixelBufferPool == nil)
    var frame: CVPixelBuffer?
    #expect(
      CVPixelBufferCreate(
        kCFAllocatorDefault, 64, 48, kCVPixelFormatType_422YpCbCr8, nil, &frame)
        == kCVReturnSuccess)
    #expect(!adaptor.append(try #require(frame), withPresentationTime: .zero))
    #expect((writer.error as? AVError)?.message.contains("'Alpha'") == true)
  }
}
