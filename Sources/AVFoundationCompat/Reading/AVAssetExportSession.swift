// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AssetReader
import AssetWriter
public import Foundation
public import MediaCore
import MovieTools
import Synchronization

/// ProRes 422 with uncompressed sound.
public let AVAssetExportPresetAppleProRes422LPCM = "AVAssetExportPresetAppleProRes422LPCM"
/// ProRes 4444 with uncompressed sound.
public let AVAssetExportPresetAppleProRes4444LPCM = "AVAssetExportPresetAppleProRes4444LPCM"

// Presets that nothing here makes: no session comes of them, and `allExportPresets` lacks them.

/// Samples as they are. Not made here.
public let AVAssetExportPresetPassthrough = "AVAssetExportPresetPassthrough"
/// H.264. Not made here.
public let AVAssetExportPresetHighestQuality = "AVAssetExportPresetHighestQuality"
/// H.264. Not made here.
public let AVAssetExportPresetMediumQuality = "AVAssetExportPresetMediumQuality"
/// H.264. Not made here.
public let AVAssetExportPresetLowQuality = "AVAssetExportPresetLowQuality"
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

/// Converts an asset to a ProRes movie, with its sound, timecode and metadata.
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
    var notes: [String] = []
    var task: Task<Void, Never>?
  }

  /// What is converted.
  public let asset: AVAsset
  /// What it becomes.
  public let presetName: String
  private let codec: VideoCodecType
  private let state = Mutex(State())

  private static let codecs: [String: VideoCodecType] = [
    AVAssetExportPresetAppleProRes422LPCM: .proRes422,
    AVAssetExportPresetAppleProRes4444LPCM: .proRes4444,
  ]

  /// A session; nil for a preset that nothing here makes.
  public init?(asset: AVAsset, presetName: String) {
    guard let codec = Self.codecs[presetName] else { return nil }
    (self.asset, self.presetName, self.codec) = (asset, presetName, codec)
  }

  /// The presets that there are: ProRes.
  public static func allExportPresets() -> [String] { codecs.keys.sorted() }
  /// The presets that an asset can be converted with: all, where it has pictures.
  public static func exportPresets(compatibleWith asset: AVAsset) -> [String] {
    asset.isExportable ? allExportPresets() : []
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
      let session = try prepared()
      let outcome: AssetExportSession.Outcome
      do { outcome = try await session.export() } catch { throw AVError(error) }
      state.withLock { $0.notes = outcome.notes.map(\.message) }
      if outcome.wasCancelled {
        try? FileManager.default.removeItem(atPath: session.outputPath)
        throw AVError(.operationCancelled, "the export was cancelled")
      }
      if let end = outcome.prematureEnd { throw AVError(end) }
      state.withLock { ($0.status, $0.progress) = (.completed, 1) }
    } catch {
      state.withLock { state in
        state.status = error.code == .operationCancelled ? .cancelled : .failed
        state.error = error
      }
    }
  }

  /// The export with all that it needs; from then on it is under way.
  private func prepared() throws(AVError) -> AssetExportSession {
    let state = self.state.withLock { $0 }
    guard let url = state.outputURL, url.isFileURL else {
      throw AVError(.operationNotAllowed, "an export session needs an outputURL of a file")
    }
    guard state.outputFileType ?? .mov == .mov else {
      throw AVError(
        .unsupportedOutputSettings,
        "\(state.outputFileType?.rawValue ?? "") files are not written here; use .mov")
    }
    var session = AssetExportSession(location: asset.location, outputPath: url.path)
    session.codec = codec
    session.writesSidecar = false
    let range = state.timeRange
    if range.start.isNumeric, range.start > .zero { session.edit.start = .time(range.start) }
    if range.duration.isNumeric { session.edit.end = .time(range.end) }
    session.onProgress = { [weak self] progress in
      guard let total = progress.totalFrames, total > 0 else { return }
      self?.state.withLock { $0.progress = min(0.99, Float(progress.frames) / Float(total)) }
    }
    self.state.withLock { $0.status = .exporting }
    return session
  }
}
