/// The two forms of one photo: the sensor's data, and the picture that was made of them.
///
/// Which of them the asset shows goes by Apple's articles: a ProRAW photo is the asset's photo, and the
/// processed one its alternate; beside Bayer RAW it is the other way round.
struct PhotoForms: Sendable, Hashable {
  /// The place of the asset's photo.
  var photo: Int
  /// The place of the other one.
  var alternate: Int

  /// The roles of two pictures, by their places; nil where they are not one RAW and one processed.
  init?(_ pictures: [MediaFacts]) {
    guard pictures.count == 2, let raw = pictures.firstIndex(where: \.isRAW),
      !pictures[1 - raw].isRAW
    else { return nil }
    let isPhoto = pictures[raw].isLinearRAW == true
    (photo, alternate) = isPhoto ? (raw, 1 - raw) : (1 - raw, raw)
  }
}
