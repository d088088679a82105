import AssetWriter
import Dispatch
import MediaCore
import QuickTime
import Synchronization

/// Metadata and timecode tracks.
extension AVAssetWriter {
  /// Why the input cannot be added; nil if it can.
  func refusal(of input: AVAssetWriterInput) -> AVError? {
    let inputs = inputs
    if base.status != .unknown {
      return AVError(.operationNotAllowed, "an input cannot be added once writing has started")
    }
    if inputs.contains(input) || input.state.withLock({ $0.data?.writer != nil }) {
      return AVError(.operationNotAllowed, "the input belongs to a writer; create another one")
    }
    if let error = input.state.withLock({ $0.metadataError ?? $0.data?.hintError }) { return error }
    if input.mediaType == .timecode, inputs.contains(where: { $0.mediaType == .timecode }) {
      return AVError(.operationNotAllowed, "a movie can have only one timecode track")
    }
    guard outputFileType == .mov, segments == nil, !inputs.contains(where: \.isCompressed) else {
      return AVError(
        .unsupportedOutputSettings,
        "a \(input.mediaType) track can be written only to .mov files, with ProRes and linear PCM"
      )
    }
    return nil
  }

  /// Adds a metadata or timecode track.
  func addData(_ input: AVAssetWriterInput) {
    if let refusal = refusal(of: input) { return fail(refusal) }
    do throws(AssetWriterError) {
      try input.state.withLock { state throws(AssetWriterError) in
        _ = try state.data?.addTrack(to: base)
      }
    } catch { return fail(AVError(error)) }
    input.state.withLock { $0.data?.writer = self }
    state.withLock { $0.inputs.append(input) }
    // The program's timecode replaces the writer's own.
    if input.mediaType == .timecode { base.configuration.writesTimecode = false }
  }

  /// Why writing cannot start with the present inputs; nil if it can.
  var refusalOfInputs: AVError? {
    let inputs = inputs
    guard let data = inputs.first(where: \.isData), inputs.contains(where: \.isCompressed) else {
      return nil
    }
    return AVError(
      .unsupportedOutputSettings,
      "a \(data.mediaType) track can be written only with ProRes and linear PCM; omit it, or call "
        + "canAdd(_:) after the other inputs were added")
  }

  /// Marks the metadata and timecode inputs as finished.
  func finishData() {
    for input in inputs { input.state.withLock { $0.data?.isFinished = true } }
  }
}

extension AVAssetWriterInput {
  /// True for a metadata or timecode input.
  var isData: Bool { state.withLock { $0.data != nil } }

  /// True if libavformat writes the input's track.
  var isCompressed: Bool {
    switch state.withLock({ $0.outputSettings }) {
    case .video(let video)?: !video.codec.isProRes
    case .audio(let audio)?: audio.compression != .none
    case nil: false
    }
  }

  /// Appends to a metadata or timecode input.
  ///
  /// - Returns: False on failure; the writer's `error` says why.
  func appendData(_ append: (inout DataTrack) throws(AVError) -> Void) -> Bool {
    if let mistake = writerMistake ?? takeMistake() {
      refuse(mistake)
      return false
    }
    return state.withLock { state in
      guard var data = state.data.take() else {
        state.refusal = AVError(
          .operationNotAllowed, "append metadata and timecode to inputs of their media type")
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

  /// Calls `block` repeatedly while the writer is writing, until the input is finished. After a failure it is called
  /// once more, so that an append can report it.
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

  /// True for a timecode association with a timecode input, and for the subject of a metadata input. The writer
  /// chooses the associated track: the first video track, or for metadata in an audio-only movie, the audio track.
  public func canAddTrackAssociation(
    withTrackOf input: AVAssetWriterInput, type trackAssociationType: String
  ) -> Bool {
    switch trackAssociationType {
    case AVAssetTrack.AssociationType.timecode.rawValue: input.mediaType == .timecode
    case AVAssetTrack.AssociationType.metadataReferent.rawValue: mediaType == .metadata
    default: false
    }
  }

  /// No effect if ``canAddTrackAssociation(withTrackOf:type:)`` is true, because the writer adds the association.
  /// Otherwise the writer's `error` reports it until the next append.
  public func addTrackAssociation(
    withTrackOf input: AVAssetWriterInput, type trackAssociationType: String
  ) {
    guard !canAddTrackAssociation(withTrackOf: input, type: trackAssociationType) else { return }
    refuse(
      AVError(
        .operationNotAllowed,
        "only timecode and metadata can be associated; chapters are written by the writer"))
  }
}
