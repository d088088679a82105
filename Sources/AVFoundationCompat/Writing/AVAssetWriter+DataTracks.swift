import AssetWriter
import Dispatch
import MediaCore
import QuickTime
import Synchronization

/// Tracks of metadata and of timecode.
extension AVAssetWriter {
  /// Why a movie has no such track beside those that it has; nil if it has.
  func refusal(of input: AVAssetWriterInput) -> AVError? {
    let inputs = inputs
    if base.status != .unknown {
      return AVError(.operationNotAllowed, "an input cannot be added once writing has started")
    }
    if inputs.contains(input) || input.state.withLock({ $0.data?.writer != nil }) {
      return AVError(.operationNotAllowed, "the input belongs to a writer; make another one")
    }
    if let error = input.state.withLock({ $0.metadataError ?? $0.data?.hintError }) { return error }
    if input.mediaType == .timecode, inputs.contains(where: { $0.mediaType == .timecode }) {
      return AVError(.operationNotAllowed, "a movie has one track of timecode")
    }
    guard outputFileType == .mov, segments == nil, !inputs.contains(where: \.isCompressed) else {
      return AVError(
        .unsupportedOutputSettings,
        "a track of \(input.mediaType) is written into .mov files beside ProRes and linear PCM alone"
      )
    }
    return nil
  }

  /// Adds a track of metadata or timecode.
  func addData(_ input: AVAssetWriterInput) {
    if let refusal = refusal(of: input) { return fail(refusal) }
    do throws(AssetWriterError) {
      try input.state.withLock { state throws(AssetWriterError) in
        _ = try state.data?.addTrack(to: base)
      }
    } catch { return fail(AVError(error)) }
    input.state.withLock { $0.data?.writer = self }
    state.withLock { $0.inputs.append(input) }
    // One timecode is enough: that of the program.
    if input.mediaType == .timecode { base.configuration.writesTimecode = false }
  }

  /// Why writing cannot start with the inputs that there are; nil if it can.
  var refusalOfInputs: AVError? {
    let inputs = inputs
    guard let data = inputs.first(where: \.isData), inputs.contains(where: \.isCompressed) else {
      return nil
    }
    return AVError(
      .unsupportedOutputSettings,
      "a track of \(data.mediaType) is written beside ProRes and linear PCM alone; leave it out, or ask "
        + "canAdd(_:) once the other inputs are added")
  }

  /// Lets inputs of metadata and timecode take nothing more.
  func finishData() {
    for input in inputs { input.state.withLock { $0.data?.isFinished = true } }
  }
}

extension AVAssetWriterInput {
  /// True for an input of metadata or timecode.
  var isData: Bool { state.withLock { $0.data != nil } }

  /// True for one whose track libavformat writes.
  var isCompressed: Bool {
    switch state.withLock({ $0.outputSettings }) {
    case .video(let video)?: !video.codec.isProRes
    case .audio(let audio)?: audio.compression != .none
    case nil: false
    }
  }

  /// Hands something to an input of metadata or timecode.
  ///
  /// - Returns: False where it was not taken; the writer's `error` says why.
  func appendData(_ append: (inout DataTrack) throws(AVError) -> Void) -> Bool {
    if let mistake = writerMistake ?? takeMistake() {
      refuse(mistake)
      return false
    }
    return state.withLock { state in
      guard var data = state.data.take() else {
        state.refusal = AVError(
          .operationNotAllowed, "metadata and timecode are appended to inputs of their own")
        return false
      }
      defer { state.data = data }
      do throws(AVError) {
        try append(&data)
        state.refusal = nil
      } catch { state.refusal = error }
      return state.refusal == nil
    }
  }

  /// Calls `block` while there is writing until the input is finished; and once after a failure, of which an append
  /// tells it.
  func requestData(on queue: DispatchQueue, _ block: @escaping @Sendable () -> Void) {
    queue.async { [weak self] in
      guard let self else { return }
      let (isFinished, writer) = state.withLock { ($0.data?.isFinished, $0.data?.writer) }
      guard isFinished == false else { return }
      switch writer?.status {
      case .unknown?: break
      case .writing?: block()
      case .failed?: return block()
      default: return
      }
      queue.asyncAfter(deadline: .now() + .milliseconds(5)) { [weak self] in
        self?.requestData(on: queue, block)
      }
    }
  }

  /// True for timecode, and for what metadata describe: whom a track of either belongs to is the writer's to say,
  /// the first video track, or for metadata, in a movie of audio, of audio.
  public func canAddTrackAssociation(
    withTrackOf input: AVAssetWriterInput, type trackAssociationType: String
  ) -> Bool {
    switch trackAssociationType {
    case AVAssetTrack.AssociationType.timecode.rawValue: input.mediaType == .timecode
    case AVAssetTrack.AssociationType.metadataReferent.rawValue: mediaType == .metadata
    default: false
    }
  }

  /// Does what ``canAddTrackAssociation(withTrackOf:type:)`` allows; else the writer's `error` says that it was not
  /// done, until the next append.
  public func addTrackAssociation(
    withTrackOf input: AVAssetWriterInput, type trackAssociationType: String
  ) {
    guard !canAddTrackAssociation(withTrackOf: input, type: trackAssociationType) else { return }
    refuse(
      AVError(
        .operationNotAllowed,
        "of associations those of timecode and metadata are made; chapters are the writer's own"))
  }
}
