import AVFoundationCompat
import Synchronization
import TestSupport
import Testing

/// Programs that ask for several passes, and track settings that have no effect here.
@Suite(.timeLimit(.minutes(5))) struct PassTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func input() -> AVAssetWriterInput {
    AVAssetWriterInput(
      mediaType: .video,
      outputSettings: [
        AVVideoCodecKey: AVVideoCodecType.proRes422, AVVideoWidthKey: 64, AVVideoHeightKey: 48,
      ])
  }

  private static func sample(_ frame: Int) throws -> CMSampleBuffer {
    var image: CVPixelBuffer?
    CVPixelBufferCreate(nil, 64, 48, kCVPixelFormatType_422YpCbCr8, nil, &image)
    let made = try #require(image)
    return CMSampleBuffer(
      .video(made), presentationTimeStamp: CMTime(value: Int64(frame), timescale: 25))
  }

  @Test func multi_pass_code_writes_in_a_single_pass() async throws {
    let writer = try AVAssetWriter(outputURL: folder.url("a.mov"), fileType: .mov)
    let input = input()
    input.performsMultiPassEncodingIfSupported = true
    #expect(!input.canPerformMultiplePasses && input.currentPassDescription == nil)
    writer.add(input)
    let samples = try (0..<12).map(Self.sample)
    let given = Mutex(0)
    let passes = Mutex<[[CMTimeRange]]>([])
    let queue = DispatchQueue(label: "passes")
    await withCheckedContinuation { (ended: CheckedContinuation<Void, Never>) in
      input.respondToEachPassDescription(on: queue) {
        guard let pass: AVAssetWriterInputPassDescription = input.currentPassDescription else {
          input.markAsFinished()
          return ended.resume()
        }
        passes.withLock { $0.append(pass.sourceTimeRanges) }
        input.requestMediaDataWhenReady(on: queue) {
          while input.isReadyForMoreMediaData {
            let next = given.withLock { count in
              defer { count += 1 }
              return count
            }
            guard next < samples.count else { return input.markCurrentPassAsFinished() }
            input.append(samples[next])
          }
        }
      }
      #expect(passes.withLock { $0.isEmpty })
      #expect(writer.startWriting(), "\(String(describing: writer.error))")
      writer.startSession(atSourceTime: .zero)
    }
    let all = CMTimeRange(start: .zero, duration: .positiveInfinity)
    #expect(passes.withLock { $0 } == [[all]] && given.withLock { $0 } == 13)
    #expect(input.currentPassDescription == nil && !input.isReadyForMoreMediaData)
    await writer.finishWriting()
    #expect(writer.status == .completed, "\(String(describing: writer.error))")
    let track = try #require(AVURLAsset(url: folder.url("a.mov")).tracks.first)
    #expect(track.timeRange.duration == CMTime(value: 12, timescale: 25))
  }

  @Test func a_late_pass_block_is_called_immediately() async throws {
    let writer = try AVAssetWriter(outputURL: folder.url("a.mov"), fileType: .mov)
    let input = input()
    writer.add(input)
    try #require(writer.startWriting())
    let pass = try #require(input.currentPassDescription)
    await withCheckedContinuation { (called: CheckedContinuation<Void, Never>) in
      input.respondToEachPassDescription(on: DispatchQueue(label: "late")) {
        called.resume()
      }
    }
    #expect(input.currentPassDescription === pass)
    writer.cancelWriting()
  }

  /// Calls an input on deinit.
  private final class Last: Sendable {
    let input: AVAssetWriterInput
    let ended: Ends
    init(_ input: AVAssetWriterInput, _ ended: Ends) { (self.input, self.ended) = (input, ended) }
    deinit {
      _ = input.currentPassDescription
      ended.number.withLock { $0 += 1 }
    }
  }

  private final class Ends: Sendable {
    let number = Mutex(0)
  }

  @Test func pass_blocks_are_released_after_the_last_pass() async throws {
    let writer = try AVAssetWriter(outputURL: folder.url("a.mov"), fileType: .mov)
    let inputs = [input(), input()]
    let ended = Ends()
    let queue = DispatchQueue(label: "passes")
    func respond(_ input: AVAssetWriterInput, _ last: Last) {
      input.respondToEachPassDescription(on: queue) { withExtendedLifetime(last) {} }
    }
    for input in inputs { respond(input, Last(input, ended)) }
    // A second block replaces the first.
    respond(inputs[0], Last(inputs[0], ended))
    #expect(ended.number.withLock { $0 } == 1)
    writer.add(inputs[0])
    try #require(writer.startWriting())
    inputs[0].markCurrentPassAsFinished()
    inputs[1].markAsFinished()
    try await eventually("the blocks are released") { ended.number.withLock { $0 } == 3 }
    writer.cancelWriting()
  }

  @Test func media_placement_settings_have_no_effect() throws {
    let input = input()
    input.mediaDataLocation = .beforeMainMediaDataNotInterleaved
    let location: AVAssetWriterInput.MediaDataLocation = input.mediaDataLocation
    #expect(location == .interleavedWithMainMediaData)
    input.preferredMediaChunkAlignment = 4096
    input.preferredMediaChunkDuration = CMTime(value: 1, timescale: 1)
    input.sampleReferenceBaseURL = folder.url("elsewhere")
    #expect(input.preferredMediaChunkAlignment == 0 && !input.preferredMediaChunkDuration.isValid)
    #expect(input.sampleReferenceBaseURL == nil)
    let writer = try AVAssetWriter(outputURL: folder.url("a.mov"), fileType: .mov)
    writer.initialMovieFragmentSequenceNumber = 7
    writer.producesCombinableFragments = true
    #expect(writer.initialMovieFragmentSequenceNumber == 1 && !writer.producesCombinableFragments)
  }

  @Test(.tags(.judges)) func a_detected_face_is_written_as_four_floats() async throws {
    let face = AVMutableMetadataItem()
    face.identifier = .quickTimeMetadataDetectedFace
    face.value = CGRect(x: 0.25, y: 0.5, width: 0.125, height: 1)
    let rig = try DataTrackRig()
    let key = "com.apple.quicktime.detected-face"
    let hint = try DataTrackRig.hint(key, kCMMetadataBaseDataType_RectF32)
    #expect(face.identifier == AVMetadataIdentifier("mdta/" + key))
    let group = AVTimedMetadataGroup(items: [face], timeRange: rig.range(2, 3))
    #expect(group.copyFormatDescription() == hint)
    let input = AVAssetWriterInput(
      mediaType: .metadata, outputSettings: nil, sourceFormatHint: hint)
    let adaptor = AVAssetWriterInputMetadataAdaptor(assetWriterInput: input)
    rig.writer.add(rig.video)
    rig.writer.add(input)
    try rig.begin()
    #expect(adaptor.append(group), "\(String(describing: rig.writer.error))")
    input.markAsFinished()
    try await rig.finish()
    let bytes = try Judges.packetBytes(rig.folder.path("a.mov"), stream: "d:0")
    #expect(
      bytes == [
        [0, 0, 0, 24, 0, 0, 0, 1, 0x3E, 0x80, 0, 0, 0x3F, 0, 0, 0, 0x3E, 0, 0, 0, 0x3F, 0x80, 0, 0]
      ])
  }

  @Test func metadata_items_keep_their_times_and_attributes() {
    let item = AVMutableMetadataItem()
    #expect(!item.time.isValid && !item.duration.isValid && item.startDate == nil)
    item.time = CMTime(value: 3, timescale: 1)
    item.duration = CMTime(value: 2, timescale: 1)
    let date = Date(timeIntervalSince1970: 1_000_000)
    item.startDate = date
    #expect(item.extraAttributes == nil)
    item.extraAttributes = [.info: "more", AVMetadataExtraAttributeKey.baseURI: "file:///"]
    let kept: AVMetadataItem = item
    #expect(kept.time == CMTime(value: 3, timescale: 1) && kept.startDate == date)
    #expect(kept.duration == CMTime(value: 2, timescale: 1))
    #expect(kept.extraAttributes?[.info] as? String == "more")
    #expect(kept.extraAttributes?[.valueURI] == nil)
  }

  @Test func stereo_tagged_buffers_are_refused() throws {
    let writer = try AVAssetWriter(outputURL: folder.url("a.mov"), fileType: .mov)
    let input = input()
    let adaptor = AVAssetWriterInputTaggedPixelBufferGroupAdaptor(assetWriterInput: input)
    writer.add(input)
    try #require(writer.startWriting())
    writer.startSession(atSourceTime: .zero)
    var image: CVPixelBuffer?
    CVPixelBufferCreate(nil, 64, 48, kCVPixelFormatType_422YpCbCr8, nil, &image)
    let made = try #require(image)
    let left = CMTaggedBuffer(
      tags: [.videoLayerID(0), .stereoView(.leftEye)], buffer: .pixelBuffer(made))
    #expect(left.tags == [CMTag.videoLayerID(0), .stereoView(CMStereoViewComponents.leftEye)])
    let right = CMTaggedBuffer(tags: [.stereoView(.rightEye)], pixelBuffer: made)
    guard case .pixelBuffer(made) = right.buffer else {
      Issue.record("the tagged buffer does not contain its pixel buffer")
      return
    }
    #expect(adaptor.pixelBufferPool == nil && adaptor.assetWriterInput === input)
    #expect(!adaptor.appendTaggedBuffers([left], withPresentationTime: .zero))
    let error = try #require(writer.error as? AVError)
    #expect("\(error)".contains("AVAssetWriterInputPixelBufferAdaptor"))
    writer.cancelWriting()
  }
}
