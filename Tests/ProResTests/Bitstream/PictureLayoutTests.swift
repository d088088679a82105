import Testing

@testable import ProRes

@Suite struct PictureLayoutTests {
  @Test(arguments: 1...300) func slices_of_a_row_cover_it_without_gaps(columns: Int) {
    let layout = PictureLayout(width: columns * 16 - 7, height: 16)
    var next = 0
    for slice in layout.rowSlices {
      #expect(slice.start == next)
      #expect([1, 2, 4, 8].contains(slice.width))
      next += slice.width
    }
    #expect(next == columns)
  }

  @Test func tail_is_split_into_falling_powers_of_two() {
    let widths = PictureLayout(width: 15 * 16, height: 16).rowSlices.map(\.width)
    #expect(widths == [8, 4, 2, 1])
  }

  @Test func odd_frame_gives_the_top_field_the_extra_row() {
    #expect(PictureLayout.pictureHeights(frameHeight: 487, mode: .topFieldFirst) == [244, 243])
    #expect(PictureLayout.pictureHeights(frameHeight: 487, mode: .bottomFieldFirst) == [243, 244])
  }
}
