import AVFoundationCompat
import AssetReader
import Synchronization
import TestSupport
import Testing

/// Names that recorders use from Foundation and Core Graphics, and a layer that others draw.
@Suite(.timeLimit(.minutes(10)))
struct ConvenienceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func foundation_compatibility_names_exist() {
    #expect(CGFloat(truncating: NSNumber(value: 1.5)) == 1.5)
    let (one, two): (NSInteger, NSUInteger) = (1, 2)
    let place = CGPoint(x: Double(one), y: Double(two))
    #expect(place.debugDescription == "(1.0, 2.0)")
    let size = CGSize(width: 3, height: 4)
    #expect(size.debugDescription == "(3.0, 4.0)")
    #expect(CGRect(origin: place, size: size).debugDescription == "(1.0, 2.0, 3.0, 4.0)")
    #expect(folder.url.startAccessingSecurityScopedResource())
    folder.url.stopAccessingSecurityScopedResource()
    #expect(throws: AVError.self) { try AVDepthData(fromDictionaryRepresentation: [:]) }
    #expect(throws: AVError.self) { try AVPortraitEffectsMatte(fromDictionaryRepresentation: [:]) }
  }

  @Test func transforms_rotate_scale_and_translate() {
    let turn = CGAffineTransform(rotationAngle: .pi / 2)
    let moved = turn.translatedBy(x: 3, y: 4).scaledBy(x: 2, y: 2)
    let point = CGPoint(x: 1, y: 0).applying(moved)
    #expect(abs(point.x - -4) < 1e-9 && abs(point.y - 5) < 1e-9)
    let back = point.applying(moved.inverted())
    #expect(abs(back.x - 1) < 1e-9 && abs(back.y) < 1e-9)
    #expect(CGAffineTransformIdentity.isIdentity && !turn.isIdentity)
    let quarter = turn.rotated(by: -.pi / 2)
    #expect(abs(quarter.a - 1) < 1e-9)
    let size = CGSize(width: 2, height: 1).applying(turn)
    #expect(abs(size.width + 1) < 1e-9 && abs(size.height - 2) < 1e-9)
    let flat = CGAffineTransform(scaleX: 0, y: 0)
    #expect(flat.inverted() == flat)
    #expect(
      CGAffineTransform(translationX: 1, y: 2)
        == CGAffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 1, ty: 2))
  }

  private func input() -> AVAssetWriterInput {
    AVAssetWriterInput(
      mediaType: .video,
      outputSettings: [
        AVVideoCodecKey: AVVideoCodecType.proRes422, AVVideoWidthKey: 64, AVVideoHeightKey: 48,
      ])
  }

  @Test func a_quarter_turn_is_written_to_the_track_matrix() async throws {
    let input = input()
    input.expectsMediaDataInRealTime = true
    input.transform = CGAffineTransform(rotationAngle: .pi / 2)
    #expect(input.transform.b == 1 && input.expectsMediaDataInRealTime)
    let url = folder.url("turned.mov")
    let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
    writer.add(input)
    writer.startWriting()
    writer.startSession(atSourceTime: .zero)
    let frame = try MutablePixelBuffer(.init(format: .uyvy, width: 64, height: 48)).finish()
    #expect(input.append(CMSampleBuffer(.video(frame), presentationTimeStamp: .zero)))
    await writer.finishWriting()
    #expect(writer.status == .completed)
    #expect(try StrictDecoder(path: url.path).run().isClean)
    let data = try Data(contentsOf: url)
    // The first row of the track matrix of a quarter turn: 0, 1, 0.
    let row = Data([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0])
    #expect(data.range(of: row) != nil)
  }

  @Test func an_unsupported_transform_is_refused_with_an_error() throws {
    let input = input()
    input.transform = CGAffineTransform(rotationAngle: 1)
    #expect(input.transform.isIdentity)
    let writer = try AVAssetWriter(outputURL: folder.url("a.mov"), fileType: .mov)
    writer.add(input)
    #expect((writer.error as? AVError)?.message.contains("transform") == true)
    input.transform = CGAffineTransform(rotationAngle: .pi)
    #expect(input.transform.isIdentity)
    input.mediaTimeScale = 600
    input.performsMultiPassEncodingIfSupported = true
    #expect(input.mediaTimeScale == 0 && !input.performsMultiPassEncodingIfSupported)
  }

  @Test func a_preview_layer_passes_frames_to_its_handler() async throws {
    let rig = try PatternRig()
    let count = Atomic<Int>(0)
    var layer: AVCaptureVideoPreviewLayer? = AVCaptureVideoPreviewLayer(session: rig.session)
    let preview = try #require(layer)
    preview.videoGravity = AVLayerVideoGravity.resizeAspectFill
    preview.frame = CGRect(x: 0, y: 0, width: 10, height: 10)
    #expect(preview.videoGravity == .resizeAspectFill && preview.frame.width == 10)
    #expect(preview.session === rig.session && preview.connection?.mediaType == .video)
    #expect(AVLayerVideoGravity.resizeAspect != .resize)
    preview.setFrameHandler(queue: DispatchQueue(label: "drawing")) { frame in
      if CVPixelBufferGetWidth(frame) == 640 { count.add(1, ordering: .relaxed) }
    }
    rig.session.startRunning()
    try await eventually("frames arrive") { count.load(ordering: .relaxed) >= 2 }
    rig.session.stopRunning()
    preview.session = nil
    #expect(preview.connection == nil && rig.session.outputs.count == 1)
    layer = nil
    let other = AVCaptureVideoPreviewLayer(sessionWithNoConnection: rig.session)
    #expect(other.connection == nil && other != preview)
    #expect(AVCaptureVideoPreviewLayer().session == nil)
  }

  @Test func a_preview_layer_is_not_among_the_session_outputs() async throws {
    let rig = try PatternRig()
    rig.session.removeOutput(rig.output)
    let preview = AVCaptureVideoPreviewLayer(session: rig.session)
    rig.session.addOutput(rig.output)
    #expect(rig.session.outputs.first as? AVCaptureMovieFileOutput === rig.output)
    rig.session.outputs.forEach { rig.session.removeOutput($0) }
    #expect(rig.session.outputs.isEmpty)
    let count = Atomic<Int>(0)
    preview.setFrameHandler(queue: DispatchQueue(label: "drawing")) { _ in
      count.add(1, ordering: .relaxed)
    }
    rig.session.startRunning()
    try await eventually("frames arrive") { count.load(ordering: .relaxed) >= 2 }
    // The input of a running session may be removed and added again.
    let input = try #require(rig.session.inputs.first)
    rig.session.beginConfiguration()
    rig.session.removeInput(input)
    #expect(preview.connection == nil)
    rig.session.addInput(input)
    rig.session.commitConfiguration()
    let before = count.load(ordering: .relaxed)
    try await eventually("frames arrive again") { count.load(ordering: .relaxed) > before + 1 }
    rig.session.stopRunning()
    #expect(preview.connection?.mediaType == .video)
  }

  @Test func notifications_arrive_as_an_async_sequence() async throws {
    let name = Notification.Name("convenience-\(UUID())")
    let center = NotificationCenter.default
    var iterator = center.notifications(named: name).makeAsyncIterator()
    center.post(name: name, object: nil)
    #expect(await iterator.next()?.name == name)
    #expect(autoreleasepool { 3 } == 3)
  }
}
