package import AssetReader
package import MediaCore

/// How pictures of a timeline's tracks become frames of one size: drawn over one another, or by a program's own
/// code.
package struct VideoComposition: Sendable {
  /// When frames are shown.
  package enum Timing: Sendable, Hashable {
    /// One after the other, each for so long.
    case constant(MediaTime)
    /// As those of a track, by its place in the timeline; where that shows nothing, each for so long.
    case track(Int, otherwise: MediaTime)
  }

  /// A track's pictures on the canvas.
  package struct Layer: Sendable, Hashable {
    /// The track's place in the timeline.
    package var track: Int
    /// Where the picture comes to, counted in its own pixels as seen.
    package var transform = Ramp(PlaneTransform.identity)
    /// From 0, not seen, to 1.
    package var opacity = Ramp(1.0)
    /// What of the picture is drawn, in its own pixels as seen.
    package var area = Ramp(PlaneArea.infinite)

    /// A layer of a track as it is.
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
    /// Of layers, the frontmost one first; what none of them covers has the background's color.
    case layers([Layer])
    /// By a compositor, of the pictures of tracks as they are.
    case composed(of: [Int], by: any PictureCompositor)
    /// By a compositor, of what layers make.
    case filtered([Layer], by: any PictureCompositor)

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

    var compositor: (any PictureCompositor)? {
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

  /// How frames are made in a range of time.
  package struct Instruction: Sendable {
    /// When.
    package var range: MediaTimeRange
    /// How.
    package var drawing: Drawing
    /// What is seen where layers do not cover the frame.
    package var background: BackgroundColor

    /// An instruction.
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
  /// In order of their times.
  package var instructions: [Instruction]

  /// A composition.
  package init(_ size: VideoDimensions, _ timing: Timing, _ instructions: [Instruction]) {
    self.size = size
    self.timing = timing
    self.instructions = instructions.sorted { $0.range.start < $1.range.start }
  }

  /// The same for a timeline that begins at a time of this one.
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

  /// The tracks that frames are made of.
  var tracks: Set<Int> { Set(instructions.flatMap(\.drawing.tracks)) }

  /// Those who make frames, one for each instruction that wants one.
  var compositors: [any PictureCompositor] { instructions.compactMap(\.drawing.compositor) }

  /// What becomes of clips' alpha channels.
  var alphaNote: String {
    guard compositors.isEmpty else {
      return "alpha channel dropped: a compositor's frames are opaque"
    }
    let isBlack = instructions.allSatisfy { $0.background == .black }
    return "alpha channel flattened: layers are composited over "
      + (isBlack ? "black" : "the background color")
  }

  /// The instruction for a time; between two of them, by less than a frame, the one before.
  func instruction(at time: MediaTime) -> Instruction? {
    instructions.last { $0.range.start <= time } ?? instructions.first
  }

  /// Refuses what makes no frames of a timeline.
  ///
  /// - Throws: `AssetReaderError` of `invalidArgument`, with the remedy, and of `unsupported` for a turn that is
  ///   not by quarters.
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

  /// Instructions follow one another without a hole or an overlap of a frame.
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

  /// Where pictures end.
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
