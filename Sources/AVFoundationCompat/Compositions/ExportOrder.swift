import AssetWriter
import Foundation
import MediaCore
import MovieExport
import QuickTime

/// The parameters of an export.
struct ExportOrder {
  let asset: AVAsset
  let preset: ExportPreset
  let path: String
  let fileType: FileType
  /// The range of the asset to export.
  var range = CMTimeRange(start: .zero, duration: .positiveInfinity)
  /// The movie's metadata; nil for the asset's.
  var metadata: [AVMetadataItem]?
  var metadataFilter: AVMetadataItemFilter?
  var videoComposition: KeptComposition?
  var audioMix: AVAudioMix?

  init(_ asset: AVAsset, preset: ExportPreset, path: String, fileType: FileType) {
    (self.asset, self.preset, self.path, self.fileType) = (asset, preset, path, fileType)
  }

  /// A direct conversion of a file to ProRes that keeps its metadata; nil for other exports, and for a file with
  /// several video tracks because a conversion takes only one.
  var conversion: AssetExportSession? {
    guard case .proRes(let codec) = preset.kind, let location = asset.location, metadata == nil,
      metadataFilter == nil, videoComposition == nil, audioMix == nil,
      asset.tracks(withMediaType: .video).count < 2
    else { return nil }
    var session = AssetExportSession(location: location, outputPath: path)
    session.codec = codec
    session.writesSidecar = false
    if range.start.isNumeric, range.start > .zero { session.edit.start = .time(range.start) }
    if range.duration.isNumeric { session.edit.end = .time(range.end) }
    return session
  }

  /// How audio is mixed; nil if audio tracks stay separate.
  func mix(of timeline: MovieTimeline) throws(AVError) -> AudioMix? {
    guard preset.mixesAudio || audioMix != nil,
      var mix = AudioMix(of: timeline, channels: preset.channels)
    else { return nil }
    if preset.mixesAudio, !AudioOutputSettings.aacRates.contains(mix.format.sampleRate) {
      mix.format.sampleRate = 48_000
    }
    try audioMix?.set(&mix, for: asset, from: range.firstTime)
    return mix
  }
}
