import MediaCore
import QuickTime
import Testing

@testable import MovieExport

/// Notes about an edit list.
struct EditNoteTests {
  /// Edits in 25ths of a second.
  private func words(
    _ edits: [(frames: Int64, first: Int64?, rate: Double)], isVideo: Bool = true
  ) -> [String] {
    ExportDifferences.editNotes(
      edits.map {
        MovieEdit(
          mediaTime: $0.first, duration: MediaTime(value: $0.frames, timescale: 25), rate: $0.rate)
      }, of: "track", isVideo: isVideo
    ).map(\.message)
  }

  @Test func gaps_between_parts_are_reported_in_one_line() {
    #expect(words([(10, nil, 1), (10, 0, 1)]).isEmpty)
    #expect(
      words([(5, nil, 1), (10, 0, 1), (10, nil, 1), (10, 20, 1)]) == [
        "track shows nothing for 0.4 s at 0.6 s: the frame before is repeated"
      ])
    let many = (0..<1000).flatMap { _ in [(5, 0, 1.0), (5, nil, 1.0)] as [(Int64, Int64?, Double)] }
    #expect(
      words(many + [(5, 0, 1)], isVideo: false) == [
        "track shows nothing at 1000 places, for 200 s together, first at 0.2 s: silence"
      ])
  }

  @Test func audio_of_several_parts_is_reported() {
    func note(_ times: [Int64?]) -> String? {
      let length = MediaTime(value: 1, timescale: 25)
      return ExportDifferences.audioPartsNote(
        times.map { MovieEdit(mediaTime: $0, duration: length) }, of: "audio track 1")?.message
    }
    #expect(note([]) == nil && note([nil, 1024]) == nil)
    #expect(
      note([0, nil, 5000])?.hasPrefix("audio track 1 consists of 2 parts of its media")
        == true)
  }

  @Test func a_gap_after_the_last_part_repeats_no_frame() {
    let edits: [(Int64, Int64?, Double)] = [(10, 0, 1), (10, nil, 1), (0, 5, 1)]
    #expect(words(edits) == ["track shows nothing for its last 0.4 s: its frames end before"])
    #expect(words(edits, isVideo: false).isEmpty)
  }

  @Test func media_after_the_end_of_a_fragmented_files_list_are_reported() {
    func note(_ rest: MediaTime) -> String? {
      ExportDifferences.restNotes(rest, of: "video track 1").first?.message
    }
    #expect(note(.zero) == nil)
    #expect(
      note(MediaTime(value: 32, timescale: 25))?
        .hasPrefix("the edit list of video track 1 ends about 1.3 s before its media") == true)
  }

  @Test func edit_rates_are_reported_in_one_line() {
    let end = ": this is not applied; its media play at their own rate for the same duration"
    #expect(
      words([(10, 0, 1), (10, 10, 0.5)]) == ["track plays at 0.5 times its rate at 0.4 s" + end])
    #expect(
      words([(10, 0, 2), (10, 10, 0), (10, 10, 1)]) == [
        "track plays at 2 times its rate at 0 s, the first of 2 such places"
          + end
      ])
    // An edit without duration is invisible.
    #expect(words([(0, 0, 0), (10, 0, 1)]).isEmpty)
  }

  @Test func a_container_that_contradicts_its_frames_about_fields_is_reported() {
    let words = ExportDifferences.fieldNote(container: .topFieldFirst, frames: .progressive)
    #expect(
      words?.message.hasPrefix(
        "the container says interlaced, top field first, its pictures progressive") == true)
    #expect(ExportDifferences.fieldNote(container: .topFieldFirst, frames: .topFieldFirst) == nil)
  }
}
