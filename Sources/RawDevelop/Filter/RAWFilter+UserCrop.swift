import DNG

extension RAWFilter {
  /// The part of the image chosen by the camera's user (DefaultUserCrop); nil for all of it. It is not applied
  /// unless ``crop`` is set to it.
  public var userCrop: ImageCrop? {
    let area = negative.crop.userArea
    guard area != [0, 0, 1, 1] else { return nil }
    return ImageCrop(left: area[1], top: area[0], right: area[3], bottom: area[2])
  }

  /// The area stated in place of ``userCrop`` if it is not part of the image; nil if it is, or if none is stated.
  public var unusableUserCrop: [Double]? { negative.crop.unusableUserArea }
}
