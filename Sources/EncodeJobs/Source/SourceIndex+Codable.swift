extension SourceIndex {
  private enum CodingKeys: CodingKey {
    case timescale, times, timeRuns, durations, syncs, syncRuns, openSyncs, encoded
  }

  /// The most frames in an index: sixty days at 25 frames per second. A damaged file could claim
  /// any number.
  private static let limit = 1 << 27

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func numbers(_ list: CodingKeys, _ runs: CodingKeys) throws -> [Int64] {
      guard let found = try values.decodeIfPresent([Int64].self, forKey: runs) else {
        return try values.decode([Int64].self, forKey: list)
      }
      guard let numbers = EvenRuns(values: found).numbers(limit: Self.limit) else {
        throw DecodingError.dataCorruptedError(
          forKey: runs, in: values, debugDescription: "no runs of rising numbers")
      }
      return numbers
    }
    timescale = try values.decode(Int32.self, forKey: .timescale)
    times = try numbers(.times, .timeRuns)
    durations = try values.decode([Int64].self, forKey: .durations)
    syncs = try numbers(.syncs, .syncRuns).map { Int($0) }
    openSyncs = try values.decode([Int].self, forKey: .openSyncs)
    encoded = try values.decode([[Int]].self, forKey: .encoded)
  }

  /// Writes lists as runs if that is shorter.
  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    func encode(_ numbers: [Int64], _ list: CodingKeys, _ runs: CodingKeys) throws {
      let even = EvenRuns(numbers).values
      if even.count < numbers.count {
        try values.encode(even, forKey: runs)
      } else {
        try values.encode(numbers, forKey: list)
      }
    }
    try values.encode(timescale, forKey: .timescale)
    try encode(times, .times, .timeRuns)
    try values.encode(durations, forKey: .durations)
    try encode(syncs.map { Int64($0) }, .syncs, .syncRuns)
    try values.encode(openSyncs, forKey: .openSyncs)
    try values.encode(encoded, forKey: .encoded)
  }
}
