import AVFoundationCompat
import TestSupport
import Testing

/// Movies and frames made by a program's own compositor, its failures and its cancellation.
@Suite struct CompositorTests {
  private let tools: CompositorRig
  private var folder: TemporaryFolder { tools.rig.folder }

  init() throws { tools = try CompositorRig() }

  private func composition(
    _ order: CompositorOrder, _ type: any AVVideoCompositing.Type = InvertingCompositor.self
  ) -> AVMutableVideoComposition { tools.composition(type, order) }

  // MARK: Exports

  @Test(arguments: [CompositorOrder.Manner.immediately, .later])
  func an_export_uses_the_frames_of_a_compositor(manner: CompositorOrder.Manner) async throws {
    let asset = try await tools.rig.makeMovie()
    let order = CompositorOrder(manner)
    let session = try tools.session(asset, composition(order))
    #expect(session.customVideoCompositor is InvertingCompositor)
    try await session.export(to: folder.url("out.mov"), as: .mov)
    let made = AVURLAsset(url: folder.url("out.mov"))
    let luma = try tools.luma(of: made)
    #expect(CompositorRig.isNear(luma, CompositorRig.inverted), "\(luma)")
    #expect(session.notes.isEmpty && made.tracks.count == 2, "\(session.notes)")
    #expect(order.mostHeld <= 3 && order.heldCount == 0 && !order.wasCancelled)
  }

  @Test func exporting_a_range_keeps_composition_times() async throws {
    let asset = try await tools.rig.makeMovie()
    let session = try tools.session(
      asset, composition(CompositorOrder(.failing(from: CMTime(value: 15, timescale: 25)))))
    session.timeRange = CMTimeRange(
      start: CMTime(value: 5, timescale: 25), duration: CMTime(value: 10, timescale: 25))
    try await session.export(to: folder.url("out.mov"), as: .mov)
    let luma = try tools.luma(of: AVURLAsset(url: folder.url("out.mov")))
    #expect(CompositorRig.isNear(luma, Array(CompositorRig.inverted[5..<15])), "\(luma)")
  }

  @Test func an_instruction_selects_the_tracks_a_compositor_sees() async throws {
    let asset = try await tools.rig.makeMovie()
    let number = try #require(asset.tracks(withMediaType: .video).first).trackID
    let passing = composition(CompositorOrder(.never, passthrough: number))
    try await tools.session(asset, passing).export(to: folder.url("passed.mov"), as: .mov)
    let luma = try tools.luma(of: AVURLAsset(url: folder.url("passed.mov")))
    #expect(CompositorRig.isNear(luma, CompositorRig.gray), "\(luma)")
    let none = composition(CompositorOrder(.immediately, required: []))
    await #expect(throws: AVError.self, "there is no frame to invert") {
      try await tools.session(asset, none).export(to: folder.url("none.mov"), as: .mov)
    }
    let unknown = composition(CompositorOrder(.immediately, required: [NSNumber(value: 9)]))
    await #expect {
      try await tools.session(asset, unknown).export(to: folder.url("none.mov"), as: .mov)
    } throws: {
      ($0 as? AVError)?.code == .invalidVideoComposition
    }
  }

  /// Returns the source frame in its own pixel format and size.
  private final class SmallFrames: AVVideoCompositing, @unchecked Sendable {
    let sourcePixelBufferAttributes: [String: any Sendable]? = nil
    let requiredPixelBufferAttributesForRenderContext: [String: any Sendable] = [:]
    func renderContextChanged(_ newRenderContext: AVVideoCompositionRenderContext) {}
    func startRequest(_ request: AVAsynchronousVideoCompositionRequest) {
      let context = request.renderContext
      #expect(context.size == CGSize(width: 320, height: 180) && context.renderScale == 1)
      #expect(context.renderTransform == .identity && context.highQualityRendering)
      #expect(context.videoComposition.renderSize == context.size)
      #expect(!supportsHDRSourceFrames && !supportsWideColorSourceFrames)
      let own = context.newPixelBuffer().map(CVPixelBufferGetPixelFormatType)
      #expect(own == kCVPixelFormatType_32BGRA)
      var made: CVPixelBuffer?
      CVPixelBufferCreate(
        nil, 160, 90, kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange, nil, &made)
      guard let made, let base = CVPixelBufferGetBaseAddressOfPlane(made, 0),
        let chroma = CVPixelBufferGetBaseAddressOfPlane(made, 1)
      else { return request.finish(with: CompositorFault()) }
      for (plane, code) in [(base, UInt16(500) << 6), (chroma, UInt16(512) << 6)] {
        let count = CVPixelBufferGetBytesPerRowOfPlane(made, 0) * 90 / 2
        plane.withMemoryRebound(to: UInt16.self, capacity: count) { codes in
          for index in 0..<count { codes[index] = code }
        }
      }
      request.finish(withComposedVideoFrame: made)
    }
  }

  @Test func compositor_frames_may_differ_in_pixel_format_and_size() async throws {
    let asset = try await tools.rig.makeMovie()
    let session = try tools.session(
      asset, composition(CompositorOrder(.immediately), SmallFrames.self))
    try await session.export(to: folder.url("out.mov"), as: .mov)
    let made = AVURLAsset(url: folder.url("out.mov"))
    #expect(made.tracks[0].naturalSize == CGSize(width: 320, height: 180))
    #expect(CompositorRig.isNear(try tools.luma(of: made), Array(repeating: 500, count: 20)))
  }

  private protocol LayoutCode { static var code: OSType { get } }
  private enum EightBits: LayoutCode {
    static var code: OSType { kCVPixelFormatType_420YpCbCr8BiPlanarFullRange }
  }
  private enum TenBits: LayoutCode {
    static var code: OSType { kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange }
  }

  /// Returns the source frame.
  private final class Passing<Layout: LayoutCode>: AVVideoCompositing, @unchecked Sendable {
    var sourcePixelBufferAttributes: [String: Any]? {
      [kCVPixelBufferPixelFormatTypeKey: NSNumber(value: Layout.code)]
    }
    var requiredPixelBufferAttributesForRenderContext: [String: Any] {
      [kCVPixelBufferPixelFormatTypeKey: Layout.code]
    }
    func renderContextChanged(_ newRenderContext: AVVideoCompositionRenderContext) {}
    func startRequest(_ request: AVAsynchronousVideoCompositionRequest) {
      guard let source = request.sourceFrame(byTrackID: 1),
        CVPixelBufferGetPixelFormatType(source) == Layout.code,
        request.renderContext.newPixelBuffer().map(CVPixelBufferGetPixelFormatType) == Layout.code
      else { return request.finish(with: CompositorFault()) }
      request.finish(withComposedVideoFrame: source)
    }
  }

  @Test(arguments: [
    Passing<EightBits>.self as any AVVideoCompositing.Type, Passing<TenBits>.self,
  ]) func source_frames_have_the_pixel_format_the_compositor_requests(
    type: any AVVideoCompositing.Type
  ) async throws {
    let asset = try await tools.rig.makeMovie()
    let session = try tools.session(asset, composition(CompositorOrder(.immediately), type))
    try await session.export(to: folder.url("out.mov"), as: .mov)
    let luma = try tools.luma(of: AVURLAsset(url: folder.url("out.mov")))
    #expect(CompositorRig.isNear(luma, CompositorRig.gray), "\(luma)")
  }

  // MARK: Failures

  @Test func a_failing_compositor_ends_the_export_with_its_error() async throws {
    let asset = try await tools.rig.makeMovie()
    let session = try tools.session(
      asset, composition(CompositorOrder(.failing(from: CMTime(value: 5, timescale: 25)))))
    await #expect {
      try await session.export(to: folder.url("out.mov"), as: .mov)
    } throws: {
      ($0 as? AVError)?.underlyingError is CompositorFault
    }
    #expect(session.status == .failed && folder.contents == ["made.mov"])
  }

  @Test(arguments: [CompositorOrder.Manner.dropping, .cancelling])
  func a_request_without_a_frame_or_an_error_ends_the_export(
    manner: CompositorOrder.Manner
  ) async throws {
    let asset = try await tools.rig.makeMovie()
    let session = try tools.session(asset, composition(CompositorOrder(manner)))
    await #expect {
      try await session.export(to: folder.url("out.mov"), as: .mov)
    } throws: {
      ($0 as? AVError)?.code == .invalidVideoComposition
    }
    #expect(session.status == .failed && folder.contents == ["made.mov"])
  }

  /// Offers only an unknown pixel format.
  private final class Stranger: AVVideoCompositing, @unchecked Sendable {
    let sourcePixelBufferAttributes: [String: Any]? = [
      kCVPixelBufferPixelFormatTypeKey: [0x7A7A_7A7A]
    ]
    let requiredPixelBufferAttributesForRenderContext: [String: Any] = [:]
    func renderContextChanged(_ newRenderContext: AVVideoCompositionRenderContext) {}
    func startRequest(_ request: AVAsynchronousVideoCompositionRequest) {}
  }

  @Test func a_compositor_requesting_unknown_pixel_formats_is_refused() async throws {
    let asset = try await tools.rig.makeMovie()
    let session = try tools.session(
      asset, composition(CompositorOrder(.immediately), Stranger.self))
    await #expect {
      try await session.export(to: folder.url("out.mov"), as: .mov)
    } throws: {
      "\($0)".contains("none of its pixel formats is supported")
    }
  }

  // MARK: Cancelling

  /// Waits until the condition holds.
  private func wait(_ isThere: () -> Bool) async throws {
    for _ in 0..<2000 where !isThere() { try await Task.sleep(for: .milliseconds(5)) }
    try #require(isThere())
  }

  @Test func an_export_can_be_cancelled_while_its_compositor_hangs() async throws {
    let asset = try await tools.rig.makeMovie()
    let order = CompositorOrder(.never)
    let session = try tools.session(asset, composition(order))
    session.outputURL = folder.url("out.mov")
    let (ended, end) = AsyncStream<AVAssetExportSession.Status>.makeStream()
    session.exportAsynchronously { end.yield(session.status) }
    try await wait { order.heldCount == 3 }
    session.cancelExport()
    var statuses = ended.makeAsyncIterator()
    #expect(await statuses.next() == .cancelled, "the status is set before the handler is called")
    try await wait { order.wasCancelled }
    session.cancelExport()
    end.finish()
    #expect(await statuses.next() == nil, "the handler is called once")
    #expect((session.error as? AVError)?.code == .operationCancelled)
    #expect(order.heldCount == 3 && folder.contents == ["made.mov"])
  }

  @Test func the_export_handler_is_called_once() async throws {
    let asset = try await tools.rig.makeMovie()
    let session = try tools.session(asset, composition(CompositorOrder(.later)))
    session.outputURL = folder.url("out.mov")
    let (ended, end) = AsyncStream<AVAssetExportSession.Status>.makeStream()
    session.exportAsynchronously { end.yield(session.status) }
    var statuses = ended.makeAsyncIterator()
    #expect(await statuses.next() == .completed)
    session.cancelExport()
    try await Task.sleep(for: .milliseconds(50))
    end.finish()
    #expect(await statuses.next() == nil && session.status == .completed)
  }

  // MARK: Readers

  private func output(
    _ asset: AVAsset, _ order: CompositorOrder
  ) -> AVAssetReaderVideoCompositionOutput {
    let output = AVAssetReaderVideoCompositionOutput(
      videoTracks: asset.tracks(withMediaType: .video), videoSettings: nil)
    output.videoComposition = composition(order)
    return output
  }

  @Test(arguments: [CompositorOrder.Manner.immediately, .later])
  func a_reader_delivers_the_frames_of_a_compositor(manner: CompositorOrder.Manner) async throws {
    let asset = try await tools.rig.makeMovie()
    let output = output(asset, CompositorOrder(manner))
    #expect(output.customVideoCompositor is InvertingCompositor)
    let luma = try tools.read(output, of: asset)
    #expect(CompositorRig.isNear(luma, CompositorRig.inverted), "\(luma)")
  }

  @Test func a_reader_can_be_cancelled_while_its_compositor_hangs() async throws {
    let asset = try await tools.rig.makeMovie()
    let order = CompositorOrder(.never)
    let output = output(asset, order)
    let reader = try AVAssetReader(asset: asset)
    reader.add(output)
    try #require(reader.startReading())
    let (ended, end) = AsyncStream<Bool>.makeStream()
    DispatchQueue.global().async {
      end.yield(output.copyNextSampleBuffer() == nil)
      end.finish()
    }
    try await wait { order.heldCount == 3 }
    reader.cancelReading()
    for await isNothing in ended { #expect(isNothing) }
    #expect(reader.status == .cancelled && reader.error == nil)
    try await wait { order.wasCancelled }
  }

  @Test func a_reader_fails_with_the_error_of_its_compositor() async throws {
    let asset = try await tools.rig.makeMovie()
    let output = output(asset, CompositorOrder(.failing(from: .zero)))
    let reader = try AVAssetReader(asset: asset)
    reader.add(output)
    try #require(reader.startReading())
    #expect(output.copyNextSampleBuffer() == nil && reader.status == .failed)
    #expect((reader.error as? AVError)?.underlyingError is CompositorFault)
  }
}
