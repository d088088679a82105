package import AssetReader
package import MediaCore

/// The frames that a composition makes from a timeline, in order.
///
/// Used from one thread at a time. A few of a compositor's frames are requested ahead.
package final class CompositedFrames {
  private let composition: VideoComposition
  private let end: MediaTime
  private let tracks: [Int: LayeredTrack]
  private let painter: LayerPainter
  private var exchange: CompositorExchange
  private var time: MediaTime?
  private var count: Int64 = 0
  /// Frames that were started, in order.
  private var begun: [BegunFrame] = []
  private let outstanding = OutstandingFrames()

  /// The number of frames that a compositor makes at the same time.
  private static let framesAhead = 3

  /// The frame rate; nil if durations follow from frame times.
  package let frameRate: FrameRate?
  /// How the frames differ from their clips.
  package let notes: [ExportNote]

  /// Creates the frames of a timeline.
  ///
  /// - Parameters:
  ///   - hasFullChroma: True for 12-bit 4:4:4, false for 10-bit 4:2:2.
  /// - Throws: `AssetReaderError` if the composition does not fit this timeline, and if the first
  ///   clip of a track cannot be read.
  package init(
    _ composition: VideoComposition, of timeline: MovieTimeline, hasFullChroma: Bool
  ) throws(AssetReaderError) {
    self.composition = composition
    try composition.check(timeline)
    for compositor in composition.compositors { try compositor.prepare() }
    end = VideoComposition.end(of: timeline)
    let clips = composition.tracks.sorted().flatMap { timeline.tracks[$0].clips }.map(\.track)
    let video = clips.first?.video
    let frame = PixelBuffer.Description(
      format: hasFullChroma ? .yuv444p12 : .yuv422p10, width: composition.size.width,
      height: composition.size.height, color: (video?.color ?? .bt709).with(range: .video))
    notes =
      clips.contains(where: \.hasAlpha)
      ? [ExportNote(.changed, "alpha", composition.alphaNote)] : []
    var needed = composition.tracks
    switch composition.timing {
    case .constant(let duration): frameRate = Self.rate(duration)
    case .track(let track, let otherwise):
      // Where the track shows nothing, frames continue at the other rate.
      let own = timeline.tracks[track].frameRate
      frameRate = own?.frameDuration == otherwise ? own : nil
      needed.insert(track)
    }
    var tracks: [Int: LayeredTrack] = [:]
    for track in needed where !timeline.tracks[track].clips.isEmpty {
      tracks[track] = try LayeredTrack(timeline.tracks[track])
    }
    self.tracks = tracks
    painter = LayerPainter(frame, tracks, of: clips)
    exchange = CompositorExchange(
      frame, sourceHeight: video?.dimensions.height ?? composition.size.height)
  }

  deinit { outstanding.cancel() }

  private static func rate(_ duration: MediaTime) -> FrameRate? {
    Int32(exactly: duration.value).flatMap { FrameRate(duration.timescale, $0) }
  }

  /// The next frame; nil after the end. Cancelling the task cancels a compositor's requests.
  ///
  /// - Throws: `AssetReaderError` if a clip cannot be read or a layer cannot be drawn; a
  ///   compositor's error; `CancellationError`.
  package func next() async throws -> SampleBuffer? {
    guard let frame = try nextBegun() else { return nil }
    switch frame.content {
    case .drawn(let image): return frame.sample(image)
    case .promised(let promise, let fieldOrder):
      let made = try await withTaskCancellationHandler {
        try await promise.frame()
      } onCancel: { [outstanding] in
        outstanding.cancel()
      }
      outstanding.remove(promise)
      return frame.sample(try exchange.frame(of: made, fieldOrder))
    }
  }

  /// Like ``next()``, but blocks, at the latest until ``cancellation`` is called.
  package func waitForNext() throws -> SampleBuffer? {
    guard let frame = try nextBegun() else { return nil }
    switch frame.content {
    case .drawn(let image): return frame.sample(image)
    case .promised(let promise, let fieldOrder):
      let made = try promise.waitForFrame()
      outstanding.remove(promise)
      return frame.sample(try exchange.frame(of: made, fieldOrder))
    }
  }

  /// Cancels a compositor's requests and makes no more. May be called from any thread.
  package var cancellation: @Sendable () -> Void {
    { [outstanding] in outstanding.cancel() }
  }

  // MARK: Beginning

  /// A frame that was drawn, or that a compositor is making.
  private struct BegunFrame {
    enum Content {
      case drawn(PixelBuffer)
      /// A compositor's frame, and the field order of its sources.
      case promised(FramePromise, FieldOrder)
    }

    let start: MediaTime
    let duration: MediaTime
    let content: Content

    var isDrawn: Bool { if case .drawn = content { true } else { false } }

    func sample(_ frame: PixelBuffer) -> SampleBuffer {
      SampleBuffer(
        .video(frame), presentationTimeStamp: start, duration: duration, attachments: .init())
    }
  }

  /// The next frame. Further ones of a compositor are started meanwhile.
  private func nextBegun() throws(AssetReaderError) -> BegunFrame? {
    while begun.count < Self.framesAhead, !(begun.last?.isDrawn ?? false) {
      guard let frame = try begin() else { break }
      begun.append(frame)
    }
    return begun.isEmpty ? nil : begun.removeFirst()
  }

  private func begin() throws(AssetReaderError) -> BegunFrame? {
    guard let start = try nextTime(), start + .containerRounding < end else { return nil }
    time = start
    count += 1
    let instruction = composition.instruction(at: start)
    let background = instruction?.background ?? .black
    var duration = MediaTime.invalid
    if case .constant(let length) = composition.timing { duration = length }
    let content: BegunFrame.Content =
      switch instruction?.drawing ?? .layers([]) {
      case .layers(let layers):
        .drawn(try painter.frame(of: layers, over: background, at: start))
      case .composed(let tracks, let compositor):
        ask(compositor, for: start, with: try frames(of: tracks, at: start, for: compositor))
      case .filtered(let layers, let compositor):
        ask(
          compositor, for: start,
          with: [try drawn(layers, over: background, at: start, for: compositor)])
      }
    return BegunFrame(start: start, duration: duration, content: content)
  }

  private func ask(
    _ compositor: any FrameCompositor, for time: MediaTime,
    with sources: [CompositionRequest.Source]
  ) -> BegunFrame.Content {
    let promise = FramePromise()
    outstanding.start(
      CompositionRequest(time: time, sources: sources, frame: promise), by: compositor)
    return .promised(promise, sources.first?.frame.fieldOrder ?? .progressive)
  }

  /// The frames of tracks, in the layout that a compositor wants.
  private func frames(
    of numbers: [Int], at time: MediaTime, for compositor: any FrameCompositor
  ) throws(AssetReaderError) -> [CompositionRequest.Source] {
    var sources: [CompositionRequest.Source] = []
    for number in numbers {
      guard let track = tracks[number], let frame = try track.frame(at: time) else { continue }
      let made = try exchange.handedOver(
        frame, of: number, track.clipName, as: compositor.layout)
      sources.append(.init(track: number, frame: made))
    }
    return sources
  }

  private func drawn(
    _ layers: [VideoComposition.Layer], over background: BackgroundColor, at time: MediaTime,
    for compositor: any FrameCompositor
  ) throws(AssetReaderError) -> CompositionRequest.Source {
    let number = layers.first?.track ?? 0
    let made = try exchange.handedOver(
      try painter.frame(of: layers, over: background, at: time), of: number, "video composition",
      as: compositor.layout)
    return .init(track: number, frame: made)
  }

  private func nextTime() throws(AssetReaderError) -> MediaTime? {
    switch composition.timing {
    case .constant(let duration): return duration * count
    case .track(let track, let otherwise):
      let own = time.map { $0 + otherwise } ?? .zero
      guard let timing = tracks[track] else { return own }
      if let next = try timing.nextTime(after: time ?? MediaTime(value: -1, timescale: 1_000_000)),
        next <= own || timing.shows(own)
      {
        return next
      }
      // Its last frame stays until its clip ends.
      return timing.endOfClip(at: own) ?? own
    }
  }
}
