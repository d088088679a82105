import AVFoundationCompat
import TestSupport
import Testing

/// Functions and constants of Core Media and Core Video that recorders use occasionally.
@Suite(.timeLimit(.minutes(10))) struct RemainingNamesTests {
  private func time(_ seconds: Double) -> CMTime {
    CMTime(seconds: seconds, preferredTimescale: 600)
  }

  private func range(_ start: Double, _ length: Double) -> CMTimeRange {
    CMTimeRange(start: time(start), duration: time(length))
  }

  private func image(_ layout: PixelFormat = .uyvy) throws -> CVPixelBuffer {
    try MutablePixelBuffer(.init(format: layout, width: 64, height: 48)).finish()
  }

  @Test func time_ranges_are_joined_clamped_and_mapped() {
    let (first, second) = (range(1, 2), range(2, 3))
    #expect(CMTimeRangeEqual(CMTimeRangeGetUnion(first, otherRange: second), range(1, 4)))
    #expect(first.union(second) == range(1, 4) && first.containsTimeRange(range(1.5, 1)))
    #expect(!CMTimeRangeContainsTimeRange(first, otherRange: second))
    #expect(CMTimeClampToRange(time(9), range: first) == time(3))
    #expect(
      CMTimeMapTimeFromRangeToRange(time(2), fromRange: first, toRange: range(10, 4)) == time(12))
    #expect(
      CMTimeMapDurationFromRangeToRange(time(1), fromRange: first, toRange: range(10, 4))
        == time(2))
    #expect(!CMTimeMapTimeFromRangeToRange(time(2), fromRange: .zero, toRange: first).isValid)
    #expect(kCMTimeRangeZero == .zero && !kCMTimeRangeInvalid.isValid && first.isValid)
    #expect(!first.isIndefinite && !CMTimeRange.invalid.isValid)
    let mapping = CMTimeMapping(source: first, target: second)
    #expect(mapping.source == first && mapping.target == second)
    CMTimeRangeShow(first)
  }

  @Test func a_time_round_trips_through_a_dictionary() {
    let dictionary = CMTimeCopyAsDictionary(time(1.5), allocator: nil)
    #expect(dictionary?[kCMTimeValueKey] as? Int64 == 900)
    #expect(dictionary?[kCMTimeScaleKey] as? Int32 == 600)
    #expect(dictionary?[kCMTimeEpochKey] as? Int64 == 0 && dictionary?[kCMTimeFlagsKey] is UInt32)
    #expect(CMTimeMakeFromDictionary(dictionary) == time(1.5))
    #expect(!CMTimeMakeFromDictionary(nil).isValid)
    #expect(CMTimeCopyDescription(allocator: nil, time: time(1))?.isEmpty == false)
  }

  @Test func audio_is_read_through_a_buffer_list() throws {
    let format = AudioFormat(sampleRate: 48_000, channelCount: 2, sampleFormat: .int16)
    let bytes = (0..<16).map { UInt8($0) }
    let sample = CMSampleBuffer(
      .audio(try MediaCore.AudioBuffer(format: format, bytes: bytes)), presentationTimeStamp: .zero)
    var list = AudioBufferList()
    var block: CMBlockBuffer?
    var size = 0
    let status = CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
      sample, bufferListSizeNeededOut: &size, bufferListOut: &list,
      bufferListSize: MemoryLayout<AudioBufferList>.size, blockBufferAllocator: nil,
      blockBufferMemoryAllocator: nil,
      flags: kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment, blockBufferOut: &block)
    #expect(status == noErr && size == MemoryLayout<AudioBufferList>.size)
    withExtendedLifetime(block) {
      withUnsafeMutablePointer(to: &list) { pointer in
        let buffers = UnsafeMutableAudioBufferListPointer(pointer)
        #expect(buffers.count == 1 && buffers[0].mNumberChannels == 2)
        let read = buffers.flatMap { buffer in
          Array(UnsafeRawBufferPointer(start: buffer.mData, count: Int(buffer.mDataByteSize)))
        }
        #expect(read == bytes)
      }
    }
    var memory = [UInt8](repeating: 0, count: 8)
    memory.withUnsafeMutableBytes { target in
      list.mBuffers = AudioBuffer(
        mNumberChannels: 2, mDataByteSize: 8, mData: target.baseAddress)
      #expect(
        CMSampleBufferCopyPCMDataIntoAudioBufferList(sample, at: 1, frameCount: 2, into: &list)
          == noErr)
      #expect(
        CMSampleBufferCopyPCMDataIntoAudioBufferList(sample, at: 3, frameCount: 2, into: &list)
          == kCMSampleBufferError_ArrayTooSmall)
    }
    #expect(memory == Array(bytes[4..<12]))
    #expect(CMSampleBufferGetSampleSize(sample, at: 0) == 4 && sample.sampleSizes() == [4])
    #expect(CMSampleBufferGetSampleSize(sample, at: 4) == 0)
    #expect(CMSampleBufferSetDataReady(sample) == noErr)
    let still = CMSampleBuffer(.video(try image()), presentationTimeStamp: .zero)
    #expect(
      CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
        still, bufferListSizeNeededOut: nil, bufferListOut: nil, bufferListSize: 0,
        blockBufferAllocator: nil, blockBufferMemoryAllocator: nil, flags: 0,
        blockBufferOut: &block) == kCMSampleBufferError_InvalidMediaFormat)
    let description = try #require(sample.formatDescription)
    var copy: CMSampleBuffer?
    #expect(
      CMAudioSampleBufferCreateWithPacketDescriptions(
        allocator: nil, dataBuffer: block, dataReady: true, makeDataReadyCallback: nil, refcon: nil,
        formatDescription: description, sampleCount: 4, presentationTimeStamp: .zero,
        packetDescriptions: nil, sampleBufferOut: &copy) == noErr)
    #expect(copy?.numSamples == 4)
    #expect(CMAudioFormatDescriptionGetChannelLayout(description, sizeOut: &size) == nil)
    #expect(size == 0)
    #expect(description.audioChannelLayout.map { _ in true } == nil)
  }

  @Test func empty_block_buffers_and_filled_ones_are_created() throws {
    var block: CMBlockBuffer?
    #expect(
      CMBlockBufferCreateEmpty(allocator: nil, capacity: 0, flags: 0, blockBufferOut: &block)
        == kCMBlockBufferNoErr)
    #expect(block.map(CMBlockBufferIsEmpty) == true)
    CMBlockBufferCreateWithMemoryBlock(
      allocator: nil, memoryBlock: nil, blockLength: 4, blockAllocator: nil, customBlockSource: nil,
      offsetToData: 0, dataLength: 4, flags: 0, blockBufferOut: &block)
    let filled = try #require(block)
    #expect(
      CMBlockBufferFillDataBytes(
        with: 7, blockBuffer: filled, offsetIntoDestination: 1, dataLength: 2) == noErr)
    #expect(try filled.dataBytes() == Data([0, 7, 7, 0]))
    #expect(
      CMBlockBufferFillDataBytes(
        with: 7, blockBuffer: filled, offsetIntoDestination: 3, dataLength: 2)
        == kCMBlockBufferBadLengthParameterErr)
  }

  @Test func a_description_reports_color_fields_and_aspect_ratio() throws {
    let details = PixelBuffer.Description(
      format: .uyvy, width: 720, height: 576, color: .bt709, fieldOrder: .topFieldFirst,
      pixelAspectRatio: PixelAspectRatio(16, 15))
    let image = try MutablePixelBuffer(details).finish()
    let description = try CMFormatDescription(imageBuffer: image)
    let extensions = try #require(CMFormatDescriptionGetExtensions(description))
    #expect(
      extensions[kCMFormatDescriptionExtension_ColorPrimaries] as? String
        == kCVImageBufferColorPrimaries_ITU_R_709_2)
    let keys = Set(extensions.keys)
    #expect(keys.contains(kCMFormatDescriptionExtension_TransferFunction))
    #expect(keys.contains(kCMFormatDescriptionExtension_YCbCrMatrix))
    #expect(extensions[kCMFormatDescriptionExtension_FieldCount] as? Int == 2)
    #expect(keys.contains(kCMFormatDescriptionExtension_FieldDetail))
    #expect(keys.contains(kCMFormatDescriptionExtension_PixelAspectRatio))
    let range = CMFormatDescriptionGetExtension(
      description, extensionKey: kCMFormatDescriptionExtension_FullRangeVideo)
    #expect(range as? Bool == false && description.extensions.count == extensions.count)
    let shown = CMVideoFormatDescriptionGetPresentationDimensions(
      description, usePixelAspectRatio: true, useCleanAperture: true)
    #expect(shown == CGSize(width: 768, height: 576))
    #expect(description.presentationDimensions(usePixelAspectRatio: false).width == 720)
    let aperture = CMVideoFormatDescriptionGetCleanAperture(description, originIsAtTopLeft: true)
    #expect(aperture == CGRect(x: 0, y: 0, width: 720, height: 576))
    #expect(CMVideoFormatDescriptionMatchesImageBuffer(description, imageBuffer: image))
    #expect(
      CMVideoFormatDescriptionMatchesImageBuffer(description, imageBuffer: try self.image())
        == false)
    var copy: CMSampleBuffer?
    let sample = CMSampleBuffer(.video(image), presentationTimeStamp: .zero)
    #expect(
      CMSampleBufferCreateCopy(allocator: nil, sampleBuffer: sample, sampleBufferOut: &copy)
        == noErr)
    #expect(copy?.imageBuffer === image)
  }

  @Test func four_character_codes_match_apples() {
    let codes: [UInt32] = [
      kCMVideoCodecType_H264, kCMVideoCodecType_HEVC, kCMVideoCodecType_HEVCWithAlpha,
      kCMVideoCodecType_JPEG, kCMVideoCodecType_MPEG4Video, kCMVideoCodecType_AppleProResRAW,
      kCMVideoCodecType_AppleProResRAWHQ, kCMMediaType_TimeCode, kCMMediaType_Metadata,
      kCMMediaType_Text, kCMMediaType_Muxed, kCVPixelFormatType_30RGB,
      kCVPixelFormatType_422YpCbCr16, kCVPixelFormatType_DepthFloat32,
    ]
    let texts = codes.map { code in
      String(
        decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }, as: UTF8.self)
    }
    #expect(
      texts == [
        "avc1", "hvc1", "muxa", "jpeg", "mp4v", "aprn", "aprh", "tmcd", "meta", "text", "muxx",
        "R10k", "v216", "fdep",
      ])
    #expect(kCVPixelFormatType_24RGB == 24 && kAudioFormatFlagsNativeFloatPacked == 9)
    #expect(kAudioFormatFlagsNativeEndian == 0 && kCFBooleanTrue == true)
    #expect(kCFBooleanFalse == false)
    #expect(kCVReturnUnsupported == -6663)
  }

  @Test func a_pixel_buffer_has_no_extended_pixels_or_surface() throws {
    let image = try image()
    let size = CGSize(width: 64, height: 48)
    #expect(CVImageBufferGetEncodedSize(image) == size)
    #expect(CVImageBufferGetDisplaySize(image) == size)
    #expect(CVImageBufferGetCleanRect(image).size == size && CVImageBufferIsFlipped(image))
    var (left, right, top, bottom) = (1, 1, 1, 1)
    CVPixelBufferGetExtendedPixels(image, &left, &right, &top, &bottom)
    #expect(left + right + top + bottom == 0)
    #expect(CVPixelBufferFillExtendedPixels(image) == kCVReturnSuccess)
    let surface = CVPixelBufferGetIOSurface(image)
    #expect(surface.map { _ in true } == nil)
    CVBufferSetAttachment(
      image, kCVImageBufferTransferFunctionKey, kCVImageBufferTransferFunction_sRGB,
      .shouldPropagate)
    let notes = CVBufferGetAttachments(image, .shouldPropagate)
    #expect(notes?.keys.contains(kCVImageBufferTransferFunctionKey) == true)
    #expect(kCVPixelBufferLock_ReadOnly == .readOnly)
    var pool: CVPixelBufferPool?
    CVPixelBufferPoolCreate(
      nil, nil,
      [
        kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_422YpCbCr8, kCVPixelBufferWidthKey: 64,
        kCVPixelBufferHeightKey: 48,
      ], &pool)
    let made = try #require(pool)
    #expect(CVPixelBufferPoolGetAttributes(made).map(\.isEmpty) == nil)
    #expect(CVPixelBufferPoolGetPixelBufferAttributes(made).map(\.isEmpty) == nil)
  }

  @Test(arguments: [AVFileType.aifc, .mp3, .avci, .heif])
  func unsupported_file_types_are_refused_by_name(type: AVFileType) throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: AVError.self) {
      try AVAssetWriter(outputURL: folder.url("a.x"), fileType: type)
    }
    #expect(error?.message.contains(type.rawValue) == true, "\(error as Any)")
  }

  @Test func only_the_average_bit_rate_strategy_is_accepted() throws {
    func settings(_ strategy: String) throws -> AudioOutputSettings {
      try AudioOutputSettings(dictionary: [
        AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
        AVEncoderBitRateStrategyKey: strategy,
      ])
    }
    #expect(try settings(AVAudioBitRateStrategy_LongTermAverage).compression != .none)
    for strategy in [
      AVAudioBitRateStrategy_Constant, AVAudioBitRateStrategy_VariableConstrained,
      AVAudioBitRateStrategy_Variable,
    ] {
      #expect(throws: AVError.self) { try settings(strategy) }
    }
    #expect(throws: AVError.self) {
      try AudioOutputSettings(dictionary: [
        AVFormatIDKey: kAudioFormatFLAC, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
      ])
    }
  }

  @Test func an_adaptor_reports_its_pixel_buffer_attributes() throws {
    let input = AVAssetWriterInput(
      mediaType: .video,
      outputSettings: [
        AVVideoCodecKey: AVVideoCodecType.proRes422, AVVideoWidthKey: 64, AVVideoHeightKey: 48,
      ])
    let adaptor = AVAssetWriterInputPixelBufferAdaptor(
      assetWriterInput: input,
      sourcePixelBufferAttributes: [
        kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA,
        kCVPixelBufferBytesPerRowAlignmentKey: 64,
      ])
    #expect(
      adaptor.sourcePixelBufferAttributes?[kCVPixelBufferBytesPerRowAlignmentKey] as? Int == 64)
    #expect(AVCaptureVideoDataOutput().availableVideoCodecTypes.isEmpty)
  }

  @Test func other_phone_features_are_unsupported() throws {
    let rig = try PatternRig()
    #expect(!AVCaptureMultiCamSession.isMultiCamSupported)
    #expect(rig.session.hardwareCost == 0 && rig.session.systemPressureCost == 0)
    #expect(rig.device.systemPressureState.level == .nominal)
    #expect(rig.device.temperatureAndTintValues(for: .init()).temperature == 0)
    let search = AVCaptureDevice.DiscoverySession(
      deviceTypes: [.external], mediaType: .video, position: .unspecified)
    #expect(search.supportedMultiCamDeviceSets.isEmpty)
    let connection = try #require(rig.output.connection(with: .video))
    #expect(connection.audioChannels == [AVCaptureAudioChannel]())
    let layer = AVCaptureVideoPreviewLayer()
    layer.bounds = CGRect(x: 0, y: 0, width: 10, height: 10)
    let part = layer.metadataOutputRectConverted(
      fromLayerRect: CGRect(x: 0, y: 0, width: 5, height: 5))
    #expect(part == CGRect(x: 0, y: 0, width: 0.5, height: 0.5))
    let output = AVCapturePhotoOutput()
    #expect(!output.isLivePhotoCaptureSupported && !output.isDepthDataDeliverySupported)
    output.isPortraitEffectsMatteDeliveryEnabled = true
    #expect(
      !output.isPortraitEffectsMatteDeliverySupported
        && !output.isPortraitEffectsMatteDeliveryEnabled)
    output.isLivePhotoCaptureEnabled = true
    output.isDepthDataDeliveryEnabled = true
    #expect(!output.isLivePhotoCaptureEnabled && !output.isDepthDataDeliveryEnabled)
    #expect(!output.isResponsiveCaptureSupported && !output.isZeroShutterLagSupported)
    let modes: [AVCaptureDevice.FlashMode] = output.supportedFlashModes
    #expect(modes == [.off] && output.availableRawPhotoFileTypes.isEmpty)
    #expect(!output.availablePhotoFileTypes.contains(.mov))
    var isPrepared = false
    output.setPreparedPhotoSettingsArray([]) { done, _ in isPrepared = done }
    #expect(isPrepared)
    let settings = AVCapturePhotoSettings()
    settings.flashMode = .on
    settings.livePhotoMovieFileURL = URL(filePath: "/live.mov")
    #expect(settings.flashMode == .off && settings.livePhotoMovieFileURL == nil)
    #expect(settings.rawFileType == nil)
  }

  @Test func metadata_names_match_apples_strings() {
    #expect(AVMetadataObject.ObjectType.codabar.rawValue == "Codabar")
    let identifier: AVMetadataIdentifier = .quickTimeMetadataContentIdentifier
    #expect(identifier.rawValue == "mdta/com.apple.quicktime.content.identifier")
    let key: AVMetadataKey = .quickTimeMetadataKeyContentIdentifier
    #expect(key.rawValue == "com.apple.quicktime.content.identifier")
  }

  @Test func hints_to_a_writer_are_ignored() throws {
    let folder = try TemporaryFolder()
    let writer = try AVAssetWriter(outputURL: folder.url("a.mov"), fileType: .mov)
    writer.directoryForTemporaryFiles = folder.url
    writer.overallDurationHint = time(1)
    writer.movieTimeScale = 600
    #expect(writer.directoryForTemporaryFiles == nil && !writer.overallDurationHint.isValid)
    let input = AVAssetWriterInput(mediaType: .audio, outputSettings: nil)
    input.extendedLanguageTag = "en-US"
    input.marksOutputTrackAsEnabled = false
    input.preferredVolume = 2
    #expect(input.extendedLanguageTag == nil && input.marksOutputTrackAsEnabled)
    #expect(input.preferredVolume == 1 && writer.movieTimeScale == 0)
  }

  @Test func a_movie_reports_its_segments_and_generates_images_in_order() async throws {
    let folder = try TemporaryFolder()
    let url = folder.url("a.mov")
    let small = try SmallWriter(to: url, .proRes422Proxy)
    let (writer, input) = (small.writer, small.input)
    small.begin()
    for frame in 0..<2 {
      let start = CMTime(value: Int64(frame), timescale: 25)
      #expect(
        input.append(CMSampleBuffer(.video(try image()), presentationTimeStamp: start)))
    }
    await writer.finishWriting()
    let asset = AVURLAsset(url: url)
    #expect(asset.providesPreciseDurationAndTiming)
    let track = try #require(asset.tracks.first)
    let segments: [AVAssetTrackSegment] = track.segments
    #expect(segments.count == 1 && segments[0].timeMapping.source == track.timeRange)
    #expect(!track.requiresFrameReordering && segments[0].isEmpty == false)
    let session = AVAssetExportSession(
      asset: asset, presetName: AVAssetExportPresetAppleProRes422LPCM)
    #expect(session?.estimatedOutputFileLengthInBytes == 0)
    var sizes: [Int] = []
    let times = [CMTime.zero, CMTime(value: 1, timescale: 25)]
    for await result in AVAssetImageGenerator(asset: asset).images(for: times) {
      sizes.append(try result.image.width)
      #expect(try result.actualTime == result.requestedTime)
    }
    #expect(sizes == [64, 64])
  }

  @Test func nineteen_of_twenty_names_used_by_recorders_exist() throws {
    guard SwiftCompiler.isThere else { try Test.cancel("swiftc is not installed") }
    let scripts = URL(filePath: #filePath).appending(path: "../../../scripts").standardized
    let environment = ProcessInfo.processInfo.environment.merging(
      ["PRODUCTS": Bundle.main.bundlePath]) { $1 }
    let result = try Command.run(
      scripts.appending(path: "compat-names").path, [], environment: environment)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }
}
