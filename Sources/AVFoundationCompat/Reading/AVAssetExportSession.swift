import AssetReader
public import Foundation
public import MediaCore
import Synchronization

/// Exports an asset or a composition to a movie, with audio, timecode and metadata: encoded, or without re-encoding
/// (``AVAssetExportPresetPassthrough``).
public final class AVAssetExportSession: Sendable {
  /// The status of an export.
  public enum Status: Int, Sendable, Hashable {
    case unknown, waiting, exporting, completed, failed, cancelled
  }

  private struct Facts: Sendable {
    var outputURL: URL?
    var outputFileType: AVFileType?
    var timeRange = CMTimeRange(start: .zero, duration: .positiveInfinity)
    var status = Status.unknown
    var progress: Float = 0
    var error: AVError?
    var metadata: [AVMetadataItem]?
    var videoComposition: KeptComposition?
    var audioMix: AVAudioMix?
    var metadataItemFilter: AVMetadataItemFilter?
    var notes: [String] = []
    var task: Task<Void, Never>?
    var listeners: [ExportListener] = []
  }

  public let asset: AVAsset
  public let presetName: String
  private let preset: ExportPreset
  private let state = Mutex(Facts())

  /// A session; nil if this machine does not support the preset.
  public init?(asset: AVAsset, presetName: String) {
    guard let preset = ExportPreset.named(presetName) else { return nil }
    (self.asset, self.presetName, self.preset) = (asset, presetName, preset)
  }

  deinit {
    for listener in state.withLock({ $0.listeners }) { listener.continuation.finish() }
  }

  /// Changes the state and notifies listeners. Terminated ones are removed then: a stream's termination is reported
  /// under a lock that yielding takes too, so they cannot be removed in a termination handler.
  private func change(_ body: (inout Facts) -> Void) {
    state.withLock { state in
      body(&state)
      let (status, part) = (state.status, state.progress)
      state.listeners = state.listeners.compactMap { $0.reported(status, part) }
    }
  }

  /// Adds a consumer of states.
  func add(_ listener: ExportListener) { change { $0.listeners.append(listener) } }

  /// The available presets: ProRes, passthrough, and H.264, HEVC and AAC if libavcodec can encode them.
  public static func allExportPresets() -> [String] { ExportPreset.names }
  /// The presets for an asset: all that fit its video and audio; for video other than ProRes, those that encode.
  public static func exportPresets(compatibleWith asset: AVAsset) -> [String] {
    guard asset.isExportable else { return [] }
    return allExportPresets().filter { ExportPreset.named($0)?.fits(asset) ?? false }
  }
  /// True if an asset can be exported with a preset to a file type.
  public static func compatibility(
    ofExportPreset presetName: String, with asset: AVAsset, outputFileType: AVFileType?
  ) async -> Bool {
    guard exportPresets(compatibleWith: asset).contains(presetName) else { return false }
    let types = ExportPreset.named(presetName)?.fileTypes ?? []
    return outputFileType.map(types.contains) ?? true
  }

  /// The movie to write; an existing file is not replaced.
  public var outputURL: URL? {
    get { state.withLock { $0.outputURL } }
    set { state.withLock { $0.outputURL = newValue } }
  }
  /// The file type, one of ``supportedFileTypes``; nil for the first of them.
  public var outputFileType: AVFileType? {
    get { state.withLock { $0.outputFileType } }
    set { state.withLock { $0.outputFileType = newValue } }
  }
  /// The file types that the preset supports.
  public var supportedFileTypes: [AVFileType] { preset.fileTypes }
  /// How frames of the asset's tracks become frames of the movie; nil to keep one track for each. A passthrough
  /// preset ignores it, and ``notes`` says so. The session keeps a copy: later changes have no effect.
  public var videoComposition: AVVideoComposition? {
    get { state.withLock { $0.videoComposition }?.composition }
    set {
      let kept = newValue.map(KeptComposition.init)
      state.withLock { $0.videoComposition = kept }
    }
  }
  /// The program's compositor, created when a ``videoComposition`` with its class is set; nil without one.
  public var customVideoCompositor: (any AVVideoCompositing)? {
    state.withLock { $0.videoComposition }?.compositor
  }
  /// The movie's metadata; nil for the asset's.
  public var metadata: [AVMetadataItem]? {
    get { state.withLock { $0.metadata } }
    set { state.withLock { $0.metadata = newValue } }
  }
  /// Which metadata to omit, as ``notes`` then says; nil for none.
  public var metadataItemFilter: AVMetadataItemFilter? {
    get { state.withLock { $0.metadataItemFilter } }
    set { state.withLock { $0.metadataItemFilter = newValue } }
  }
  /// The volumes of audio tracks, which are mixed to one. With nil, volumes are unchanged: ProRes presets keep all
  /// tracks, and other presets mix them. A passthrough preset ignores the mix, and ``notes`` says so. The session
  /// keeps a copy: later changes have no effect.
  public var audioMix: AVAudioMix? {
    get { state.withLock { $0.audioMix } }
    set {
      let copy = newValue?.snapshot()
      state.withLock { $0.audioMix = copy }
    }
  }
  /// The part of the asset to export; all of it by default.
  public var timeRange: CMTimeRange {
    get { state.withLock { $0.timeRange } }
    set { state.withLock { $0.timeRange = newValue } }
  }
  /// Setting it has no effect: the index is written after the media.
  public var shouldOptimizeForNetworkUse: Bool {
    get { false }
    set {}
  }

  public var status: Status { state.withLock { $0.status } }
  /// From 0 to 1.
  public var progress: Float { state.withLock { $0.progress } }
  /// Why the export failed, or ended before the end of its source, when the movie has the part before.
  public var error: (any Error)? { state.withLock { $0.error } }
  /// What the movie lacks, changes or assumes compared with the asset, one line each.
  public var notes: [String] { state.withLock { $0.notes } }

  /// Exports the asset to ``outputURL`` and calls `handler` when the export has ended. A session exports once:
  /// another call calls `handler` when the first export has ended, and sets ``error`` if it had none.
  public func exportAsynchronously(completionHandler handler: @escaping @Sendable () -> Void) {
    let task = begin() ?? state.withLock { $0.task }
    Task {
      await task?.value
      handler()
    }
  }

  /// Exports the asset to ``outputURL``; ``status`` and ``error`` then have the result. Another call waits for the
  /// first export to end.
  public func export() async {
    if let task = begin() {
      await Self.finish(task)
    } else {
      await state.withLock { $0.task }?.value
    }
  }

  private static let exportsOnce = AVError(
    .operationNotAllowed, "an export session can be used only once; create another one")

  private static func finish(_ task: Task<Void, Never>) async {
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Exports the asset to a file.
  ///
  /// - Throws: ``AVError``: the same as ``error``, or ``AVError/Code/operationNotAllowed`` if the session was already
  ///   used.
  public func export(to url: URL, as fileType: AVFileType) async throws {
    guard let task = begin(to: url, as: fileType) else { throw Self.exportsOnce }
    await Self.finish(task)
    if let error = state.withLock({ $0.error }) { throw error }
  }

  /// Cancels the export and deletes its movie.
  public func cancelExport() {
    state.withLock { $0.task }?.cancel()
  }

  /// Starts the export of a snapshot of the asset; nil if an export was started before.
  private func begin(to url: URL? = nil, as fileType: AVFileType? = nil) -> Task<Void, Never>? {
    let source = asset.snapshot()
    var begun: Task<Void, Never>?
    change { state in
      guard state.status == .unknown else {
        // An error of the first export takes precedence.
        if state.status == .completed { state.error = state.error ?? Self.exportsOnce }
        return
      }
      if let url { (state.outputURL, state.outputFileType) = (url, fileType) }
      let task = Task { [self] in await run(source) }
      (state.status, state.task) = (.waiting, task)
      begun = task
    }
    return begun
  }

  private func run(_ source: AVAsset) async {
    do throws(AVError) {
      let notes = try await work(source).run { [weak self] part in
        self?.change { $0.progress = min(0.99, Float(part)) }
      }
      change { ($0.notes, $0.status, $0.progress) = (notes, .completed, 1) }
    } catch {
      change { state in
        state.status = error.code == .operationCancelled ? .cancelled : .failed
        state.error = error
      }
    }
  }

  /// The work to do, with all of its inputs. Sets the status to exporting.
  private func work(_ source: AVAsset) throws(AVError) -> ExportWork {
    let state = self.state.withLock { $0 }
    guard let url = state.outputURL, url.isFileURL else {
      throw AVError(.operationNotAllowed, "an export session needs a file URL as its outputURL")
    }
    let fileType = state.outputFileType ?? preset.fileTypes[0]
    guard preset.fileTypes.contains(fileType), let native = fileType.native else {
      let names = preset.fileTypes.map(\.rawValue).joined(separator: ", ")
      throw AVError(
        .unsupportedOutputSettings,
        "\(presetName) cannot be written as \(fileType.rawValue); use one of \(names)")
    }
    var order = ExportOrder(source, preset: preset, path: url.path, fileType: native)
    order.range = state.timeRange
    order.metadata = state.metadata
    order.videoComposition = state.videoComposition
    order.audioMix = state.audioMix
    order.metadataFilter = state.metadataItemFilter
    let work = try ExportWork(order)
    change { $0.status = .exporting }
    return work
  }
}
