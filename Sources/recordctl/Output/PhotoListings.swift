import PhotoDevelopment
import RawPhoto

/// The photos of a run.
struct PhotoListings: Encodable {
  let photos: [PhotoFileSummary]
  /// What `--develop` made of them.
  let developed: [DevelopedPhoto]?
  /// True where a signal ended it before all photos were taken.
  let endedEarly: Bool?
  /// What became of them in the library; nil where they were not to be saved.
  let library: SavedRecording.Saving?
}
