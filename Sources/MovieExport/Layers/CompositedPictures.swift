package import AssetReader
package import MediaCore

/// The frames that a composition makes of a timeline, one after the other.
///
/// They are used from one thread at a time. Of a compositor's frames a few are asked for ahead.
package final class CompositedPictures {
  private let composition: VideoComposition
  private let end: MediaTime
  private let tracks: [Int: LayeredTrack]
  private let painter: LayerPainter
  private var exchange: CompositorExchange
  private var time: MediaTime?
  private var count: Int64 = 0
  /// Frames that were begun, in their order.
  private var begun: [BegunFrame] = []
  private let outstanding = OutstandingFrames()

  /// Frames of a compositor that are in the making at once.
  private static let framesAhead = 3

  /// The rate; nil where frames last as long as their times say.
  package let frameRate: FrameRate?
  /// What the frames have otherwise than their clips.
  package let notes: [ExportNote]

  /// Frames of a timeline.
  ///
  /// - Parameters:
  ///   - hasFullChroma: True for 4:4:4 of 12 bits, false for 4:2:2 of 10.
  /// - Throws: `AssetReaderError` for a composition that makes no frames of this timeline, and where the first
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
      // Where the track shows nothing, frames go on by themselves.
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

  /// The next frame; nil behind the end. Cancelling the task gives up what a compositor was asked for.
  ///
  /// - Throws: `AssetReaderError` where a clip cannot be read, and for a layer that cannot be drawn; what a
  ///   compositor fails with; `CancellationError`.
  package func next() async throws -> SampleBuffer? {
    guard let frame = try nextBegun() else { return nil }
    switch frame.content {
    case .drawn(let picture): return frame.sample(picture)
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

  /// As ``next()``, but blocks, until ``cancellation`` is called at the latest.
  package func waitForNext() throws -> SampleBuffer? {
    guard let frame = try nextBegun() else { return nil }
    switch frame.content {
    case .drawn(let picture): return frame.sample(picture)
    case .promised(let promise, let fieldOrder):
      let made = try promise.waitForFrame()
      outstanding.remove(promise)
      return frame.sample(try exchange.frame(of: made, fieldOrder))
    }
  }

  /// Gives up what a compositor was asked for, and asks it for nothing more; may be called from any thread.
  package var cancellation: @Sendable () -> Void {
    { [outstanding] in outstanding.cancel() }
  }

  // MARK: Beginning

  /// A frame that is drawn, or that a compositor makes.
  private struct BegunFrame {
    enum Content {
      case drawn(PixelBuffer)
      /// With the field order of the pictures that it is made of.
      case promised(FramePromise, FieldOrder)
    }

    let start: MediaTime
    let duration: MediaTime
    let content: Content

    var isDrawn: Bool { if case .drawn = content { true } else { false } }

    func sample(_ picture: PixelBuffer) -> SampleBuffer {
      SampleBuffer(
        .video(picture), presentationTimeStamp: start, duration: duration, attachments: .init())
    }
  }

  /// The next frame; further ones of a compositor are begun meanwhile.
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
        ask(compositor, for: start, with: try pictures(of: tracks, at: start, for: compositor))
      case .filtered(let layers, let compositor):
        ask(
          compositor, for: start,
          with: [try drawn(layers, over: background, at: start, for: compositor)])
      }
    return BegunFrame(start: start, duration: duration, content: content)
  }

  private func ask(
    _ compositor: any PictureCompositor, for time: MediaTime,
    with sources: [CompositionRequest.Source]
  ) -> BegunFrame.Content {
    let promise = FramePromise()
    outstanding.start(
      CompositionRequest(time: time, sources: sources, frame: promise), by: compositor)
    return .promised(promise, sources.first?.picture.fieldOrder ?? .progressive)
  }

  /// What tracks show, as a compositor wants it.
  private func pictures(
    of numbers: [Int], at time: MediaTime, for compositor: any PictureCompositor
  ) throws(AssetReaderError) -> [CompositionRequest.Source] {
    var sources: [CompositionRequest.Source] = []
    for number in numbers {
      guard let track = tracks[number], let picture = try track.picture(at: time) else { continue }
      let made = try exchange.handedOver(
        picture, of: number, track.clipName, as: compositor.layout)
      sources.append(.init(track: number, picture: made))
    }
    return sources
  }

  private func drawn(
    _ layers: [VideoComposition.Layer], over background: BackgroundColor, at time: MediaTime,
    for compositor: any PictureCompositor
  ) throws(AssetReaderError) -> CompositionRequest.Source {
    let number = layers.first?.track ?? 0
    let made = try exchange.handedOver(
      try painter.frame(of: layers, over: background, at: time), of: number, "video composition",
      as: compositor.layout)
    return .init(track: number, picture: made)
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
      // Its last picture stays until its clip ends.
      return timing.endOfClip(at: own) ?? own
    }
  }
}
