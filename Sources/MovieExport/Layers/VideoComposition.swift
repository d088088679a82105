package import AssetReader
package import MediaCore

/// Describes how frames of a timeline's tracks become frames of one size: drawn over one another,
/// or made by a program's own code.
package struct VideoComposition: Sendable {
  /// When frames are shown.
  package enum Timing: Sendable, Hashable {
    /// Consecutive frames of this duration.
    case constant(MediaTime)
    /// The frames of the track with this index in the timeline; where it shows nothing, frames of
    /// the other duration.
    case track(Int, otherwise: MediaTime)
  }

  /// A track's frames on the canvas.
  package struct Layer: Sendable, Hashable {
    /// The track's index in the timeline.
    package var track: Int
    /// The transform to the canvas, from the frame's display pixels.
    package var transform = Ramp(PlaneTransform.identity)
    /// From 0 (invisible) to 1.
    package var opacity = Ramp(1.0)
    /// The part of the frame that is drawn, in its display pixels.
    package var area = Ramp(PlaneArea.infinite)

    /// Creates a layer that shows a track unchanged.
    package init(track: Int) { self.track = track }

    func from(_ start: MediaTime) -> Layer {
      var own = self
      own.transform = transform.from(start)
      own.opacity = opacity.from(start)
      own.area = area.from(start)
      return own
    }
  }

  /// How frames are made.
  package enum Drawing: Sendable {
    /// From layers, the frontmost one first, over the background.
    case layers([Layer])
    /// By a compositor, from unchanged frames of tracks.
    case composed(of: [Int], by: any FrameCompositor)
    /// By a compositor, from the frame that layers make.
    case filtered([Layer], by: any FrameCompositor)

    /// The layers that are drawn.
    package var layers: [Layer] {
      switch self {
      case .layers(let layers), .filtered(let layers, _): layers
      case .composed: []
      }
    }

    var tracks: [Int] {
      if case .composed(let tracks, _) = self { tracks } else { layers.map(\.track) }
    }

    var compositor: (any FrameCompositor)? {
      switch self {
      case .layers: nil
      case .composed(_, let compositor), .filtered(_, let compositor): compositor
      }
    }

    func from(_ start: MediaTime) -> Drawing {
      let moved = layers.map { $0.from(start) }
      return switch self {
      case .layers: .layers(moved)
      case .composed: self
      case .filtered(_, let compositor): .filtered(moved, by: compositor)
      }
    }
  }

  /// How frames are made in a time range.
  package struct Instruction: Sendable {
    /// The time range.
    package var range: MediaTimeRange
    /// How frames are made.
    package var drawing: Drawing
    /// The color where layers do not cover the frame.
    package var background: BackgroundColor

    /// Creates an instruction.
    package init(
      _ range: MediaTimeRange, _ drawing: Drawing, background: BackgroundColor = .black
    ) {
      (self.range, self.drawing, self.background) = (range, drawing, background)
    }
  }

  /// The frames' size in square pixels.
  package var size: VideoDimensions
  /// When frames are shown.
  package var timing: Timing
  /// The instructions, in time order.
  package var instructions: [Instruction]

  /// Creates a composition.
  package init(_ size: VideoDimensions, _ timing: Timing, _ instructions: [Instruction]) {
    self.size = size
    self.timing = timing
    self.instructions = instructions.sorted { $0.range.start < $1.range.start }
  }

  /// The same composition for a timeline that begins at a time of this one.
  package func from(_ start: MediaTime) -> VideoComposition {
    var moved = self
    moved.instructions = instructions.map { instruction in
      var own = instruction
      own.range.start = instruction.range.start - start
      own.drawing = instruction.drawing.from(start)
      return own
    }
    return moved
  }

  /// The tracks that frames are made from.
  var tracks: Set<Int> { Set(instructions.flatMap(\.drawing.tracks)) }

  /// The compositors, one for each instruction that uses one.
  var compositors: [any FrameCompositor] { instructions.compactMap(\.drawing.compositor) }

  /// A message on what happens to clips' alpha channels.
  var alphaNote: String {
    guard compositors.isEmpty else {
      return "alpha channel dropped: a compositor's frames are opaque"
    }
    let isBlack = instructions.allSatisfy { $0.background == .black }
    return "alpha channel flattened: layers are composited over "
      + (isBlack ? "black" : "the background color")
  }

  /// The instruction for a time; in a gap between two, which is shorter than a frame, the earlier
  /// one.
  func instruction(at time: MediaTime) -> Instruction? {
    instructions.last { $0.range.start <= time } ?? instructions.first
  }

  /// Checks that the composition fits a timeline.
  ///
  /// - Throws: `AssetReaderError` with `invalidArgument` and a remedy, or with `unsupported` for a
  ///   rotation that is not a quarter turn.
  package func check(_ timeline: MovieTimeline) throws(AssetReaderError) {
    guard (16...8192).contains(size.width), (16...8192).contains(size.height),
      size.width % 2 == 0, size.height % 2 == 0
    else { throw invalid("invalid size \(size); each side must be even, from 16 to 8192") }
    for track in tracks where !isVideo(track, of: timeline) {
      throw invalid("an instruction names a track that the timeline does not have")
    }
    for transform in instructions.flatMap(\.drawing.layers).flatMap(\.transform.ends) {
      _ = try LayerPlacement.turn(transform)
    }
    let frame: MediaTime
    switch timing {
    case .constant(let duration): frame = duration
    case .track(let track, let otherwise):
      guard isVideo(track, of: timeline) else {
        throw invalid("the frame timing names a track that the timeline does not have")
      }
      frame = otherwise
    }
    guard frame.isNumeric, frame > .zero else {
      throw invalid("the frame duration must be greater than 0")
    }
    try checkInstructions(until: Self.end(of: timeline), frame)
  }

  /// Checks that instructions follow one another without a gap or overlap of a frame or more.
  private func checkInstructions(
    until end: MediaTime, _ frame: MediaTime
  ) throws(AssetReaderError) {
    var reached = MediaTime.zero
    for instruction in instructions where instruction.range.end > .zero {
      let start = max(instruction.range.start, .zero)
      guard start - reached < frame, reached - start < frame else {
        throw invalid(
          "an instruction starts at \(start.seconds.text(decimals: 3)) s, but the one before ends at "
            + "\(reached.seconds.text(decimals: 3)) s; "
            + "instructions must be contiguous")
      }
      reached = instruction.range.end
    }
    guard end - reached < frame else {
      throw invalid(
        "instructions end at \(reached.seconds.text(decimals: 3)) s, but the video ends at "
          + "\(end.seconds.text(decimals: 3)) s; cover all of it"
      )
    }
  }

  /// The end of the video.
  static func end(of timeline: MovieTimeline) -> MediaTime {
    timeline.tracks.filter { $0.mediaType == .video }
      .compactMap(\.clips.last?.target.end).max() ?? .zero
  }

  private func isVideo(_ track: Int, of timeline: MovieTimeline) -> Bool {
    timeline.tracks.indices.contains(track) && timeline.tracks[track].mediaType == .video
  }

  private func invalid(_ message: String) -> AssetReaderError {
    AssetReaderError(.invalidArgument, "video composition: \(message)")
  }
}
