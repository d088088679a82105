import MediaCore

/// What pictures a deck has, or a clip.
struct DeckVideo: Sendable, Hashable {
  var dimensions: VideoDimensions
  var rate: FrameRate
  var isInterlaced: Bool
}
