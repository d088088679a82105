extension ContactSheet {
  /// How the photos of a page are developed.
  public struct Options: Sendable {
    /// The longest side of a thumbnail in pixels: 32 to 2048.
    public var side = 256
    /// Settings for all photos. They override the preset's and the sidecars'.
    public var adjustment = PhotoAdjustment()
    /// A preset, which sidecars override. Only its adjustments count; ``ContactSheet/notes`` lists what is left out.
    public var preset: DevelopPreset?
    /// False to ignore XMP, in sidecars and in the photos.
    public var readsSidecars = true
    /// The locations of the photos' XMP, by photo path; by default, it is next to the photo.
    public var sidecars: [String: SidecarPlace] = [:]

    public init() {}
  }
}
