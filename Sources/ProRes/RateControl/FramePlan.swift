/// The slices of a frame, in the order of the bitstream, and how they are grouped into work.
///
/// A group is a few neighbouring slices of one row, encoded one after another by one thread. The
/// groups are worked through in waves; each wave is spread over the whole frame, so that what it
/// needed tells what the rest will need. Waves depend on the frame's size alone, never on the
/// number of threads: that keeps the output the same for any.
struct FramePlan: Sendable {
  /// A slice's place.
  struct Slice: Sendable {
    /// The picture, 0 or 1.
    let picture: Int
    let column: Int
    let row: Int
    let macroblocks: Int
  }

  /// Slices `first..<first + count`.
  struct Group: Sendable {
    let first: Int
    let count: Int
  }

  let layouts: [PictureLayout]
  let slices: [Slice]
  let groups: [Group]
  /// Group numbers, wave by wave.
  let waves: [[Int]]

  /// The wave of a row, by its number modulo 16: one sixteenth as a probe, then more and more; the
  /// last wave is small, since only it has to leave room for surprises.
  private static let waveOfRow = [0, 2, 3, 1, 2, 3, 4, 1, 3, 2, 4, 1, 3, 2, 4, 5]

  init(layouts: [PictureLayout]) {
    self.layouts = layouts
    var slices: [Slice] = []
    var groups: [Group] = []
    var waves = [[Int]](repeating: [], count: 6)
    var line = 0
    for (picture, layout) in layouts.enumerated() {
      for row in 0..<layout.rows {
        for (index, place) in layout.rowSlices.enumerated() {
          if index % 4 == 0 {
            waves[Self.waveOfRow[line % 16]].append(groups.count)
            let count = min(4, layout.rowSlices.count - index)
            groups.append(Group(first: slices.count, count: count))
          }
          slices.append(
            Slice(picture: picture, column: place.start, row: row, macroblocks: place.width))
        }
        line += 1
      }
    }
    self.slices = slices
    self.groups = groups
    self.waves = waves.filter { !$0.isEmpty }
  }
}
