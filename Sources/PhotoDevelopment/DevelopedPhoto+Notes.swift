import DNG
import MediaCore
import RawDevelop

/// Notes about a photo: what was left out, and what was assumed.
extension DevelopedPhoto {
  /// Notes the names of what was left out, if any.
  mutating func note(_ kind: DevelopNote.Kind, _ message: String, _ names: [String]) {
    guard !names.isEmpty else { return }
    notes.append(DevelopNote(kind, "\(message): " + names.joined(separator: ", ")))
  }

  /// - Parameter isReplaced: True if the settings have a crop.
  mutating func noteCrop(of filter: RAWFilter, isReplaced: Bool) {
    if !isReplaced, let crop = filter.userCrop {
      let sides = [crop.left, crop.top, crop.right, crop.bottom]
      note(
        .settingsOmitted, "the whole photo is kept, and the camera's crop is ignored",
        sides.map { $0.text(significantDigits: 4) })
    }
    if let area = filter.unusableUserCrop {
      let numbers = area.prefix(4).map { $0.text(significantDigits: 4) }
      note(
        .settingsOmitted, "the camera's crop is invalid and ignored",
        numbers.isEmpty ? ["no numbers"] : numbers + (area.count > 4 ? ["…"] : []))
    }
  }

  /// Notes values that the file does not state, or not in a usable way.
  mutating func noteGuesses(of filter: RAWFilter, isDraft: Bool) {
    note(
      .settingsOmitted, "invalid parts of camera profiles are left out",
      filter.omittedProfileParts)
    note(.usualValueTaken, "fractions with a denominator of 0 count as 0", filter.zeroDenominators)
    if let depth = filter.spreadBitDepth {
      notes.append(
        DevelopNote(
          .usualValueTaken,
          "the levels of the JPEG XL image are taken as \(depth)-bit codes, although DNG requires "
            + "16 bits"))
    }
    if let guess = filter.whiteGuess { notes.append(DevelopNote(.usualValueTaken, guess)) }
    if filter.isNoiseGuessed, !isDraft {
      notes.append(
        DevelopNote(
          .usualValueTaken,
          "the photo does not state its noise: that of typical cameras at low ISO speeds is assumed"
        ))
    }
  }

  /// Notes corrections and images in the file that do not affect the result.
  mutating func noteOmissions(of file: DNGFile, _ filter: RAWFilter) {
    note(
      .correctionsOmitted, "optional corrections of the file are left out",
      filter.omittedCorrections)
    for (index, image) in file.images.filter({ $0.role == .enhanced }).enumerated() {
      notes.append(DevelopNote(enhanced: image, isDeveloped: index == 0 && filter.isEnhanced))
    }
    note(
      .pictureOmitted, "other images in the file cannot be used and are ignored",
      file.omittedImages)
  }

  /// Notes samples that are not finite, and those that do not match the file's digest.
  mutating func note(_ check: SampleCheck) {
    let count = check.notFiniteCount
    if count > 0 {
      let samples = count == 1 ? "1 sample is not a" : "\(count) samples are not"
      notes.append(
        DevelopNote(
          .usualValueTaken,
          "\(samples) finite number\(count == 1 ? "" : "s"): infinity counts as white, anything else as "
            + "black"))
    }
    if check.disagreesWithDigest {
      notes.append(
        DevelopNote(
          .digestDisagrees,
          "the samples of \(source) do not match the digest in the file: it is damaged, or "
            + "was changed"))
    }
  }
}

extension DevelopNote {
  /// A note about an image improved from the sensor's, and which of the two is developed.
  fileprivate init(enhanced image: DNGFile.Image, isDeveloped: Bool) {
    let made =
      "the version of \(image.width)x\(image.height) made from it"
      + (image.enhancement.map { " by \($0)" } ?? "")
    self.init(
      isDeveloped ? .enhancedPictureDeveloped : .enhancedPictureOmitted,
      isDeveloped
        ? "instead of the sensor's image, \(made) is developed"
        : "the sensor's image is developed, not \(made)")
  }
}
