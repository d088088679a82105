import AVFoundationCompat
import TestSupport
import Testing

/// A session or an output keeps the values it was given.
@Suite struct SnapshotTests {
  private let tools: CompositorRig
  private var folder: TemporaryFolder { tools.rig.folder }

  init() throws { tools = try CompositorRig() }

  /// A composition that shows the asset, and its parts for changes.
  private func whole(
    _ asset: AVAsset
  ) -> (
    AVMutableVideoComposition, AVMutableVideoCompositionInstruction,
    AVMutableVideoCompositionLayerInstruction
  ) {
    let composition = AVMutableVideoComposition()
    composition.renderSize = CGSize(width: 320, height: 180)
    composition.frameDuration = CMTime(value: 1, timescale: 25)
    let instruction = AVMutableVideoCompositionInstruction()
    instruction.timeRange = CMTimeRange(
      start: .zero, duration: CMTime(value: 20, timescale: 25))
    let layer = AVMutableVideoCompositionLayerInstruction()
    layer.trackID = asset.tracks(withMediaType: .video).first?.trackID ?? 1
    instruction.layerInstructions = [layer]
    composition.instructions = [instruction]
    return (composition, instruction, layer)
  }

  @Test func a_session_keeps_a_copy_of_a_video_composition() async throws {
    let asset = try await tools.rig.makeMovie()
    let (composition, instruction, layer) = whole(asset)
    let session = try tools.session(asset, composition)
    composition.renderSize = CGSize(width: 64, height: 64)
    composition.instructions = []
    instruction.layerInstructions = []
    layer.setOpacity(0, at: .zero)
    #expect(session.videoComposition?.renderSize == CGSize(width: 320, height: 180))
    try await session.export(to: folder.url("out.mov"), as: .mov)
    let luma = try tools.luma(of: AVURLAsset(url: folder.url("out.mov")))
    #expect(CompositorRig.isNear(luma, CompositorRig.gray), "\(luma)")
  }

  @Test func an_output_keeps_a_copy_of_a_video_composition() async throws {
    let asset = try await tools.rig.makeMovie()
    let (composition, _, layer) = whole(asset)
    let output = AVAssetReaderVideoCompositionOutput(
      videoTracks: asset.tracks(withMediaType: .video), videoSettings: nil)
    output.videoComposition = composition
    composition.renderSize = CGSize(width: 64, height: 64)
    layer.setOpacity(0, at: .zero)
    let luma = try tools.read(output, of: asset)
    #expect(CompositorRig.isNear(luma, CompositorRig.gray), "\(luma)")
  }

  @Test func sessions_and_outputs_keep_copies_of_a_mix() async throws {
    let asset = try await tools.rig.makeMovie()
    let track = try #require(asset.tracks(withMediaType: .audio).first)
    let mix = AVMutableAudioMix()
    let parameters = AVMutableAudioMixInputParameters(track: track)
    mix.inputParameters = [parameters]
    let session = try #require(
      AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetAppleProRes422LPCM))
    session.audioMix = mix
    let output = AVAssetReaderAudioMixOutput(audioTracks: [track], audioSettings: nil)
    output.audioMix = mix
    parameters.setVolume(0, at: .zero)
    mix.inputParameters = []
    try await session.export(to: folder.url("out.mov"), as: .mov)
    let made = AVURLAsset(url: folder.url("out.mov"))
    let audio = try #require(made.tracks(withMediaType: .audio).first)
    #expect(session.audioMix?.inputParameters.count == 1)
    #expect(output.audioMix?.inputParameters.count == 1)
    #expect(try isHeard(output, of: asset))
    #expect(try isHeard(AVAssetReaderTrackOutput(track: audio, outputSettings: nil), of: made))
  }

  private func isHeard(_ output: AVAssetReaderOutput, of asset: AVAsset) throws -> Bool {
    let reader = try AVAssetReader(asset: asset)
    reader.add(output)
    try #require(reader.startReading(), "\(String(describing: reader.error))")
    var isHeard = false
    while let sample = output.copyNextSampleBuffer() {
      if case .audio(let audio) = sample.content, audio.bytes.contains(where: { $0 != 0 }) {
        isHeard = true
      }
    }
    return isHeard
  }

  @Test func edits_after_an_export_starts_do_not_affect_the_movie() async throws {
    let asset = try await tools.rig.makeMovie()
    let movie = AVMutableComposition()
    try movie.insertTimeRange(
      CMTimeRange(start: .zero, duration: CMTime(value: 20, timescale: 25)), of: asset, at: .zero)
    let session = try #require(
      AVAssetExportSession(asset: movie, presetName: AVAssetExportPresetAppleProRes422LPCM))
    session.outputURL = folder.url("out.mov")
    let (ended, end) = AsyncStream<Void>.makeStream()
    session.exportAsynchronously { end.finish() }
    movie.removeTimeRange(
      CMTimeRange(start: .zero, duration: CMTime(value: 15, timescale: 25)))
    for track in movie.tracks(withMediaType: .audio) { movie.removeTrack(track) }
    for await _ in ended {}
    #expect(session.status == .completed, "\(String(describing: session.error))")
    let made = AVURLAsset(url: folder.url("out.mov"))
    #expect(made.tracks.count == 2)
    let luma = try tools.luma(of: made)
    #expect(CompositorRig.isNear(luma, CompositorRig.gray), "\(luma)")
  }
}
