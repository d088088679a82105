import DNG
import MediaCore
import Synchronization
import Testing

@testable import RawDevelop

/// Two images from a photo decoded once, and canceled work.
struct SharedLightTests: RAWFilterRig {
  private func changeOutput(_ filter: inout RAWFilter) {
    filter.colorSpace = .linearRec2020
    filter.sampleFormat = .half
    filter.extendedDynamicRangeAmount = 1
  }

  /// How often the samples are decoded for two images, which must equal those of two filters.
  private func decodings(
    _ filter: RAWFilter, _ change: (inout RAWFilter) -> Void
  ) throws -> Int {
    var (first, second) = (filter, filter)
    change(&second)
    let count = Mutex(0)
    first.samplesObserver = { _, _ in count.withLock { $0 += 1 } }
    let images = try first.outputImages(change)
    let decoded = count.withLock { $0 }
    #expect(images.0 == (try filter.outputImage()))
    #expect(images.1 == (try second.outputImage()))
    return decoded
  }

  /// Some of the mosaic's light is clipped, so there are highlights to recover.
  private func filter(scale: Float) throws -> RAWFilter {
    var negative = mosaic
    let light = negative.light
    negative.light = { row, column, color in min(2.2 * light(row, column, color), 1) }
    var filter = try filter(negative)
    filter.scaleFactor = scale
    return filter
  }

  @Test(arguments: [1, 0.6, 0.25] as [Float])
  func images_for_two_outputs_share_one_decoding(scale: Float) throws {
    var filter = try filter(scale: scale)
    #expect(try decodings(filter, changeOutput) == 1)
    (filter.sharpnessAmount, filter.contrastAmount) = (0.5, 0.5)
    filter.crop = ImageCrop(left: 0.1, top: 0, right: 0.9, bottom: 0.8)
    #expect(try decodings(filter, changeOutput) == 1)
  }

  @Test func images_with_different_light_are_decoded_separately() throws {
    let filter = try filter(scale: 0.6)
    #expect(try decodings(filter) { $0.scaleFactor = 0.5 } == 2)
    // A mosaic's linear light is not clipped.
    var plain = filter
    plain.isHighlightRecoveryEnabled = false
    #expect(try decodings(plain, changeOutput) == 1)
    plain.boostAmount = 0
    #expect(try decodings(plain, changeOutput) == 2)
  }

  /// A file may have a thousand corrections, each of them slow.
  @Test func canceled_work_stops_before_the_next_correction() throws {
    let asked = Mutex(0)
    var runner = OpcodeRunner(stage: .linear)
    runner.isCanceled = {
      asked.withLock { count in
        count += 1
        return count > 2
      }
    }
    let example = try #require(OpcodeBytes.examples.first { $0.0 == 10 })
    let list = try OpcodeList(OpcodeBytes.list([example, example, example, example]))
    let planes = LightPlanes(width: 12, height: 8, count: 1)
    planes[0].update(repeating: 0.5, count: 12 * 8)
    let error = #expect(throws: RawDevelopError.self) { try runner.apply(list, to: planes) }
    #expect(error?.code == .canceled && asked.withLock { $0 } == 3)
    var filter = try filter(mosaic)
    filter.isCanceled = { true }
    let refusal = #expect(throws: RawDevelopError.self) { try filter.outputImage() }
    #expect(refusal?.code == .canceled)
  }
}
