public import AssetWriter
public import Foundation
public import MediaCore
public import QuickTime
import Synchronization

/// Writes appended video and audio to a movie, or delivers them in segments.
///
/// If used incorrectly (an input that cannot be added, a session without writing), the writer fails with a ``status``
/// and an ``error``, and its inputs reject further samples; Apple's writer stops the program. ``finishWriting()``
/// completes a movie with the samples before that.
public final class AVAssetWriter: Sendable {
  /// The status of a writer.
  public typealias Status = AssetWriter.Status

  /// The underlying writer, with features that Apple's API does not have: report, timecode, segments.
  public let base: AssetWriter
  let state = Mutex(State())
  /// Delivers the segments; nil for a writer of a file.
  let segments: SegmentDelivery?

  struct State: Sendable {
    var inputs: [AVAssetWriterInput] = []
    var mistake: AVError?
    var profile: AVFileTypeProfile?
    var segmentInterval = CMTime.invalid
  }

  /// A writer of a movie file. No file is created before ``startWriting()``.
  ///
  /// - Throws: ``AVError`` if the URL is not a file URL, and for another file type than `mov`, `mp4`, `m4v`, `m4a`,
  ///   `wav`, `aiff` and `caf`.
  public init(outputURL: URL, fileType: AVFileType) throws {
    guard let native = fileType.native else {
      throw AVError(
        .unsupportedOutputSettings,
        "\(fileType.rawValue) files are not supported; use .mov, .mp4, "
          + ".m4v, .m4a, .wav, .aiff or .caf")
    }
    segments = nil
    do throws(AssetWriterError) {
      base = try AssetWriter(outputURL: outputURL, fileType: native)
      base.movieFragmentInterval = .invalid
    } catch { throw AVError(error) }
  }

  /// A writer of a movie file, like ``init(outputURL:fileType:)``.
  ///
  /// - Throws: Same as ``init(outputURL:fileType:)``.
  public convenience init(url outputURL: URL, fileType: AVFileType) throws {
    try self.init(outputURL: outputURL, fileType: fileType)
  }

  /// A writer that delivers segments to its ``delegate`` and creates no file.
  ///
  /// - Parameter outputContentType: `.mpeg4Movie`; with another type the writer fails, and ``error`` names it.
  public init(contentType outputContentType: UTType) {
    let segments = SegmentDelivery()
    self.segments = segments
    base = AssetWriter { segments.deliver($0) }
    segments.writer = self
    if outputContentType != .mpeg4Movie {
      fail(
        AVError(
          .unsupportedOutputSettings,
          "\(outputContentType.identifier) is not supported for segments; use .mpeg4Movie"))
    }
  }

  /// The file; `/dev/null` for a writer of segments.
  public var outputURL: URL { base.outputURL }
  public var outputFileType: AVFileType { AVFileType(base.fileType.rawValue) }
  /// The media types that the file type supports.
  public var availableMediaTypes: [AVMediaType] {
    if base.fileType.isAudioOnly { return [.audio] }
    let isMovie = outputFileType == .mov && segments == nil
    return isMovie ? [.video, .audio, .timecode, .metadata] : [.video, .audio]
  }
  /// The inputs, in the order in which they were added.
  public var inputs: [AVAssetWriterInput] { state.withLock { $0.inputs } }

  public var status: Status { mistake == nil ? base.status : .failed }

  /// Why writing ended, or why an input rejected the last sample. After incorrect use,
  /// ``AVErrorRecordingSuccessfullyFinishedKey`` says whether the movie is complete.
  public var error: (any Error)? {
    let (mistake, inputs) = state.withLock { ($0.mistake, $0.inputs) }
    if let mistake {
      guard base.status == .completed else { return mistake }
      return AVError(
        mistake.code, mistake.message, recordingSuccessfullyFinished: true, errno: mistake.errno,
        underlyingError: mistake.underlyingError)
    }
    return base.error.map { AVError($0) } ?? inputs.lazy.compactMap(\.refusal).first
  }

  /// The error of the first incorrect use, after which samples are rejected; nil for none.
  var mistake: AVError? { state.withLock { $0.mistake } }

  /// The movie's metadata; set it before ``startWriting()``. An item that a QuickTime movie cannot store makes the
  /// writer fail.
  public var metadata: [AVMetadataItem] {
    get { AVMetadataItem.items(base.metadata) }
    set {
      do throws(AVError) { base.metadata = try MovieMetadata(newValue) } catch { fail(error) }
    }
  }

  /// The movie's metadata, typed and with reverse-DNS keys; set it before ``startWriting()``.
  public var movieMetadata: MovieMetadata {
    get { base.metadata }
    set { base.metadata = newValue }
  }

  /// The interval of fragments, and thus how much of the movie an interruption can cost; `.invalid`, the default, for
  /// no fragments.
  ///
  /// A movie of ProRes and linear PCM is always written in fragments of half a second, so that it can be recovered if
  /// interrupted; a complete one has none. A movie of other codecs keeps its fragments; without fragments, it can be
  /// read only when complete.
  public var movieFragmentInterval: CMTime {
    get { base.movieFragmentInterval }
    set { base.movieFragmentInterval = newValue }
  }

  /// False: the index is written after the media. Setting it has no effect.
  public var shouldOptimizeForNetworkUse: Bool {
    get { false }
    set {}
  }

  /// True if a track can be written with the settings.
  public func canApply(
    outputSettings: [String: Any]?, forMediaType mediaType: AVMediaType
  ) -> Bool {
    canAdd(AVAssetWriterInput(mediaType: mediaType, outputSettings: outputSettings))
  }

  /// True if an input can be added now.
  public func canAdd(_ input: AVAssetWriterInput) -> Bool {
    if input.isData { return refusal(of: input) == nil }
    guard let base = try? input.base.get(), !isCarried(input) else { return false }
    return self.base.canAdd(base)
  }

  /// True for compressed video appended to a writer of segments, which must start segments with sync samples.
  private func isCarried(_ input: AVAssetWriterInput) -> Bool {
    segments != nil && input.carriedFormat != nil
  }

  /// Adds an input. If that is not possible, the writer fails and ``error`` says why.
  public func add(_ input: AVAssetWriterInput) {
    input.noteUse(by: self)
    if input.isData { return addData(input) }
    switch input.base {
    case .failure(let error): fail(error)
    case .success where isCarried(input):
      fail(
        AVError(
          .unsupportedOutputSettings,
          "a writer of segments must compress video itself; set the input's output settings"))
    case .success(let base):
      attempt { writer throws(AssetWriterError) in
        try writer.add(base)
        // Another writer may have rejected it before.
        input.state.withLock { $0.writer = self }
      }
      state.withLock { $0.inputs.append(input) }
    }
  }

  /// Creates the file and starts writing.
  ///
  /// - Returns: False on failure; ``error`` then says why.
  @discardableResult
  public func startWriting() -> Bool {
    if let segments, segments.delegate == nil {
      fail(AVError(.operationNotAllowed, "nothing receives the segments; set the delegate"))
    }
    if let refusal = refusalOfInputs { fail(refusal) }
    guard mistake == nil, base.startWriting() else { return false }
    for input in inputs { input.beginPass() }
    return true
  }

  /// Sets the source time at which the movie starts.
  public func startSession(atSourceTime startTime: CMTime) {
    attempt { writer throws(AssetWriterError) in
      try writer.startSession(atSourceTime: startTime)
    }
  }

  /// Sets the source time at which the movie ends.
  public func endSession(atSourceTime endTime: CMTime) {
    attempt { writer throws(AssetWriterError) in try writer.endSession(atSourceTime: endTime) }
  }

  /// Writes the appended samples and completes the movie, then calls `handler`; ``status`` and ``error`` have the
  /// result.
  public func finishWriting(completionHandler handler: @escaping @Sendable () -> Void) {
    finishData()
    guard let segments else { return base.finishWriting(completionHandler: handler) }
    // The delegate is called with this writer, so retain it until then.
    base.finishWriting { [self] in
      segments.afterDelivery { withExtendedLifetime(self) { handler() } }
    }
  }

  /// Writes the appended samples and completes the movie; ``status`` and ``error`` then have the result.
  public func finishWriting() async {
    finishData()
    _ = try? await base.finishWriting()
    guard let segments else { return }
    await withCheckedContinuation { continuation in
      segments.afterDelivery { continuation.resume() }
    }
  }

  /// Stops writing immediately and removes the file.
  public func cancelWriting() { base.cancelWriting() }

  func attempt(_ call: (AssetWriter) throws(AssetWriterError) -> Void) {
    do throws(AssetWriterError) { try call(base) } catch { fail(AVError(error)) }
  }

  /// Only the first error is kept.
  func fail(_ error: AVError) {
    state.withLock { if $0.mistake == nil { $0.mistake = error } }
  }
}

extension AVAssetWriter: Hashable {
  public static func == (lhs: AVAssetWriter, rhs: AVAssetWriter) -> Bool { lhs === rhs }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
