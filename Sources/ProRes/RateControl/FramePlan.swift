import CProResKernels

/// The slices of a frame, in the order of the bitstream, and how they are grouped into work.
///
/// A group is a few neighboring slices of one row, encoded one after another by one thread. The
/// groups are worked through in waves; each wave is spread over the whole frame, so that what it
/// needed tells what the rest will need. Waves depend on the frame's size alone, never on the
/// number of threads: that keeps the output the same for any.
struct FramePlan: Sendable {
  /// A slice's place.
  struct Slice: Sendable {
    /// The picture, 0 or 1.
    let picture: Int
    let area: prores_area

    var column: Int { Int(area.column) }
    var macroblocks: Int { Int(area.macroblocks) }
  }

  /// Neighboring slices.
  struct Group: Sendable {
    let slices: Range<Int>
  }

  let layouts: [PictureLayout]
  let slices: [Slice]
  let groups: [Group]
  /// Group numbers, wave by wave.
  let waves: [[Int]]

  /// The most slices of a group.
  static let groupSize = 4

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
          if index % Self.groupSize == 0 {
            waves[Self.waveOfRow[line % 16]].append(groups.count)
            let count = min(Self.groupSize, layout.rowSlices.count - index)
            groups.append(Group(slices: slices.count..<slices.count + count))
          }
          slices.append(
            Slice(
              picture: picture,
              area: prores_area(
                column: Int32(place.start), row: Int32(row), macroblocks: Int32(place.width))))
        }
        line += 1
      }
    }
    self.slices = slices
    self.groups = groups
    self.waves = waves.filter { !$0.isEmpty }
  }
}
