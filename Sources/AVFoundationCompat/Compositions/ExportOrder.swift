import AssetWriter
import Foundation
import MediaCore
import MovieExport
import QuickTime

/// What an export session is asked for.
struct ExportOrder {
  let asset: AVAsset
  let preset: ExportPreset
  let path: String
  let fileType: FileType
  /// What of the asset is taken.
  var range = CMTimeRange(start: .zero, duration: .positiveInfinity)
  /// What the movie says of itself; nil for what the asset says.
  var metadata: [AVMetadataItem]?
  var metadataFilter: AVMetadataItemFilter?
  var videoComposition: KeptComposition?
  var audioMix: AVAudioMix?

  init(_ asset: AVAsset, preset: ExportPreset, path: String, fileType: FileType) {
    (self.asset, self.preset, self.path, self.fileType) = (asset, preset, path, fileType)
  }

  /// A file that becomes ProRes as it is, with all that it says of itself; nil for other orders, and for a
  /// file with several tracks of pictures, of which a conversion takes one.
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

  /// How sound is mixed; nil where each track stays one.
  func mix(of timeline: MovieTimeline) throws(AVError) -> SoundMix? {
    guard preset.mixesSound || audioMix != nil,
      var mix = SoundMix(of: timeline, channels: preset.channels)
    else { return nil }
    if preset.mixesSound, !AudioOutputSettings.aacRates.contains(mix.format.sampleRate) {
      mix.format.sampleRate = 48_000
    }
    try audioMix?.set(&mix, for: asset, from: range.firstTime)
    return mix
  }
}
