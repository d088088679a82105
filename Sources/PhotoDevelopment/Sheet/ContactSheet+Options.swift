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
    /// Where the photos' XMP is, by the path of the photo; of photos that are not listed, it is beside them.
    public var sidecars: [String: SidecarPlace] = [:]

    /// The defaults.
    public init() {}
  }
}
