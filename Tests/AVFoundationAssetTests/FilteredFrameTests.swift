import AVFoundationCompat
import TestSupport
import Testing

/// Frames that go through a program's Core Image filters.
@Suite struct FilteredFrameTests {
  private let tools: CompositorRig
  private var folder: TemporaryFolder { tools.rig.folder }

  init() throws { tools = try CompositorRig() }

  /// The luma code of half the light.
  private static func halved(_ code: Int) -> Int {
    let value = Double(code - 64) / 876
    let light = (value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)) / 2
    let result = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    return 64 + Int((result * 876).rounded())
  }

  @Sendable private static func halve(_ request: AVAsynchronousCIImageFilteringRequest) {
    let filter = CIFilter.exposureAdjust()
    filter.inputImage = request.sourceImage
    filter.ev = -1
    guard let image = filter.outputImage,
      request.renderSize == CGSize(width: 320, height: 180),
      request.sourceImage.extent.size == request.renderSize
    else { return request.finish(with: CompositorFault()) }
    request.finish(with: image, context: CIContext())
  }

  @Test func a_filter_handler_processes_exported_frames() async throws {
    let asset = try await tools.rig.makeMovie()
    let filtered = AVVideoComposition(
      asset: asset, applyingCIFiltersWithHandler: Self.halve(_:))
    #expect(filtered.renderSize == CGSize(width: 320, height: 180))
    let session = try tools.session(asset, filtered)
    #expect(session.customVideoCompositor == nil)
    try await session.export(to: folder.url("out.mov"), as: .mov)
    let luma = try tools.luma(of: AVURLAsset(url: folder.url("out.mov")))
    #expect(CompositorRig.isNear(luma, CompositorRig.gray.map(Self.halved)), "\(luma)")
  }

  @Test func filters_receive_upright_frames_and_may_finish_on_other_threads() async throws {
    let asset = try await tools.rig.makeMovie(
      transform: CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 180, ty: 0))
    let filtered = AVMutableVideoComposition(asset: asset) { request in
      DispatchQueue.global().async {
        let isUpright = request.sourceImage.extent.size == CGSize(width: 180, height: 320)
        guard isUpright, request.compositionTime < CMTime(value: 20, timescale: 25) else {
          return request.finish(with: CompositorFault())
        }
        let filter = CIFilter.colorMatrix()
        filter.setValue(request.sourceImage, forKey: "inputImage")
        filter.rVector = CIVector(x: 0, y: 0, z: 0, w: 1)
        filter.gVector = filter.rVector
        filter.bVector = filter.rVector
        guard let white = filter.outputImage else {
          return request.finish(with: CompositorFault())
        }
        request.finish(with: white, context: nil)
      }
    }
    let output = AVAssetReaderVideoCompositionOutput(
      videoTracks: asset.tracks(withMediaType: .video), videoSettings: nil)
    output.videoComposition = filtered
    let luma = try tools.read(output, of: asset)
    #expect(CompositorRig.isNear(luma, Array(repeating: 940, count: 20)), "\(luma)")
  }

  @Test func failing_filters_end_the_export_with_their_error() async throws {
    let asset = try await tools.rig.makeMovie()
    let failing = try await AVMutableVideoComposition.videoComposition(
      with: asset, applyingCIFiltersWithHandler: { $0.finish(with: CompositorFault()) })
    await #expect {
      try await tools.session(asset, failing).export(to: folder.url("out.mov"), as: .mov)
    } throws: {
      ($0 as? AVError)?.underlyingError is CompositorFault
    }
    let forgetting = AVVideoComposition(asset: asset, applyingCIFiltersWithHandler: { _ in })
    await #expect(throws: AVError.self) {
      try await tools.session(asset, forgetting).export(to: folder.url("out.mov"), as: .mov)
    }
    #expect(folder.contents == ["made.mov"])
    let nothing = AVURLAsset(url: folder.url("none.mov"))
    await #expect(throws: AVError.self) {
      _ = try await AVVideoComposition.videoComposition(
        with: nothing, applyingCIFiltersWithHandler: Self.halve(_:))
    }
  }

  @Test func a_smaller_filter_result_leaves_the_rest_black() async throws {
    let asset = try await tools.rig.makeMovie()
    let part = AVVideoComposition(asset: asset) { request in
      let small = RenderedImage(
        width: 160, height: 90, samples: .uint8(Array(repeating: 255, count: 160 * 90 * 3)),
        colorSpace: .sRGB)
      request.finish(with: CIImage(small), context: nil)
    }
    try await tools.session(asset, part).export(to: folder.url("out.mov"), as: .mov)
    // The small image lies in the lower left corner.
    let luma = try tools.luma(of: AVURLAsset(url: folder.url("out.mov")))
    #expect(CompositorRig.isNear(luma, Array(repeating: 64, count: 20)), "\(luma)")
  }
}
