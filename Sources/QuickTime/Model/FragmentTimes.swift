/// What the fragments of a track say about the times of its samples, beyond the sample table.
package struct FragmentTimes: Sendable, Hashable {
  /// The duration of the samples that the movie atom lists, in the track's time scale. All others
  /// are in fragments.
  package internal(set) var listedDuration: Int64 = 0
  /// The decode time of the first sample in a fragment, in the track's time scale; nil if no
  /// fragment says. The sample table begins at 0 in any case.
  package internal(set) var start: Int64?
  /// The smallest offset of a presentation time from its decode time, in the track's time scale;
  /// 0 if none is below zero.
  package internal(set) var leastOffset: Int32 = 0

  mutating func add(_ run: FragmentParser.Run) {
    if start == nil { start = run.baseTime }
    leastOffset = min(leastOffset, run.leastOffset)
  }
}
