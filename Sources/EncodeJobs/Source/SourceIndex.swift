import AssetReader
import Foundation
import MediaCore

/// Every picture of a source by its time, in the order of time, and where decoding may begin.
struct SourceIndex: Codable, Hashable {
  /// Units a second of ``times``.
  var timescale: Int32
  /// When each picture is shown, rising.
  var times: [Int64]
  /// How long each lasts; one number where all last as long.
  var durations: [Int64]
  /// The pictures that decoding may begin with, by their places in ``times``, rising.
  var syncs: [Int]
  /// Those of ``syncs`` behind which pictures may refer to what lies before, or nobody knows.
  var openSyncs: [Int] = []
  /// The pictures that are encoded, as runs of first picture and count.
  var encoded: [[Int]] = []

  var count: Int { times.count }

  func time(_ picture: Int) -> MediaTime { MediaTime(value: times[picture], timescale: timescale) }

  func duration(_ picture: Int) -> MediaTime {
    let value = durations.count == 1 ? durations[0] : durations[picture]
    return value > 0 ? MediaTime(value: value, timescale: timescale) : .invalid
  }

  /// The picture of a time; nil where there is none.
  func picture(at time: MediaTime) -> Int? {
    guard time.isNumeric else { return nil }
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if self.time(middle) < time { low = middle + 1 } else { high = middle }
    }
    return low < times.count && self.time(low) == time ? low : nil
  }

  /// The place in ``syncs`` of the last one at a picture or before it; nil for none.
  func sync(for picture: Int) -> Int? {
    var (low, high) = (0, syncs.count)
    while low < high {
      let middle = (low + high) / 2
      if syncs[middle] <= picture { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : low - 1
  }

  /// True where decoding that begins with a sync frame gives all that is shown from it on exactly.
  ///
  /// - Parameter sync: A place in ``syncs``.
  func isClosed(_ sync: Int) -> Bool { !Self.contains(openSyncs, syncs[sync]) }

  private static func contains(_ rising: [Int], _ value: Int) -> Bool {
    var (low, high) = (0, rising.count)
    while low < high {
      let middle = (low + high) / 2
      if rising[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low < rising.count && rising[low] == value
  }

  /// The pictures that are encoded, one after the other.
  var schedule: [Int] { encoded.flatMap { $0[0]..<$0[0] + $0[1] } }

  mutating func setSchedule(_ pictures: [Int64]) {
    encoded = []
    for picture in pictures.map({ Int($0) }) {
      if let last = encoded.last, last[0] + last[1] == picture {
        encoded[encoded.count - 1][1] += 1
      } else {
        encoded.append([picture, 1])
      }
    }
  }

  /// True where numbers that come from a file make sense.
  var isConsistent: Bool {
    timescale > 0 && !times.isEmpty && (durations.count == 1 || durations.count == times.count)
      && zip(times, times.dropFirst()).allSatisfy(<)
      && zip(syncs, syncs.dropFirst()).allSatisfy(<)
      && syncs.allSatisfy(times.indices.contains)
      && zip(openSyncs, openSyncs.dropFirst()).allSatisfy(<)
      && encoded.allSatisfy { run in
        run.count == 2 && run[0] >= 0 && run[1] > 0 && run[0] <= times.count
          && run[1] <= times.count - run[0]
      }
      && zip(encoded, encoded.dropFirst()).allSatisfy { $0[0] + $0[1] <= $1[0] }
  }
}
