import AssetReader
import Foundation
import MediaCore

/// Every frame of a source, in time order, and where decoding can start.
struct SourceIndex: Codable, Hashable {
  /// Units per second of ``times``.
  var timescale: Int32
  /// The presentation time of each frame, increasing.
  var times: [Int64]
  /// The duration of each frame; a single value if all are equal.
  var durations: [Int64]
  /// The frames at which decoding can start, as increasing indices in ``times``.
  var syncs: [Int]
  /// The frames of ``syncs`` from which later frames may not decode exactly, because they may refer
  /// to earlier data.
  var openSyncs: [Int] = []
  /// The frames to encode, as runs of first frame and count.
  var encoded: [[Int]] = []

  var count: Int { times.count }

  func time(_ frame: Int) -> MediaTime { MediaTime(value: times[frame], timescale: timescale) }

  func duration(_ frame: Int) -> MediaTime {
    let value = durations.count == 1 ? durations[0] : durations[frame]
    return value > 0 ? MediaTime(value: value, timescale: timescale) : .invalid
  }

  /// The frame at a time; nil if there is none.
  func picture(at time: MediaTime) -> Int? {
    guard time.isNumeric else { return nil }
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if self.time(middle) < time { low = middle + 1 } else { high = middle }
    }
    return low < times.count && self.time(low) == time ? low : nil
  }

  /// The index in ``syncs`` of the last sync frame at or before a frame; nil if there is none.
  func sync(for frame: Int) -> Int? {
    var (low, high) = (0, syncs.count)
    while low < high {
      let middle = (low + high) / 2
      if syncs[middle] <= frame { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : low - 1
  }

  /// True if decoding from a sync frame gives all frames from it on exactly.
  ///
  /// - Parameter sync: An index in ``syncs``.
  func isClosed(_ sync: Int) -> Bool { !Self.contains(openSyncs, syncs[sync]) }

  private static func contains(_ rising: [Int], _ value: Int) -> Bool {
    var (low, high) = (0, rising.count)
    while low < high {
      let middle = (low + high) / 2
      if rising[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low < rising.count && rising[low] == value
  }

  /// The frames to encode, in order.
  var schedule: [Int] { encoded.flatMap { $0[0]..<$0[0] + $0[1] } }

  mutating func setSchedule(_ frames: [Int64]) {
    encoded = []
    for frame in frames.map({ Int($0) }) {
      if let last = encoded.last, last[0] + last[1] == frame {
        encoded[encoded.count - 1][1] += 1
      } else {
        encoded.append([frame, 1])
      }
    }
  }

  /// True if the values read from a file are consistent.
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
