import CProResKernels
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import ProRes

/// How much work an encoder does for a frame, counted instead of timed. An ordinary frame takes one
/// pass and codes only the bytes of the result; a frame that is measured first, after a cut, takes
/// two to four passes; the worst case is bounded.
@Suite(.tags(.slow), .serialized) struct EncoderWorkTests {
  /// The calls of the hot loops.
  private struct Work {
    /// Slices that were loaded and transformed.
    var loads = 0
    /// Slices that were quantized and coded, counted every time.
    var passes = 0
    /// Bytes of code words, including discarded ones.
    var bytes = 0
  }

  private static let work = Mutex(Work())

  /// The portable kernels with counters.
  private func countingKernels() throws -> prores_kernels {
    var table = try #require(KernelChoice.c.table).pointee
    table.transform_words = nil
    table.load = { picture, area, samples, ahead in
      EncoderWorkTests.work.withLock { $0.loads += 1 }
      KernelChoice.c.table?.pointee.load(picture, area, samples, ahead)
    }
    table.code = { components, count, bytes, ahead in
      let size = KernelChoice.c.table?.pointee.code(components, count, bytes, ahead) ?? 0
      EncoderWorkTests.work.withLock {
        $0.passes += 1
        $0.bytes += size
      }
      return size
    }
    return table
  }

  /// The work for each frame of a scene.
  private func work(
    _ contents: [TestFrame.Content], _ profile: ProResProfile
  ) throws -> (frames: [Work], slices: Int, target: Int) {
    let (width, height) = (240, 272)
    let configuration = ProResEncoder.Configuration(
      profile: profile, width: width, height: height, threads: 1)
    let header = FrameHeader(
      width: width, height: height, chromaFormat: profile.chromaFormat,
      interlaceMode: .progressive, lumaMatrix: profile.lumaMatrix,
      chromaMatrix: profile.chromaMatrix, encoderIdentifier: ProResEncoder.defaultIdentifier)
    let sizes = FrameSizes(configuration, headerSize: header.encodedSize)
    let encoding = try FrameEncoding(
      configuration: configuration, sizes: sizes, kernels: countingKernels(), workers: 1)
    let pool = try WorkerPool(workers: 1, name: "work", options: .ordinary) { worker, item in
      encoding.work(worker: worker, item: item)
    }
    let target = UnsafeMutableRawBufferPointer.allocate(byteCount: sizes.maximum, alignment: 64)
    defer { target.deallocate() }
    let format: PixelFormat = profile.is4444 ? .yuv444p10 : .yuv422p10
    let layout = try #require(SourcePicture.layout(of: format))
    let frames = try contents.enumerated().map { number, content in
      let picture = TestFrame(
        width: width, height: height, fullChroma: profile.is4444, content: content,
        seed: UInt64(number))
      Self.work.withLock { $0 = Work() }
      SourcePicture.withPicture(try picture.buffer(format), layout) {
        _ = encoding.encode($0, header: header, pool: pool, into: target)
      }
      return Self.work.withLock { $0 }
    }
    return (frames, configuration.layouts[0].slices, sizes.maximum)
  }

  @Test(
    arguments: HostilePictureTests.scenes,
    ProResProfile.allCases.filter {
      TestRun.isThorough || $0 == .hq || TestRun.isExtended && $0 == .proxy
    })
  func hostile_frames_do_not_slow_the_encoder(
    scene: (name: String, contents: [TestFrame.Content]), profile: ProResProfile
  ) throws {
    let (frames, slices, target) = try work(scene.contents, profile)
    for (number, frame) in frames.enumerated() {
      #expect(frame.loads <= 5 * slices, "frame \(number)")
      #expect(frame.passes <= 7 * slices, "frame \(number)")
      #expect(frame.bytes <= 8 * target, "frame \(number)")
    }
  }

  @Test(arguments: [.hq] + (TestRun.isExtended ? [ProResProfile.proxy] : []))
  func flashing_light_is_not_measured_in_every_frame(_ profile: ProResProfile) throws {
    let contents: [TestFrame.Content] = (0..<48).map { $0 % 2 == 0 ? .noise : .minimum }
    let (frames, slices, _) = try work(contents, profile)
    // The first few cuts are measured, then one frame in eight.
    let loads = frames.dropFirst(8).reduce(0) { $0 + $1.loads }
    #expect(Double(loads) <= 2.3 * Double(40 * slices), "\(Double(loads) / Double(40 * slices))")
  }
}
