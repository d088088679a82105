import ArgumentParser
import Foundation
import MediaCore
import ObjectStorage

/// How the command line names object storage.
struct StorageArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Upload bandwidth limit in bytes per second, such as 50MB (default: unlimited).",
      valueName: "rate"),
    transform: Self.rate)
  var bandwidth: Int64?

  @Option(
    help: ArgumentHelp(
      """
      Lock the objects against deletion by anyone for this long, such as 90d or 10y; the bucket \
      must have Object Lock enabled. This cannot be undone.
      """, valueName: "time"),
    transform: Self.time)
  var objectLock: Double?

  /// How objects are sent.
  var settings: UploadSettings {
    var settings = UploadSettings()
    settings.bandwidth = bandwidth
    settings.lockDuration = objectLock
    return settings
  }

  /// A copy to an address, by the credentials of the user.
  func copy(to address: ObjectAddress) throws -> RemoteCopy {
    RemoteCopy(to: address, account: try StorageAccount(), settings: settings)
  }

  /// An address, where the text means one; nil for a path.
  static func address(_ text: String) throws -> ObjectAddress? {
    guard ObjectAddress.isMeant(by: text) else { return nil }
    guard let address = ObjectAddress(text) else {
      throw ValidationError(
        "'\(text)' is not an address in object storage; write s3://BUCKET or s3://BUCKET/PREFIX, a bucket of 3 "
          + "or more letters, digits, dots and hyphens, without empty names, '.' or '..' after it")
    }
    return address
  }

  static func rate(_ text: String) throws -> Int64 {
    let units: [(String, Double)] = [
      ("gb", 1e9), ("mb", 1e6), ("kb", 1e3), ("g", 1e9), ("m", 1e6), ("k", 1e3), ("b", 1), ("", 1),
    ]
    let word = text.lowercased().replacing("/s", with: "")
    for (unit, factor) in units where word.hasSuffix(unit) {
      guard let number = Double(word.dropLast(unit.count)) else { continue }
      let bytes = number * factor
      // Slower is not told from a connection that is dead.
      if (16_384...1e15).contains(bytes) { return Int64(bytes) }
      throw ValidationError("'\(text)' is out of range; give 17kB to 1000TB per second")
    }
    throw ValidationError("invalid bandwidth '\(text)'; write 50MB, 800kB or 1GB, per second")
  }

  static func time(_ text: String) throws -> Double {
    let days: [Character: Double] = ["d": 1, "w": 7, "y": 365.25]
    guard let unit = text.last.flatMap({ days[$0] }), let number = Double(text.dropLast()),
      number > 0, number * unit <= 36_525
    else {
      throw ValidationError("invalid time '\(text)'; write 90d, 12w or 10y, up to 100y")
    }
    return number * unit * 86_400
  }
}
