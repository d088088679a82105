// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AssetReader
public import Foundation
public import MediaCore
import Synchronization

/// ProRes 422 with uncompressed sound.
public let AVAssetExportPresetAppleProRes422LPCM = "AVAssetExportPresetAppleProRes422LPCM"
/// ProRes 4444 with uncompressed sound.
public let AVAssetExportPresetAppleProRes4444LPCM = "AVAssetExportPresetAppleProRes4444LPCM"

/// ProRes frames as they are, and sound to the sample.
public let AVAssetExportPresetPassthrough = "AVAssetExportPresetPassthrough"

// Presets that nothing here makes: no session comes of them, and `allExportPresets` lacks them.

/// H.264. Not made here.
public let AVAssetExportPresetHighestQuality = "AVAssetExportPresetHighestQuality"
/// H.264. Not made here.
public let AVAssetExportPresetMediumQuality = "AVAssetExportPresetMediumQuality"
/// H.264. Not made here.
public let AVAssetExportPresetLowQuality = "AVAssetExportPresetLowQuality"
/// H.264. Not made here.
public let AVAssetExportPreset640x480 = "AVAssetExportPreset640x480"
/// H.264. Not made here.
public let AVAssetExportPreset960x540 = "AVAssetExportPreset960x540"
/// H.264. Not made here.
public let AVAssetExportPreset1280x720 = "AVAssetExportPreset1280x720"
/// H.264. Not made here.
public let AVAssetExportPreset1920x1080 = "AVAssetExportPreset1920x1080"
/// H.264. Not made here.
public let AVAssetExportPreset3840x2160 = "AVAssetExportPreset3840x2160"
/// HEVC. Not made here.
public let AVAssetExportPresetHEVCHighestQuality = "AVAssetExportPresetHEVCHighestQuality"
/// AAC. Not made here.
public let AVAssetExportPresetAppleM4A = "AVAssetExportPresetAppleM4A"

/// Makes a ProRes movie of an asset or a composition, with its sound, timecode and metadata: encoded, or
/// with its frames as they are (``AVAssetExportPresetPassthrough``).
public final class AVAssetExportSession: Sendable {
  /// Where an export stands.
  public enum Status: Int, Sendable, Hashable {
    case unknown, waiting, exporting, completed, failed, cancelled
  }

  private struct State: Sendable {
    var outputURL: URL?
    var outputFileType: AVFileType?
    var timeRange = CMTimeRange(start: .zero, duration: .positiveInfinity)
    var status = Status.unknown
    var progress: Float = 0
    var error: AVError?
    var metadata: [AVMetadataItem]?
    var notes: [String] = []
    var task: Task<Void, Never>?
  }

  /// What is converted.
  public let asset: AVAsset
  /// What it becomes.
  public let presetName: String
  /// The codec; nil to copy frames.
  private let codec: VideoCodecType?
  private let state = Mutex(State())

  private static let codecs: [String: VideoCodecType] = [
    AVAssetExportPresetAppleProRes422LPCM: .proRes422,
    AVAssetExportPresetAppleProRes4444LPCM: .proRes4444,
  ]

  /// A session; nil for a preset that nothing here makes.
  public init?(asset: AVAsset, presetName: String) {
    let codec = Self.codecs[presetName]
    guard codec != nil || presetName == AVAssetExportPresetPassthrough else { return nil }
    (self.asset, self.presetName, self.codec) = (asset, presetName, codec)
  }

  /// The presets that there are: ProRes, and frames as they are.
  public static func allExportPresets() -> [String] {
    codecs.keys.sorted() + [AVAssetExportPresetPassthrough]
  }
  /// The presets that an asset can be converted with: all, where it has pictures; where they are not
  /// ProRes, those that encode.
  public static func exportPresets(compatibleWith asset: AVAsset) -> [String] {
    guard asset.isExportable else { return [] }
    let isProRes = asset.tracks(withMediaType: .video).allSatisfy {
      $0.facts?.codecName == "prores"
    }
    return allExportPresets().filter { isProRes || $0 != AVAssetExportPresetPassthrough }
  }
  /// True where an asset can be converted with a preset to a type of file.
  public static func compatibility(
    ofExportPreset presetName: String, with asset: AVAsset, outputFileType: AVFileType?
  ) async -> Bool {
    exportPresets(compatibleWith: asset).contains(presetName)
      && (outputFileType == nil || outputFileType == .mov)
  }

  /// The movie that is made; a file that exists is not replaced.
  public var outputURL: URL? {
    get { state.withLock { $0.outputURL } }
    set { state.withLock { $0.outputURL = newValue } }
  }
  /// The movie's container: `mov`.
  public var outputFileType: AVFileType? {
    get { state.withLock { $0.outputFileType } }
    set { state.withLock { $0.outputFileType = newValue } }
  }
  /// The containers that can be written.
  public var supportedFileTypes: [AVFileType] { [.mov] }
  /// What the movie says of itself, in place of what the asset does; nil for that.
  public var metadata: [AVMetadataItem]? {
    get { state.withLock { $0.metadata } }
    set { state.withLock { $0.metadata = newValue } }
  }
  /// What of the asset is converted, from its first frame; all of it at first.
  public var timeRange: CMTimeRange {
    get { state.withLock { $0.timeRange } }
    set { state.withLock { $0.timeRange = newValue } }
  }
  /// Setting it changes nothing: the index is behind the media.
  public var shouldOptimizeForNetworkUse: Bool {
    get { false }
    set {}
  }

  /// Where the export stands.
  public var status: Status { state.withLock { $0.status } }
  /// From 0 to 1.
  public var progress: Float { state.withLock { $0.progress } }
  /// Why the export failed, or ended before its source was meant to: the movie then has what came before.
  public var error: (any Error)? { state.withLock { $0.error } }
  /// What the movie lacks, changes or assumes, compared with the asset, a line each.
  public var notes: [String] { state.withLock { $0.notes } }

  /// Converts the asset to ``outputURL``, and calls `handler` at the end, whatever it is.
  public func exportAsynchronously(completionHandler handler: @escaping @Sendable () -> Void) {
    let task = Task { [self] in
      await run()
      handler()
    }
    state.withLock { $0.task = task }
  }

  /// Converts the asset to ``outputURL``; then ``status`` and ``error`` say how it went.
  public func export() async {
    let task = Task { [self] in await run() }
    state.withLock { $0.task = task }
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Converts the asset to a file.
  ///
  /// - Throws: ``AVError``: what ``error`` has.
  public func export(to url: URL, as fileType: AVFileType) async throws {
    (outputURL, outputFileType) = (url, fileType)
    await export()
    if let error = state.withLock({ $0.error }) { throw error }
  }

  /// Ends the export; nothing is left of its movie.
  public func cancelExport() {
    state.withLock { $0.task }?.cancel()
  }

  private func run() async {
    guard status == .unknown else {
      let error = AVError(
        .operationNotAllowed, "an export session exports once; make another one")
      return state.withLock { $0.error = error }
    }
    do throws(AVError) {
      let notes = try await work().run { [weak self] part in
        self?.state.withLock { $0.progress = min(0.99, Float(part)) }
      }
      state.withLock { ($0.notes, $0.status, $0.progress) = (notes, .completed, 1) }
    } catch {
      state.withLock { state in
        state.status = error.code == .operationCancelled ? .cancelled : .failed
        state.error = error
      }
    }
  }

  /// What is to be done, with all that it needs; from then on it is under way.
  private func work() throws(AVError) -> ExportWork {
    let state = self.state.withLock { $0 }
    guard let url = state.outputURL, url.isFileURL else {
      throw AVError(.operationNotAllowed, "an export session needs an outputURL of a file")
    }
    guard state.outputFileType ?? .mov == .mov else {
      throw AVError(
        .unsupportedOutputSettings,
        "\(state.outputFileType?.rawValue ?? "") files are not written here; use .mov")
    }
    let work = try ExportWork(
      asset, codec: codec, path: url.path, range: state.timeRange, metadata: state.metadata)
    self.state.withLock { $0.status = .exporting }
    return work
  }
}
