import AVFoundationCompat
import Testing

/// Copies of mutable objects, and comparison of objects.
@Suite struct CopyTests {
  private let rig: ReadingRig

  init() throws { rig = try ReadingRig() }

  @Test func copies_of_a_composition_are_independent() async throws {
    let asset = try await rig.makeMovie()
    #expect(asset.copy() as? AVAsset === asset)
    let composition = AVMutableComposition(urlAssetInitializationOptions: [
      AVURLAssetPreferPreciseDurationAndTimingKey: true
    ])
    let half = CMTimeRange(start: .zero, duration: CMTime(value: 10, timescale: 25))
    try composition.insertTimeRange(half, of: asset, at: .zero)
    let copy = try #require(composition.copy() as? AVComposition)
    let other = try #require(composition.mutableCopy() as? AVMutableComposition)
    try other.insertTimeRange(half, of: asset, at: .invalid)
    composition.removeTimeRange(half)
    #expect(copy.duration.seconds == 0.4 && other.duration.seconds == 0.8)
    #expect(composition.duration == .zero && !(copy is AVMutableComposition))
    #expect(other.tracks(withMediaType: .video).first?.asset === other)
  }

  @Test func copies_of_video_compositions_and_mixes_are_independent() throws {
    let composition = AVMutableVideoComposition()
    composition.renderSize = CGSize(width: 320, height: 180)
    let copy = try #require(composition.copy() as? AVVideoComposition)
    let other = try #require(composition.mutableCopy() as? AVMutableVideoComposition)
    composition.renderSize = CGSize(width: 2, height: 2)
    other.renderScale = 2
    #expect(copy.renderSize.width == 320 && other.renderSize.width == 320)
    #expect(copy.renderScale == 1 && composition.renderScale == 1)
    let mix = AVMutableAudioMix()
    mix.inputParameters = [AVMutableAudioMixInputParameters()]
    let kept = try #require(mix.copy() as? AVAudioMix)
    let changed = try #require(mix.mutableCopy() as? AVMutableAudioMix)
    mix.inputParameters = []
    #expect(kept.inputParameters.count == 1 && changed.inputParameters.count == 1)
  }

  @Test func copies_of_fetch_options_are_independent() throws {
    let options = PHFetchOptions()
    options.fetchLimit = 3
    options.predicate = NSPredicate(format: "isFavorite == true")
    options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
    let copy = try #require(options.copy() as? PHFetchOptions)
    (options.fetchLimit, options.predicate, options.sortDescriptors) = (0, nil, nil)
    #expect(copy.fetchLimit == 3 && copy.predicate != nil && copy.sortDescriptors?.count == 1)
  }

  @Test func objects_are_compared_by_identity() {
    struct Edit: Hashable {
      var composition: AVVideoComposition?
      var mix: AVAudioMix?
    }
    let (mix, composition) = (AVMutableAudioMix(), AVMutableVideoComposition())
    let edit = Edit(composition: composition, mix: mix)
    #expect(edit == Edit(composition: composition, mix: mix))
    #expect(edit != Edit(composition: composition, mix: AVMutableAudioMix()))
    let settings = AVCapturePhotoSettings()
    #expect(Set([settings, settings, AVCapturePhotoSettings()]).count == 2)
    func isSame<Object: ComparedByIdentity>(_ object: Object) -> Bool { object == object }
    #expect(isSame(CIContext()) && isSame(CIFilter.exposureAdjust()))
  }

  @Test func generator_images_are_uncropped_in_every_aperture_mode() async throws {
    let generator = AVAssetImageGenerator(asset: try await rig.makeMovie())
    let mode: AVAssetImageGenerator.ApertureMode = .cleanAperture
    generator.apertureMode = mode
    #expect(generator.apertureMode == .encodedPixels && mode != .productionAperture)
    #expect(try generator.copyCGImage(at: .zero, actualTime: nil).width == 320)
  }
}
