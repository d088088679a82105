public import AssetWriter
public import Foundation
public import MediaCore
public import QuickTime
import Synchronization

/// Writes appended pictures and audio into a movie, or gives them away in segments.
///
/// Where Apple's writer stops the program for a mistake in it (an input that cannot be added, a
/// session without writing), this one fails: its ``status`` and ``error`` say so, and its inputs take nothing
/// more. What they took before is in the movie that ``finishWriting()`` completes.
public final class AVAssetWriter: Sendable {
  /// Where a writer stands.
  public typealias Status = AssetWriter.Status

  /// The writer behind, for what Apple's has not: its report, timecode, segments.
  public let base: AssetWriter
  let state = Mutex(State())
  /// Who gets the segments; nil for a writer of a file.
  let segments: SegmentDelivery?

  struct State: Sendable {
    var inputs: [AVAssetWriterInput] = []
    var mistake: AVError?
    var profile: AVFileTypeProfile?
    var segmentInterval = CMTime.invalid
  }

  /// A writer of a movie file. Nothing is made on the disk before ``startWriting()``.
  ///
  /// - Throws: ``AVError`` where the URL names no file, and for another kind of file than `mov`, `mp4`,
  ///   `m4v`, `m4a`, `wav`, `aiff` and `caf`.
  public init(outputURL: URL, fileType: AVFileType) throws {
    guard let native = fileType.native else {
      throw AVError(
        .unsupportedOutputSettings,
        "\(fileType.rawValue) files are not written here; use .mov, .mp4, "
          + ".m4v, .m4a, .wav, .aiff or .caf")
    }
    segments = nil
    do throws(AssetWriterError) {
      base = try AssetWriter(outputURL: outputURL, fileType: native)
      base.movieFragmentInterval = .invalid
    } catch { throw AVError(error) }
  }

  /// A writer of a movie file, as ``init(outputURL:fileType:)``.
  ///
  /// - Throws: As ``init(outputURL:fileType:)``.
  public convenience init(url outputURL: URL, fileType: AVFileType) throws {
    try self.init(outputURL: outputURL, fileType: fileType)
  }

  /// A writer that hands segments to its ``delegate``, and makes no file.
  ///
  /// - Parameter outputContentType: `.mpeg4Movie`; with another one the writer fails, and ``error`` names it.
  public init(contentType outputContentType: UTType) {
    let segments = SegmentDelivery()
    self.segments = segments
    base = AssetWriter { segments.deliver($0) }
    segments.writer = self
    if outputContentType != .mpeg4Movie {
      fail(
        AVError(
          .unsupportedOutputSettings,
          "\(outputContentType.identifier) is not made in segments; use .mpeg4Movie"))
    }
  }

  /// The file; of a writer of segments `/dev/null`.
  public var outputURL: URL { base.outputURL }
  /// The container.
  public var outputFileType: AVFileType { AVFileType(base.fileType.rawValue) }
  /// What tracks there can be.
  public var availableMediaTypes: [AVMediaType] {
    if base.fileType.holdsSoundAlone { return [.audio] }
    let isMovie = outputFileType == .mov && segments == nil
    return isMovie ? [.video, .audio, .timecode, .metadata] : [.video, .audio]
  }
  /// The inputs, in the order in which they were added.
  public var inputs: [AVAssetWriterInput] { state.withLock { $0.inputs } }

  /// Where the writer stands.
  public var status: Status { mistake == nil ? base.status : .failed }

  /// What ended writing, or why an input did not take what it was given last. After a mistake in the program
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

  /// The first mistake of the program, for which nothing more is taken; nil for none.
  var mistake: AVError? { state.withLock { $0.mistake } }

  /// Facts about the movie; to be set before ``startWriting()``. An item that a QuickTime movie has no
  /// place for makes the writer fail.
  public var metadata: [AVMetadataItem] {
    get { AVMetadataItem.items(base.metadata) }
    set {
      do throws(AVError) { base.metadata = try MovieMetadata(newValue) } catch { fail(error) }
    }
  }

  /// Facts about the movie by reverse-DNS keys, typed; to be set before ``startWriting()``.
  public var movieMetadata: MovieMetadata {
    get { base.metadata }
    set { base.metadata = newValue }
  }

  /// How much of the movie a sudden end can cost; `.invalid`, as at first, for no fragments.
  ///
  /// A movie of ProRes and linear PCM is in fragments of half a second then nevertheless, while it is
  /// written: a complete one has none in any case, and one that is cut short needs them to be recovered. A
  /// movie of another codec that has fragments keeps them; without, it can be read once it is complete.
  public var movieFragmentInterval: CMTime {
    get { base.movieFragmentInterval }
    set { base.movieFragmentInterval = newValue }
  }

  /// False: the index lies behind the media. Setting it has no effect.
  public var shouldOptimizeForNetworkUse: Bool {
    get { false }
    set {}
  }

  /// True if settings make a track.
  public func canApply(
    outputSettings: [String: Any]?, forMediaType mediaType: AVMediaType
  ) -> Bool {
    canAdd(AVAssetWriterInput(mediaType: mediaType, outputSettings: outputSettings))
  }

  /// Whether an input can be added now.
  public func canAdd(_ input: AVAssetWriterInput) -> Bool {
    if input.isData { return refusal(of: input) == nil }
    guard let base = try? input.base.get(), !isCarried(input) else { return false }
    return self.base.canAdd(base)
  }

  /// True for pictures that were compressed before, of a writer of segments: these begin with sync samples.
  private func isCarried(_ input: AVAssetWriterInput) -> Bool {
    segments != nil && input.carriedFormat != nil
  }

  /// Adds an input. Where that cannot be, the writer fails, and ``error`` says why.
  public func add(_ input: AVAssetWriterInput) {
    input.noteUse(by: self)
    if input.isData { return addData(input) }
    switch input.base {
    case .failure(let error): fail(error)
    case .success where isCarried(input):
      fail(
        AVError(
          .unsupportedOutputSettings,
          "segments are cut where pictures are compressed; give the input settings"))
    case .success(let base):
      attempt { writer throws(AssetWriterError) in
        try writer.add(base)
        // Another writer may have refused it before.
        input.state.withLock { $0.writer = self }
      }
      state.withLock { $0.inputs.append(input) }
    }
  }

  /// Makes the file and starts to write.
  ///
  /// - Returns: False where that cannot be; ``error`` says why.
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

  /// Says which source time is the movie's beginning.
  public func startSession(atSourceTime startTime: CMTime) {
    attempt { writer throws(AssetWriterError) in
      try writer.startSession(atSourceTime: startTime)
    }
  }

  /// Says which source time is the movie's end.
  public func endSession(atSourceTime endTime: CMTime) {
    attempt { writer throws(AssetWriterError) in try writer.endSession(atSourceTime: endTime) }
  }

  /// Writes what was appended, and completes the movie; then `handler` reads ``status`` and ``error``.
  public func finishWriting(completionHandler handler: @escaping @Sendable () -> Void) {
    finishData()
    guard let segments else { return base.finishWriting(completionHandler: handler) }
    // The delegate is told of this writer, also where nobody else keeps it any more.
    base.finishWriting { [self] in
      segments.afterDelivery { withExtendedLifetime(self) { handler() } }
    }
  }

  /// Writes what was appended, and completes the movie; then ``status`` and ``error`` say how it went.
  public func finishWriting() async {
    finishData()
    _ = try? await base.finishWriting()
    guard let segments else { return }
    await withCheckedContinuation { continuation in
      segments.afterDelivery { continuation.resume() }
    }
  }

  /// Ends writing at once and removes the file.
  public func cancelWriting() { base.cancelWriting() }

  func attempt(_ call: (AssetWriter) throws(AssetWriterError) -> Void) {
    do throws(AssetWriterError) { try call(base) } catch { fail(AVError(error)) }
  }

  /// The first mistake counts.
  func fail(_ error: AVError) {
    state.withLock { if $0.mistake == nil { $0.mistake = error } }
  }
}

extension AVAssetWriter: Hashable {
  /// True for the same object.
  public static func == (lhs: AVAssetWriter, rhs: AVAssetWriter) -> Bool { lhs === rhs }
  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
