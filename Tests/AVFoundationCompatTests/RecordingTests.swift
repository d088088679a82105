import AVFoundationCompat
import AssetReader
import Synchronization
import TestSupport
import Testing

/// What Apple's articles do, written anew in their names.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct RecordingTests {
  @Test func the_session_takes_what_it_is_told_to_take() throws {
    let rig = try PatternRig()
    #expect(rig.session.canSetSessionPreset(.inputPriority))
    #expect(!rig.session.canAddOutput(rig.output))
    let output: AVCaptureOutput = rig.output
    #expect(output == rig.output && output != AVCaptureVideoDataOutput())
    #expect(rig.session.outputs.first.map { $0 == rig.output } == true)
    let port = try #require(rig.session.inputs.first?.ports.first as AVCaptureInput.Port?)
    let data = AVCaptureVideoDataOutput()
    rig.session.addOutputWithNoConnections(data)
    #expect(data.connections.isEmpty)
    let connection = AVCaptureConnection(inputPorts: [port], output: data)
    #expect(rig.session.canAddConnection(connection))
    rig.session.addConnection(connection)
    #expect(data.connection(with: .video) == connection && connection.mediaType == .video)
    for ports in [[], [port, port]] {
      #expect(!rig.session.canAddConnection(AVCaptureConnection(inputPorts: ports, output: data)))
    }
    #expect(rig.device.activeFormat.formatDescription.dimensions.width == 640)
    #expect(rig.device.activeFormat.mediaType == .video && rig.device.position == .unspecified)
    let range = try #require(rig.device.activeFormat.videoSupportedFrameRateRanges.first)
    #expect(range.minFrameRate <= range.maxFrameRate && range.maxFrameRate >= 25.0)
    #expect(AVCaptureDevice.authorizationStatus(for: .video) == .authorized)
    let discovery = AVCaptureDevice.DiscoverySession(
      deviceTypes: [.builtInWideAngleCamera], mediaType: .video, position: .back)
    #expect(discovery.devices.isEmpty)
    #expect(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back) == nil)
    #expect(AVCaptureDevice.default(for: .video) != nil)
  }

  @Test func a_session_and_its_device_tell_of_themselves() throws {
    let rig = try PatternRig()
    #expect(rig.session.sessionPreset == .inputPriority && !rig.session.isInterrupted)
    let device = rig.device
    #expect(!device.localizedName.isEmpty && device.uniqueID == "pattern:bars")
    #expect(device.modelID == "pattern" && device.manufacturer == device.identity.manufacturer)
    #expect(device.isConnected && device.hasMediaType(.video) && device.deviceType == .pattern)
    #expect(device.position == AVCaptureDevice.Position.unspecified)
    let format: AVCaptureDevice.Format = device.activeFormat
    #expect(format.supportedMaxPhotoDimensions == [CMVideoDimensions(width: 640, height: 360)])
    let range: AVFrameRateRange = try #require(format.videoSupportedFrameRateRanges.first)
    #expect(range.minFrameDuration <= range.maxFrameDuration)
    for type: AVCaptureDevice.DeviceType in [
      .builtInTelephotoCamera, .builtInUltraWideCamera, .builtInDualCamera, .builtInTripleCamera,
    ] {
      #expect(AVCaptureDevice.default(type, for: .video, position: .unspecified) == nil)
    }
    #expect(AVCaptureDevice.DeviceType.externalUnknown == .external)
    #expect(AVCaptureDevice.DeviceType.builtInMicrophone == .microphone)
    #expect(throws: CaptureError.self) {
      try device.setExposureModeCustom(SensorExposure(duration: 1))
    }
    let sensor = try #require(AVCaptureDevice(uniqueID: "pattern:raw"))
    #expect(try sensor.setExposureModeCustom(SensorExposure(duration: 0.01)).duration == 0.01)

    let data = AVCaptureVideoDataOutput()
    rig.session.addInputWithNoConnections(
      try AVCaptureDeviceInput(device: AVCaptureDevice.device(identifier: "tone")))
    rig.session.addOutput(data)
    #expect(data.sampleBufferDelegate == nil && rig.session.inputs.count == 2)
    #expect(data.availableVideoCodecTypesForAssetWriter(writingTo: .mov).contains(.proRes422HQ))
    #expect(data.recommendedVideoSettingsForAssetWriter(writingTo: .mov)?.isEmpty == false)
    let connection = try #require(data.connection(with: .video))
    #expect(connection.isEnabled && !connection.isActive)
    rig.session.removeConnection(connection)
    #expect(data.connections.isEmpty)
    rig.session.removeInput(try #require(rig.session.inputs.last))
    #expect(rig.session.inputs.count == 1)
  }

  @Test(.tags(.judges))
  func a_recording_whose_device_is_taken_out_of_the_session_says_so_and_is_whole()
    async throws
  {
    let rig = try PatternRig()
    let folder = try TemporaryFolder()
    let finished = AsyncStream.makeStream(of: AVError?.self)
    let listener = InputRemover(rig.session) { finished.continuation.yield($0) }
    rig.session.startRunning()
    rig.output.startRecording(to: folder.url("take.mov"), recordingDelegate: listener)
    var ends = finished.stream.makeAsyncIterator()
    let end = await ends.next()
    let error = try #require(end ?? nil)
    #expect(error.code == .sessionConfigurationChanged)
    #expect(error.recordingSuccessfullyFinished == true)
    rig.session.stopRunning()
    #expect(try Judges.strictDecode(folder.path("take.mov")) == "")
    #expect(AVError(CaptureError(.nothingRecorded, "none")).code == .noDataCaptured)
  }

  @Test func what_happens_to_a_session_is_posted_in_order() async throws {
    let rig = try PatternRig()
    let posted = Mutex<[String]>([])
    let error = Mutex<AVError?>(nil)
    let names: [Notification.Name] = [
      .AVCaptureSessionRuntimeError, .AVCaptureSessionDidStartRunning,
      .AVCaptureSessionDidStopRunning, .AVCaptureSessionWasInterrupted,
      .AVCaptureSessionInterruptionEnded,
    ]
    #expect(
      names == [
        AVCaptureSession.runtimeErrorNotification, AVCaptureSession.didStartRunningNotification,
        AVCaptureSession.didStopRunningNotification, AVCaptureSession.wasInterruptedNotification,
        AVCaptureSession.interruptionEndedNotification,
      ])
    let observers = names.map { name in
      NotificationCenter.default.addObserver(forName: name, object: rig.session, queue: nil) {
        notification in
        if let found = notification.userInfo?[AVCaptureSessionErrorKey] as? AVError {
          error.withLock { $0 = found }
        }
        posted.withLock { $0.append(notification.name.rawValue) }
      }
    }
    rig.session.startRunning()
    rig.session.addOutput(rig.output)
    rig.session.stopRunning()
    try await eventually("three notifications come") { posted.withLock { $0.count } >= 3 }
    for observer in observers { NotificationCenter.default.removeObserver(observer) }
    #expect(posted.withLock { $0 } == [names[1], names[0], names[2]].map(\.rawValue))
    #expect(error.withLock { $0 }?.code == .operationNotAllowed)
  }

  @Test func a_lost_signal_is_posted_as_an_interruption_with_its_reason() async throws {
    let rig = try PatternRig("pattern:bars?signal=3,0.2")
    let reason = Mutex<AVError?>(nil)
    let hasEnded = Atomic<Bool>(false)
    let center = NotificationCenter.default
    let observers = [
      center.addObserver(
        forName: AVCaptureSession.wasInterruptedNotification, object: rig.session, queue: nil
      ) { notification in
        let found = notification.userInfo?[AVCaptureSessionErrorKey] as? AVError
        reason.withLock { $0 = found }
      },
      center.addObserver(
        forName: AVCaptureSession.interruptionEndedNotification, object: rig.session, queue: nil
      ) { _ in hasEnded.store(true, ordering: .relaxed) },
    ]
    rig.session.startRunning()
    try await eventually("the interruption ends") { hasEnded.load(ordering: .relaxed) }
    rig.session.stopRunning()
    for observer in observers { center.removeObserver(observer) }
    #expect(reason.withLock { $0 }?.code == .sessionWasInterrupted)
  }

  @Test func access_is_never_asked_for() async {
    #expect(await AVCaptureDevice.requestAccess(for: .audio))
    let status: AVAuthorizationStatus = AVCaptureDevice.authorizationStatus(for: .audio)
    let isGranted = await withCheckedContinuation { continuation in
      AVCaptureDevice.requestAccess(for: .video) { continuation.resume(returning: $0) }
    }
    #expect(isGranted && status == .authorized)
  }

  @Test func a_recording_is_paused_resumed_and_stopped() async throws {
    final class Delegate: NSObject, AVCaptureFileOutputRecordingDelegate {
      let calls = Mutex<[String]>([])
      var has: Set<String> { Set(calls.withLock { $0 }) }
      private func note(_ call: String) { calls.withLock { $0.append(call) } }
      func fileOutput(
        _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL,
        from connections: [AVCaptureConnection]
      ) { note("start") }
      func fileOutput(
        _ output: AVCaptureFileOutput, didPauseRecordingTo fileURL: URL,
        from connections: [AVCaptureConnection]
      ) { note("pause") }
      func fileOutput(
        _ output: AVCaptureFileOutput, didResumeRecordingTo fileURL: URL,
        from connections: [AVCaptureConnection]
      ) { note("resume") }
      func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
        from connections: [AVCaptureConnection], error: (any Error)?
      ) { note(error == nil ? "finish" : "\(error.map { "\($0)" } ?? "")") }
    }
    func wait(_ isSo: () -> Bool) async throws {
      try await eventually("the delegate hears of it") { isSo() }
    }
    let folder = try TemporaryFolder()
    let rig = try PatternRig()
    let output = rig.output
    output.maxRecordedFileSize = 1 << 40
    output.movieFragmentInterval = CMTime(value: 1, timescale: 1)
    output.metadata.make = "Maker"
    #expect(output.availableVideoCodecTypes.contains(.proRes422Proxy))
    #expect(!output.availableVideoCodecTypes.contains(.proRes4444XQ))
    rig.session.startRunning()
    #expect(rig.session.isRunning)
    let delegate = Delegate()
    let url = folder.url("paused.mov")
    output.startRecording(to: url, recordingDelegate: delegate)
    try await wait { output.recordedDuration.seconds > 0.2 && delegate.has.contains("start") }
    #expect(output.isRecording && output.outputFileURL == url && output.recordedFileSize >= 0)
    output.pauseRecording()
    #expect(output.isRecordingPaused)
    output.resumeRecording()
    #expect(!output.isRecordingPaused)
    output.stopRecording()
    try await wait { delegate.calls.withLock { $0.count } == 4 }
    rig.session.stopRunning()
    #expect(delegate.calls.withLock { $0 } == ["start", "pause", "resume", "finish"])
    #expect(try StrictDecoder(path: url.path).run().isClean)
  }

  /// A picture, and a writer with an input that is set up for it.
  private func pictureWriter(
    _ url: URL
  ) throws -> (CMSampleBuffer, AVAssetWriter, AVAssetWriterInput) {
    let picture = try MutablePixelBuffer(.init(format: .uyvy, width: 64, height: 48)).finish()
    let sample = CMSampleBuffer(.video(picture), presentationTimeStamp: .zero)
    let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
    let input = AVAssetWriterInput(
      mediaType: .video, outputSettings: [AVVideoCodecKey: AVVideoCodecType.proRes422],
      sourceFormatHint: sample.formatDescription)
    return (sample, writer, input)
  }

  /// A recorder that begins its session with the first sample asks before whether there is room for it.
  @Test func an_input_is_ready_before_the_session_and_asks_once_it_began() async throws {
    let folder = try TemporaryFolder()
    let (first, writer, input) = try pictureWriter(folder.url("a.mov"))
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
    let (first, writer, input) = try pictureWriter(folder.url("a.mov"))
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

  /// Hands the pictures of a data output to a writer, from the first on.
  private final class Recorder: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate,
    AVCaptureAudioDataOutputSampleBufferDelegate
  {
    let writer: AVAssetWriter
    let video: AVAssetWriterInput
    let audio: AVAssetWriterInput
    let count = Atomic<Int>(0)
    let soundCount = Atomic<Int>(0)
    private var hasStarted = false

    init(
      url: URL, type: AVFileType = .mov, video settings: [String: Any]?,
      audio sound: [String: Any]?
    ) throws {
      video = AVAssetWriterInput(mediaType: .video, outputSettings: settings)
      audio = AVAssetWriterInput(mediaType: .audio, outputSettings: sound)
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
          soundCount.add(1, ordering: .relaxed)
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
  func pictures_and_sound_of_data_outputs_go_through_a_writer(type: AVFileType) async throws {
    if type == .mp4, !EncoderCapabilities.current.interframeCodecs.contains(.h264) {
      try Test.cancel("libavcodec has no encoder of H.264")
    }
    let folder = try TemporaryFolder()
    let rig = try PatternRig()
    rig.session.removeOutput(rig.output)
    let microphone = try #require(AVCaptureDevice(uniqueID: "tone"))
    rig.session.addInput(try AVCaptureDeviceInput(device: microphone))
    let pictures = AVCaptureVideoDataOutput()
    pictures.alwaysDiscardsLateVideoFrames = false
    let sound = AVCaptureAudioDataOutput()
    rig.session.addOutput(pictures)
    rig.session.addOutput(sound)
    let url = folder.url("samples.\(type == .mov ? "mov" : "mp4")")
    if type == .mp4 {
      pictures.videoSettings = [
        kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA
      ]
    }
    let settings = pictures.recommendedVideoSettings(
      forVideoCodecType: type == .mov ? .proRes422 : .h264, assetWriterOutputFileType: type)
    #expect(settings?[AVVideoWidthKey] as? Int == 640)
    #expect(
      pictures.recommendedVideoSettings(
        forVideoCodecType: .proRes4444, assetWriterOutputFileType: .mov) == nil)
    let recorder = try Recorder(
      url: url, type: type, video: settings,
      audio: sound.recommendedAudioSettingsForAssetWriter(writingTo: type))
    let queue = DispatchQueue(label: "samples")
    pictures.setSampleBufferDelegate(recorder, queue: queue)
    sound.setSampleBufferDelegate(recorder, queue: queue)
    rig.session.startRunning()
    try await eventually("pictures and sound come") {
      recorder.count.load(ordering: .relaxed) >= 10
        && recorder.soundCount.load(ordering: .relaxed) >= 2
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

  @Test func pictures_in_another_layout_than_the_wanted_are_dropped_and_told() async throws {
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
    // Before there is a device: only the pictures themselves can tell.
    output.videoSettings = [
      kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange
    ]
    let listener = Listener()
    output.setSampleBufferDelegate(listener, queue: DispatchQueue(label: "pictures"))
    rig.session.addOutput(output)
    rig.session.startRunning()
    try await eventually("three pictures are dropped") {
      listener.dropped.load(ordering: .relaxed) >= 3
    }
    rig.session.stopRunning()
    #expect(listener.given.load(ordering: .relaxed) == 0)
  }

  @Test func pictures_of_the_programs_own_go_through_an_adaptor() async throws {
    let folder = try TemporaryFolder()
    let url = folder.url("own.mov")
    let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
    let input = AVAssetWriterInput(
      mediaType: .video,
      outputSettings: [
        AVVideoCodecKey: AVVideoCodecType.proRes422, AVVideoWidthKey: 64, AVVideoHeightKey: 48,
        AVVideoCompressionPropertiesKey: [AVVideoExpectedSourceFrameRateKey: 25],
      ])
    let adaptor = AVAssetWriterInputPixelBufferAdaptor(
      assetWriterInput: input,
      sourcePixelBufferAttributes: [
        kCVPixelBufferPixelFormatTypeKey as String:
          kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange
      ])
    writer.add(input)
    writer.startWriting()
    writer.startSession(atSourceTime: .zero)
    let pool = try #require(adaptor.pixelBufferPool)
    for frame in 0..<10 {
      try await eventually("the input is ready") { input.isReadyForMoreMediaData }
      var buffer: CVPixelBuffer?
      try await eventually("the pool has a buffer") {
        CVPixelBufferPoolCreatePixelBuffer(nil, pool, &buffer) == kCVReturnSuccess
      }
      let picture = try #require(buffer)
      CVPixelBufferLockBaseAddress(picture, [])
      for plane in 0..<CVPixelBufferGetPlaneCount(picture) {
        let rows = CVPixelBufferGetHeightOfPlane(picture, plane)
        let bytes = rows * CVPixelBufferGetBytesPerRowOfPlane(picture, plane)
        let address = try #require(CVPixelBufferGetBaseAddressOfPlane(picture, plane))
        let words = address.assumingMemoryBound(to: UInt16.self)
        for index in 0..<bytes / 2 { words[index] = UInt16(512 + frame * 8) << 6 }
      }
      CVPixelBufferUnlockBaseAddress(picture, [])
      #expect(
        adaptor.append(
          picture, withPresentationTime: CMTimeMake(value: Int64(frame), timescale: 25)))
    }
    // What comes too early is refused, with the reason.
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
  func without_a_rate_in_the_settings_the_first_two_pictures_tell_it(rate: FrameRate) async throws {
    let folder = try TemporaryFolder()
    for count in 1...3 {
      let url = folder.url("\(count).mov")
      let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
      let input = AVAssetWriterInput(
        mediaType: .video,
        outputSettings: [
          AVVideoCodecKey: AVVideoCodecType.proRes422, AVVideoWidthKey: 64, AVVideoHeightKey: 48,
        ])
      writer.add(input)
      writer.startWriting()
      writer.startSession(atSourceTime: .zero)
      for frame in 0..<count {
        let picture = try MutablePixelBuffer(.init(format: .p210, width: 64, height: 48)).finish()
        // As a clock in nanoseconds has it.
        let time = rate.time(ofFrame: Int64(frame)).convertScale(
          1_000_000_000, method: .roundHalfAwayFromZero)
        #expect(input.append(CMSampleBuffer(.video(picture), presentationTimeStamp: time)))
      }
      await writer.finishWriting()
      #expect(writer.status == .completed && writer.error == nil)
      let track = try #require(try StrictDecoder(path: url.path).run().tracks.first)
      #expect(track.sampleCount == count)
      #expect(track.track.frameRate == (count == 1 ? .fps25 : rate))
    }
  }

  @Test func attributes_of_an_adaptor_with_a_mistake_are_named() throws {
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
    var picture: CVPixelBuffer?
    #expect(
      CVPixelBufferCreate(
        kCFAllocatorDefault, 64, 48, kCVPixelFormatType_422YpCbCr8, nil, &picture)
        == kCVReturnSuccess)
    #expect(!adaptor.append(try #require(picture), withPresentationTime: .zero))
    #expect((writer.error as? AVError)?.message.contains("'Alpha'") == true)
  }
}

/// Takes the inputs out of a session as soon as it records, and tells of the recording's end.
private final class InputRemover: NSObject, AVCaptureFileOutputRecordingDelegate {
  private let session: AVCaptureSession
  private let finish: @Sendable (AVError?) -> Void

  init(_ session: AVCaptureSession, finish: @escaping @Sendable (AVError?) -> Void) {
    (self.session, self.finish) = (session, finish)
  }

  func fileOutput(
    _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL,
    from connections: [AVCaptureConnection]
  ) { for input in session.inputs { session.removeInput(input) } }

  func fileOutput(
    _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
    from connections: [AVCaptureConnection], error: (any Error)?
  ) { finish(error as? AVError) }
}
