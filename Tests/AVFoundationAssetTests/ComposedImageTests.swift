import AVFoundationCompat
import Testing

/// Images that an image generator gets from a compositor.
@Suite struct ComposedImageTests {
  private let tools: CompositorRig

  init() throws { tools = try CompositorRig() }

  private func generator(_ order: CompositorOrder) async throws -> AVAssetImageGenerator {
    let generator = AVAssetImageGenerator(asset: try await tools.rig.makeMovie())
    generator.videoComposition = tools.composition(InvertingCompositor.self, order)
    return generator
  }

  @Test func a_generator_returns_the_compositors_frame_at_a_time() async throws {
    let generator = try await generator(CompositorOrder(.later))
    #expect(generator.customVideoCompositor is InvertingCompositor)
    generator.maximumSize = CGSize(width: 160, height: 0)
    for (wanted, frame) in [(0.0, 0), (0.17, 4), (0.2, 5), (9, 19)] {
      let made = try await generator.image(at: CMTime(seconds: wanted, preferredTimescale: 600))
      #expect(made.actualTime == CMTime(value: Int64(frame), timescale: 25), "\(wanted) s")
      #expect(made.image.width == 160 && made.image.height == 90)
      let value = Double(made.image.image[0, 0, 0]) * 876 + 64
      #expect(abs(value - Double(CompositorRig.inverted[frame])) <= 8, "\(wanted) s")
    }
  }

  @Test func a_generator_can_be_cancelled_while_its_compositor_hangs() async throws {
    let order = CompositorOrder(.never)
    let generator = try await generator(order)
    let (results, end) = AsyncStream<AVAssetImageGenerator.Result>.makeStream()
    generator.generateCGImagesAsynchronously(forTimes: [.zero]) { _, _, _, result, _ in
      end.yield(result)
      end.finish()
    }
    for _ in 0..<2000 where order.heldCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
    try #require(order.heldCount == 1)
    generator.cancelAllCGImageGeneration()
    for await result in results { #expect(result == .cancelled) }
  }
}
