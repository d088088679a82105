import ArgumentParser
import MediaCore
import RawPhoto
import VideoRecorder

extension PhotoSession.RAWKind: NamedValue {
  static let noun = "kind of RAW photo"
}

extension PhotoSession.ProcessedKind: NamedValue {
  static let noun = "photo format"
}

extension PhotoQualityPrioritization {
  /// The names on the command line.
  private static let named: [(name: String, value: Self)] = [
    ("speed", .speed), ("balanced", .balanced), ("quality", .quality),
  ]

  static func argument(_ text: String) throws -> Self {
    guard let value = named.first(where: { $0.name == text.lowercased() })?.value else {
      throw unknown("priority", text, named.map(\.name))
    }
    return value
  }

  static let completions = CompletionKind.list(named.map(\.name))
}

/// The exposures of a bracket, in stops from the present one: `-2,0,2`.
struct ExposureBracket {
  let biases: [Double]

  static func argument(_ text: String) throws -> ExposureBracket {
    let values = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    let numbers = values.compactMap(\.self)
    guard numbers.count == values.count, numbers.allSatisfy(\.isFinite) else {
      throw ValidationError("invalid bracket '\(text)'; write stops such as -2,0,2")
    }
    return ExposureBracket(biases: numbers)
  }
}

/// How long a photo is exposed: `1/125`, `0.5`.
struct ExposureTime {
  let seconds: Double

  static func argument(_ text: String) throws -> ExposureTime {
    let values = text.split(separator: "/", omittingEmptySubsequences: false).map { Double($0) }
    let numbers = values.compactMap(\.self)
    guard numbers.count == values.count, (1...2).contains(numbers.count) else {
      throw ValidationError("invalid exposure time '\(text)'; write 1/125 or 0.5")
    }
    let seconds = numbers.count == 2 ? numbers[0] / numbers[1] : numbers[0]
    guard numbers.allSatisfy({ $0 > 0 }), seconds.isFinite else {
      throw ValidationError("'\(text)' must be positive; write 1/125 or 0.5")
    }
    return ExposureTime(seconds: seconds)
  }
}

extension PhotoSession.Thumbnail {
  static func argument(_ text: String) throws -> Self {
    switch text {
    case "none": return .none
    case "full": return .full
    default:
      guard let size = VideoDimensions(text) else {
        throw ValidationError(
          "invalid thumbnail size '\(text)'"
            + Suggestion.remark(on: text, among: ["full", "none"])
            + "; write full, none or 1024x768")
      }
      return .size(size)
    }
  }
}

extension VideoDimensions {
  /// The size of a still, which may be odd.
  static func stillArgument(_ text: String) throws -> VideoDimensions {
    guard let size = VideoDimensions(text) else {
      throw ValidationError("invalid size '\(text)'; write WIDTHxHEIGHT, such as 4032x3024")
    }
    return size
  }
}
