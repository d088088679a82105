import ArgumentParser
import MediaCore
import VideoRecorder

/// Which RAW photo is taken.
enum RawKind: String, NamedValue {
  case bayer
  case proraw

  static let noun = "kind of RAW photo"
}

/// Which processed photo is taken.
enum ProcessedKind: String, NamedValue {
  case jpeg
  case heic

  static let noun = "photo format"
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

/// The picture within a RAW file.
enum ThumbnailSize {
  case none
  case full
  case size(VideoDimensions)

  static func argument(_ text: String) throws -> ThumbnailSize {
    switch text {
    case "none": return .none
    case "full": return .full
    default:
      guard let size = VideoDimensions(text) else {
        throw ValidationError("invalid thumbnail size '\(text)'; write full, none or 1024x768")
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
