import MediaCore

/// The video format of a deck or a clip.
struct DeckVideo: Sendable, Hashable {
  var dimensions: VideoDimensions
  var rate: FrameRate
  var isInterlaced: Bool
}
