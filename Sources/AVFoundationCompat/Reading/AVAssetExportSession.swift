import AssetReader
public import Foundation
public import MediaCore
import Synchronization

/// Makes a movie of an asset or a composition, with its audio, timecode and metadata: encoded, or with its
/// frames as they are (``AVAssetExportPresetPassthrough``).
public final class AVAssetExportSession: Sendable {
  /// Where an export stands.
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

  /// What is converted.
  public let asset: AVAsset
  /// What it becomes.
  public let presetName: String
  private let preset: ExportPreset
  private let state = Mutex(Facts())

  /// A session; nil for a preset that this machine cannot make.
  public init?(asset: AVAsset, presetName: String) {
    guard let preset = ExportPreset.named(presetName) else { return nil }
    (self.asset, self.presetName, self.preset) = (asset, presetName, preset)
  }

  deinit {
    for listener in state.withLock({ $0.listeners }) { listener.continuation.finish() }
  }

  /// Changes what is known, and tells those who listen. Those who have gone are let go then: a stream's end is told
  /// under a lock that telling takes as well.
  private func change(_ body: (inout Facts) -> Void) {
    state.withLock { state in
      body(&state)
      let (status, part) = (state.status, state.progress)
      state.listeners = state.listeners.compactMap { $0.told(status, part) }
    }
  }

  /// Tells somebody where the export stands from now on.
  func add(_ listener: ExportListener) { change { $0.listeners.append(listener) } }

  /// The presets that there are: ProRes, frames as they are, and H.264, HEVC and AAC where libavcodec makes
  /// them.
  public static func allExportPresets() -> [String] { ExportPreset.names }
  /// The presets that an asset can be converted with: all that fit its pictures and audio; where pictures are
  /// not ProRes, those that encode.
  public static func exportPresets(compatibleWith asset: AVAsset) -> [String] {
    guard asset.isExportable else { return [] }
    return allExportPresets().filter { ExportPreset.named($0)?.fits(asset) ?? false }
  }
  /// True if an asset can be converted with a preset to a type of file.
  public static func compatibility(
    ofExportPreset presetName: String, with asset: AVAsset, outputFileType: AVFileType?
  ) async -> Bool {
    guard exportPresets(compatibleWith: asset).contains(presetName) else { return false }
    let types = ExportPreset.named(presetName)?.fileTypes ?? []
    return outputFileType.map(types.contains) ?? true
  }

  /// The movie that is made; a file that exists is not replaced.
  public var outputURL: URL? {
    get { state.withLock { $0.outputURL } }
    set { state.withLock { $0.outputURL = newValue } }
  }
  /// The movie's container, one of ``supportedFileTypes``; nil for the first of them.
  public var outputFileType: AVFileType? {
    get { state.withLock { $0.outputFileType } }
    set { state.withLock { $0.outputFileType = newValue } }
  }
  /// The containers that the preset can be written into.
  public var supportedFileTypes: [AVFileType] { preset.fileTypes }
  /// How pictures of the asset's tracks become frames; nil for a track in the movie of each. A preset that copies
  /// frames does not draw, which ``notes`` says. The session keeps a copy: later changes are not seen.
  public var videoComposition: AVVideoComposition? {
    get { state.withLock { $0.videoComposition }?.composition }
    set {
      let kept = newValue.map(KeptComposition.init)
      state.withLock { $0.videoComposition = kept }
    }
  }
  /// The program's own compositor, made when a ``videoComposition`` with its class is set; nil without.
  public var customVideoCompositor: (any AVVideoCompositing)? {
    state.withLock { $0.videoComposition }?.compositor
  }
  /// What the movie says of itself, in place of what the asset does; nil for that.
  public var metadata: [AVMetadataItem]? {
    get { state.withLock { $0.metadata } }
    set { state.withLock { $0.metadata = newValue } }
  }
  /// What of ``metadata``, or of what the asset says, is left out, which ``notes`` says; nil for nothing.
  public var metadataItemFilter: AVMetadataItemFilter? {
    get { state.withLock { $0.metadataItemFilter } }
    set { state.withLock { $0.metadataItemFilter = newValue } }
  }
  /// How loud audio tracks are, which become one; nil for as loud as they are: then ProRes presets keep a
  /// track of each, and others mix them. A preset that copies does not mix, which ``notes`` says. The session keeps
  /// a copy: later changes are not seen.
  public var audioMix: AVAudioMix? {
    get { state.withLock { $0.audioMix } }
    set {
      let copy = newValue?.snapshot()
      state.withLock { $0.audioMix = copy }
    }
  }
  /// What of the asset is converted, from its first frame; all of it at first.
  public var timeRange: CMTimeRange {
    get { state.withLock { $0.timeRange } }
    set { state.withLock { $0.timeRange = newValue } }
  }
  /// Setting it has no effect: the index is behind the media.
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

  /// Converts the asset to ``outputURL``, and calls `handler` at the end, whatever it is. A session exports
  /// once: called again it calls `handler` at the first export's end, and ``error`` says so where that had none.
  public func exportAsynchronously(completionHandler handler: @escaping @Sendable () -> Void) {
    let task = begin() ?? state.withLock { $0.task }
    Task {
      await task?.value
      handler()
    }
  }

  /// Converts the asset to ``outputURL``; then ``status`` and ``error`` say how it went. Called again it
  /// waits for the first export's end.
  public func export() async {
    if let task = begin() {
      await Self.finish(task)
    } else {
      await state.withLock { $0.task }?.value
    }
  }

  private static let exportsOnce = AVError(
    .operationNotAllowed, "an export session exports once; make another one")

  private static func finish(_ task: Task<Void, Never>) async {
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Converts the asset to a file.
  ///
  /// - Throws: ``AVError``: what ``error`` has; ``AVError/Code/operationNotAllowed`` where the session has
  ///   exported, or does.
  public func export(to url: URL, as fileType: AVFileType) async throws {
    guard let task = begin(to: url, as: fileType) else { throw Self.exportsOnce }
    await Self.finish(task)
    if let error = state.withLock({ $0.error }) { throw error }
  }

  /// Ends the export; nothing is left of its movie.
  public func cancelExport() {
    state.withLock { $0.task }?.cancel()
  }

  /// Starts the export, which waits from now on, of the asset as it is now; nil if it was started before.
  private func begin(to url: URL? = nil, as fileType: AVFileType? = nil) -> Task<Void, Never>? {
    let source = asset.snapshot()
    var begun: Task<Void, Never>?
    change { state in
      guard state.status == .unknown else {
        // What the first export has to tell comes first.
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

  /// What is to be done, with all that it needs; from then on it is under way.
  private func work(_ source: AVAsset) throws(AVError) -> ExportWork {
    let state = self.state.withLock { $0 }
    guard let url = state.outputURL, url.isFileURL else {
      throw AVError(.operationNotAllowed, "an export session needs an outputURL of a file")
    }
    let fileType = state.outputFileType ?? preset.fileTypes[0]
    guard preset.fileTypes.contains(fileType), let native = fileType.native else {
      let names = preset.fileTypes.map(\.rawValue).joined(separator: ", ")
      throw AVError(
        .unsupportedOutputSettings,
        "\(presetName) is not written into \(fileType.rawValue); use one of \(names)")
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
