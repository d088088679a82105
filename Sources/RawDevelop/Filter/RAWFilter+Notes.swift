import DNG

/// What is ignored in the file, and what is assumed if the file does not state it.
extension RAWFilter {
  /// Invalid parts of the file's profiles and of the profile in use that are left out, one phrase each.
  public var omittedProfileParts: [String] {
    negative.metadata.omittedProfiles + ((try? negative.profile(settings))?.namedOmissions ?? [])
  }

  /// The bit depth assumed for the table or levels of a JPEG XL image, if it is not the 16 bits that DNG
  /// requires; otherwise nil.
  public var spreadBitDepth: Int? { negative.levels.spreadBitDepth }

  /// Names of values that the file states as fractions with denominator 0, and that count as 0.
  public var zeroDenominators: [String] { negative.file.zeroDenominators(in: negative.raw) }

  /// Optional opcodes in the file that are not applied, one phrase each: those that DNG 1.7.1 does not define.
  public var omittedCorrections: [String] {
    Developer(negative: negative, settings: settings).omittedOpcodes
  }

  /// True if the photo does not state its noise and noise is reduced as for typical cameras at low ISO speeds.
  public var isNoiseGuessed: Bool {
    negative.metadata.noiseProfile.isEmpty && !settings.isDraft
      && (settings.luminanceNoiseReduction > 0 || settings.colorNoiseReduction > 0)
  }

  /// The white point assumed if the photo states none that is usable, with the reason, in a phrase; nil if the
  /// photo states one, or if one is set.
  public var whiteGuess: String? { try? negative.whiteGuess(settings) }
}
