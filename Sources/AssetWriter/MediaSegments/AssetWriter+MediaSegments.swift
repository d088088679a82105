import MediaCore

extension AssetWriter {
  /// A writer of no file: what it writes is given away in media segments of MPEG-4, the initialization segment first.
  ///
  /// ``outputURL`` names no file of the take then. Such a take has no timecode, chapters, captions, checksums and
  /// second folder, and is one movie.
  ///
  /// - Parameter handler: Given each segment, in order, on the thread that writes: it must return at once. The last
  ///   one comes before writing ends.
  public convenience init(
    configuration: Configuration = Configuration(),
    mediaSegmentHandler handler: @escaping @Sendable (MediaSegment) -> Void
  ) {
    self.init(configuration: configuration, mediaSegments: MediaSegmentOutput(handler))
  }

  /// How media segments are made. Set it before ``start()``. Nil for a writer of a file, which ignores a value that
  /// is set.
  public var mediaSegmentation: MediaSegmentation? {
    get { core.mediaSegments?.segmentation }
    set {
      guard let newValue, status == .unknown else { return }
      core.mediaSegments?.segmentation = newValue
    }
  }

  /// Ends the media segment after what was appended: the next frame, or audio without video, begins a new one.
  /// Returns at once; the segment is delivered when the encoder has finished it.
  ///
  /// - Throws: ``AssetWriterError/Code/invalidStatus`` where nothing is written, or where the segments have an
  ///   interval.
  public func endMediaSegment() throws(AssetWriterError) {
    guard let segments = core.mediaSegments, segments.segmentation.interval.isIndefinite else {
      throw AssetWriterError(
        .invalidStatus, "only media segments of an indefinite interval can be ended explicitly")
    }
    try core.shared.withLock { state throws(AssetWriterError) in
      if let error = state.phase.statusError { throw error }
      if let end = state.appendedEnd { segments.endSegment(before: end) }
    }
  }
}

extension WriterState {
  /// The end of what was appended to the track that determines segment boundaries; nil for nothing.
  fileprivate var appendedEnd: MediaTime? {
    if leadIndex != nil { return lead.map { $0.rate.time(ofFrame: $0.slots.end) } }
    for case .audio(let audio) in inputs.lazy.map(\.track) where audio.position > 0 {
      return MediaTime(value: audio.position, timescale: Int32(clamping: audio.rate))
    }
    return nil
  }
}
