import AVFoundationCompat
import TestSupport
import Testing

/// Names that recorders use beside others, and that give honest answers.
@Suite(.timeLimit(.minutes(10))) struct CompanionNamesTests {
  @Test func rectangles_are_transformed_fitted_and_compared() {
    let box = CGRect(x: 10, y: 20, width: 30, height: 40)
    let turned = box.applying(CGAffineTransform(rotationAngle: .pi / 2))
    #expect(abs(turned.minX + 60) < 1e-9 && abs(turned.minY - 10) < 1e-9)
    #expect(abs(turned.width - 40) < 1e-9 && abs(turned.height - 30) < 1e-9)
    #expect(box.equalTo(box) && box.size.equalTo(CGSize(width: 30, height: 40)))
    #expect(box.origin.equalTo(CGPoint(x: 10, y: 20)))
    let fitted = AVMakeRect(aspectRatio: CGSize(width: 16, height: 9), insideRect: box)
    #expect(fitted.width == 30 && abs(fitted.height - 16.875) < 1e-9 && fitted.midY == box.midY)
  }

  @Test func a_time_can_be_changed_in_place() {
    var time = CMTime(value: 3, timescale: 25)
    time.value += 1
    #expect(time.seconds == 0.16)
    time.timescale = 50
    #expect(time.seconds == 0.08)
    time.timescale = 0
    #expect(!time.isValid)
  }

  @Test func pixel_buffer_hardware_attributes_are_ignored() {
    let attributes: [String: Any] = [
      kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA,
      kCVPixelBufferWidthKey: 64, kCVPixelBufferHeightKey: 48,
      kCVPixelBufferIOSurfacePropertiesKey: [String: Any](),
      kCVPixelBufferMetalCompatibilityKey: true, kCVPixelBufferOpenGLCompatibilityKey: true,
      kCVPixelBufferOpenGLESCompatibilityKey: true, kCVPixelBufferCGImageCompatibilityKey: true,
      kCVPixelBufferCGBitmapContextCompatibilityKey: true,
    ]
    // Through a pointer that the program keeps, as well as through `&`.
    let place = UnsafeMutablePointer<CVPixelBuffer?>.allocate(capacity: 1)
    place.initialize(to: nil)
    defer { place.deallocate() }
    #expect(
      CVPixelBufferCreate(
        nil, 64, 48, kCVPixelFormatType_32BGRA, attributes as CFDictionary, place)
        == kCVReturnSuccess)
    #expect(place.pointee.map(CVPixelBufferGetWidth) == 64)
    var pool: CVPixelBufferPool?
    #expect(
      CVPixelBufferPoolCreate(nil, nil, attributes as CFDictionary, &pool) == kCVReturnSuccess)
    if let pool {
      #expect(CVPixelBufferPoolCreatePixelBuffer(nil, pool, place) == kCVReturnSuccess)
    }
    place.pointee = nil
  }

  @Test func an_audio_buffer_list_is_read_in_a_closure_and_sized() throws {
    let format = AudioFormat(sampleRate: 48_000, channelCount: 2, sampleFormat: .int16)
    let bytes = (0..<16).map { UInt8($0) }
    let sample = CMSampleBuffer(
      .audio(try MediaCore.AudioBuffer(format: format, bytes: bytes)), presentationTimeStamp: .zero)
    let read = try sample.withAudioBufferList(flags: [.audioBufferListAssure16ByteAlignment]) {
      list, block in
      #expect(CMBlockBufferGetDataLength(block) == 16)
      return Array(UnsafeRawBufferPointer(start: list[0].mData, count: Int(list[0].mDataByteSize)))
    }
    #expect(read == bytes)
    var size = 0
    #expect(
      CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
        sample, bufferListSizeNeededOut: &size, bufferListOut: nil, bufferListSize: 0,
        blockBufferAllocator: nil, blockBufferMemoryAllocator: nil, flags: 0, blockBufferOut: nil)
        == noErr)
    #expect(size == MemoryLayout<AudioBufferList>.size && CMSampleBufferInvalidate(sample) == noErr)
    let still = CMSampleBuffer(
      .video(try MutablePixelBuffer(.init(format: .uyvy, width: 64, height: 48)).finish()),
      presentationTimeStamp: .zero)
    #expect(throws: AVError.self) { try still.withAudioBufferList { _, _ in } }
  }

  @Test func media_and_track_association_types_have_names() throws {
    let kinds: [AVMediaType] = [
      .muxed, .text, .subtitle, .closedCaption, .depthData, .metadataObject, .metadata,
    ]
    #expect(Set(kinds.map(\.rawValue)).count == kinds.count)
    #expect(AVAssetTrack.AssociationType.timecode.rawValue == "tmcd")
    let input = AVAssetWriterInput(
      mediaType: .video,
      outputSettings: [
        AVVideoCodecKey: AVVideoCodecType.proRes422, AVVideoWidthKey: 64, AVVideoHeightKey: 48,
      ])
    let type = AVAssetTrack.AssociationType.chapterList.rawValue
    #expect(!input.canAddTrackAssociation(withTrackOf: input, type: type))
    let folder = try TemporaryFolder()
    let writer = try AVAssetWriter(outputURL: folder.url("a.mov"), fileType: .mov)
    writer.add(input)
    #expect(writer.error == nil)
    input.addTrackAssociation(withTrackOf: input, type: type)
    #expect((writer.error as? AVError)?.code == .operationNotAllowed)
  }

  @Test func absent_photo_and_flash_features_are_reported_as_unsupported() throws {
    let output = AVCapturePhotoOutput()
    output.maxPhotoDimensions = CMVideoDimensions()
    output.photoSettingsForSceneMonitoring = AVCapturePhotoSettings()
    output.isAutoDeferredPhotoDeliveryEnabled = true
    #expect(output.photoSettingsForSceneMonitoring == nil)
    #expect(
      !output.isAutoDeferredPhotoDeliverySupported && !output.isAutoDeferredPhotoDeliveryEnabled)
    #expect(
      output.__supportedFlashModes == [NSNumber(value: AVCaptureDevice.FlashMode.off.rawValue)])
    let settings = AVCapturePhotoSettings()
    #expect(
      settings.__availablePreviewPhotoPixelFormatTypes.map(\.uint32Value)
        == settings.availablePreviewPhotoPixelFormatTypes)
    let device = try #require(AVCaptureDevice(uniqueID: "pattern:bars"))
    device.flashMode = .on
    #expect(device.flashMode == .off && !device.isFlashModeSupported(.auto))
    #expect(device.isFlashModeSupported(.off) && device.displayVideoZoomFactorMultiplier == 1)
  }

  @Test func absent_session_features_are_reported_as_unsupported() throws {
    let session = AVCaptureSession()
    session.configuresApplicationAudioSessionForBluetoothHighQualityRecording = true
    #expect(!session.configuresApplicationAudioSessionForBluetoothHighQualityRecording)
    #expect(!session.supportsControls && session.maxControlsCount == 0)
    #expect(
      AVCaptureSession.InterruptionReason.sensitiveContentMitigationActivated.rawValue == 6)
    let device = try #require(AVCaptureDevice(uniqueID: "pattern:bars"))
    let input = try AVCaptureDeviceInput(device: device)
    let ports = input.ports(
      for: .video, sourceDeviceType: device.deviceType, sourceDevicePosition: .unspecified)
    #expect(ports.count == 1 && ports.first?.mediaType == .video)
    #expect(
      input.ports(for: .audio, sourceDeviceType: nil, sourceDevicePosition: .unspecified).isEmpty)
    #expect(input.ports(for: nil, sourceDeviceType: nil, sourceDevicePosition: .back).isEmpty)
  }

  @Test func an_export_reports_its_file_types_and_no_length_limit() async throws {
    let composition = AVMutableComposition()
    composition.addMutableTrack(
      withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid)
    for track in composition.tracks(withMediaType: .video) { track.removeTimeRange(.zero) }
    let session = try #require(
      AVAssetExportSession(asset: composition, presetName: AVAssetExportPresetPassthrough))
    session.fileLengthLimit = 1 << 20
    #expect(session.fileLengthLimit == 0)
    let types = await withCheckedContinuation { continuation in
      session.determineCompatibleFileTypes { continuation.resume(returning: $0) }
    }
    #expect(types == [.mov])
  }

  private actor Recorder {
    let queue = DispatchSerialQueue(label: "recorder")
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }
    private var count = 0

    func add() -> Int {
      dispatchPrecondition(condition: .onQueue(queue))
      count += 1
      return count
    }
    nonisolated func addFromQueue() -> Int { assumeIsolated { $0.add() } }
  }

  @Test func a_serial_queue_serves_as_an_actors_executor() async {
    let recorder = Recorder()
    #expect(await recorder.add() == 1)
    #expect(recorder.queue.sync { recorder.addFromQueue() } == 2)
    #expect(await recorder.add() == 3)
  }

  @Test func a_content_type_gives_a_path_its_extension() {
    let folder = URL(filePath: "/takes")
    #expect(
      folder.appending(path: "a").appendingPathExtension(for: .quickTimeMovie).path
        == "/takes/a.mov")
    #expect(folder.appendingPathComponent("a", conformingTo: .jpeg).path == "/takes/a.jpg")
    #expect(folder.appendingPathComponent("a.jpg", conformingTo: .jpeg).path == "/takes/a.jpg")
  }

  @Test func a_pixel_buffer_becomes_an_image() throws {
    var memory = try MutablePixelBuffer(.init(format: .uyvy, width: 64, height: 48))
    memory.withUnsafeMutableBytes(ofPlane: 0) { bytes in
      // Mid-gray in video range.
      for index in bytes.indices { bytes[index] = index % 2 == 0 ? 128 : 126 }
    }
    let image = CIImage(cvPixelBuffer: memory.finish())
    #expect(image.extent == CGRect(x: 0, y: 0, width: 64, height: 48))
    let made = try #require(CIContext().createCGImage(image, from: image.extent))
    guard case .uint8(let samples) = made.image.samples else {
      Issue.record("not 8-bit samples")
      return
    }
    #expect(samples.count == 64 * 48 * 3 && samples.allSatisfy { (126...130).contains($0) })
    let mosaic = try MutablePixelBuffer(.init(format: .rggb10, width: 64, height: 48)).finish()
    #expect(CIImage(cvImageBuffer: mosaic).extent.width == 1)
  }
}
