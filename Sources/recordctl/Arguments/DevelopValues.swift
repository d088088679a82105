import ArgumentParser
import ImageFiles
import PhotoDevelopment
import RawDevelop

extension CompletionKind {
  /// Read once: every verb's options are looked at in each run.
  static let developPresets = CompletionKind.list(DevelopPresetLibrary().names)
}

extension ImageFileFormat: NamedValue {
  static let noun = "image format"
}

extension DevelopRecipe.HighRange: NamedValue {
  static let noun = "kind of HDR"
}

extension ImageColorSpace {
  static func argument(_ text: String) throws -> Self {
    guard let value = named.first(where: { $0.key == text.lowercased() })?.value else {
      throw unknown("color space", text, named.map(\.key))
    }
    return value
  }

  static let completions = CompletionKind.list(named.map(\.key))
}

extension DevelopRecipe.White {
  static func argument(_ text: String) throws -> Self {
    guard let white = Self(text) else {
      throw ValidationError(
        "invalid white balance '\(text)'; write kelvins from 2000 to 50000, and a tint from -150 to 150: "
          + "5600 or 5600,+5")
    }
    return white
  }
}

extension ImageCrop {
  static func argument(_ text: String) throws -> Self {
    guard let crop = Self(text) else {
      throw ValidationError(
        "invalid crop '\(text)'; write left, top, right and bottom from 0 to 1, and an angle from -45 "
          + "to 45 degrees: 0.1,0,0.9,0.8 or 0.1,0,0.9,0.8,-1.5")
    }
    return crop
  }
}

extension DevelopRecipe.Size {
  static func argument(_ text: String) throws -> Self {
    guard let size = Self(text) else {
      throw ValidationError(
        "invalid size '\(text)'; write the longest side, such as 2048, or WIDTHxHEIGHT")
    }
    return size
  }
}
