/// The two forms of one photo: sensor data and processed image.
///
/// According to Apple's documentation, a ProRAW image is the asset's photo, and the processed image
/// its alternate; with Bayer RAW it is the other way round.
struct PhotoForms: Sendable, Hashable {
  /// The index of the asset's photo.
  var photo: Int
  /// The index of the alternate.
  var alternate: Int

  /// The roles of two images, by index; nil unless one is RAW and the other processed.
  init?(_ images: [MediaFacts]) {
    guard images.count == 2, let raw = images.firstIndex(where: \.isRAW),
      !images[1 - raw].isRAW
    else { return nil }
    let isPhoto = images[raw].isLinearRAW == true
    (photo, alternate) = isPhoto ? (raw, 1 - raw) : (1 - raw, raw)
  }
}
