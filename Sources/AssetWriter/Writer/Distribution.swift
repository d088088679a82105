/// How long something took, over many times: counted in buckets, so that hours cost no more memory
/// than seconds.
public struct Distribution: Hashable, Sendable, Codable {
  private enum CodingKeys: String, CodingKey {
    case count
    case mean = "meanMilliseconds"
    case median = "medianMilliseconds"
    case percentile99 = "percentile99Milliseconds"
    case percentile999 = "percentile999Milliseconds"
    case maximum = "maximumMilliseconds"
  }

  /// Values that were counted.
  public let count: Int
  /// The mean, in milliseconds.
  public let mean: Double
  /// The median, in milliseconds, to an eighth of its value.
  public let median: Double
  /// What 99 in 100 stay below, in milliseconds, to an eighth of its value.
  public let percentile99: Double
  /// What 999 in 1000 stay below, in milliseconds, to an eighth of its value.
  public let percentile999: Double
  /// The longest, in milliseconds.
  public let maximum: Double

  /// Counts durations as they come.
  struct Tally: Hashable, Sendable {
    private var buckets = [Int](repeating: 0, count: 512)
    private var count = 0
    /// The sum, in nanoseconds.
    private(set) var total: Int64 = 0
    private var longest: Int64 = 0

    /// Counts a duration in nanoseconds.
    mutating func add(_ nanoseconds: Int64) {
      let value = max(nanoseconds, 0)
      buckets[Self.bucket(value)] += 1
      count += 1
      total &+= value
      longest = max(longest, value)
    }

    var distribution: Distribution {
      Distribution(
        count: count, mean: count == 0 ? 0 : Double(total) / Double(count) / 1e6,
        median: quantile(0.5), percentile99: quantile(0.99), percentile999: quantile(0.999),
        maximum: Double(longest) / 1e6)
    }

    /// Eight buckets for each power of two.
    private static func bucket(_ value: Int64) -> Int {
      guard value >= 8 else { return Int(value) }
      let exponent = 63 - value.leadingZeroBitCount
      return (exponent - 2) * 8 + Int((value >> Int64(exponent - 3)) & 7)
    }

    private static func upperBound(ofBucket bucket: Int) -> Double {
      guard bucket >= 8 else { return Double(bucket) }
      let exponent = bucket / 8 + 2
      return Double(bucket % 8 + 9) * Double(sign: .plus, exponent: exponent - 3, significand: 1)
    }

    private func quantile(_ fraction: Double) -> Double {
      guard count > 0 else { return 0 }
      let wanted = Int((Double(count) * fraction).rounded(.up))
      var bucket = 0
      var seen = buckets[0]
      while seen < wanted {
        bucket += 1
        seen += buckets[bucket]
      }
      return min(Self.upperBound(ofBucket: bucket), Double(longest)) / 1e6
    }
  }
}
