import DNG

/// What of the file is left out, and what is guessed where it says nothing.
extension RAWFilter {
  /// What is left out of the file's profiles and of the one that is used, as it makes no sense, one phrase each.
  public var profilePartsLeftOut: [String] {
    negative.metadata.profilesLeftOut + ((try? negative.profile(settings))?.namedLeftOut ?? [])
  }

  /// Bits of the codes that the table or the levels of a JPEG XL picture are taken to be of, where DNG counts in
  /// 16 bits; nil where they are of these.
  public var spreadBitDepth: Int? { negative.levels.spreadBitDepth }

  /// Names of numbers that the file has as fractions with a denominator of 0, and that count as 0.
  public var zeroDenominators: [String] { negative.file.zeroDenominators(in: negative.raw) }

  /// Optional opcodes of the file that are not applied, one phrase each: those that DNG 1.7.1 does not
  /// have.
  public var correctionsLeftOut: [String] {
    Developer(negative: negative, settings: settings).opcodesLeftOut
  }

  /// True where the photo does not tell its noise, and noise is reduced as that of usual cameras at low speeds.
  public var isNoiseGuessed: Bool {
    negative.metadata.noiseProfile.isEmpty && !settings.isDraft
      && (settings.luminanceNoiseReduction > 0 || settings.colorNoiseReduction > 0)
  }

  /// What is taken for the white where the photo does not tell it, and why, in a phrase; nil where the photo tells
  /// its white, and where one is set.
  public var whiteGuess: String? { try? negative.whiteGuess(settings) }
}
