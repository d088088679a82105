import DNG

extension RAWFilter {
  /// The part of the picture that the camera's user chose (DefaultUserCrop); nil for all of it. It is not applied
  /// unless ``crop`` is set to it.
  public var userCrop: PictureCrop? {
    let area = negative.crop.userArea
    guard area != [0, 0, 1, 1] else { return nil }
    return PictureCrop(left: area[1], top: area[0], right: area[3], bottom: area[2])
  }

  /// What the file says in the place of ``userCrop``, where it is no part of the picture; nil where it is one, or
  /// the file says nothing.
  public var unusableUserCrop: [Double]? { negative.crop.unusableUserArea }
}
