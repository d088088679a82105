import ArgumentParser
import PhotoDevelopment
import PictureFiles
import RawDevelop

extension PictureFileFormat: NamedValue {
  static let noun = "picture format"
}

extension DevelopRecipe.HighRange: NamedValue {
  static let noun = "kind of HDR"
}

extension PictureColorSpace {
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
        "invalid white '\(text)'; write kelvins from 2000 to 50000, and a tint from -150 to 150: "
          + "5600 or 5600,+5")
    }
    return white
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
