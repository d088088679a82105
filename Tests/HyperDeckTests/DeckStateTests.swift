import MediaCore
import Testing

@testable import HyperDeck
@testable import RecorderControl

struct DeckStateTests {
  @Test(arguments: [
    (1920, 1080, "25", false, "1080p25"), (1920, 1080, "25", true, "1080i50"),
    (1920, 1080, "30000/1001", false, "1080p2997"), (1920, 1080, "30000/1001", true, "1080i5994"),
    (1920, 1080, "24000/1001", false, "1080p23976"), (1280, 720, "60000/1001", false, "720p5994"),
    (3840, 2160, "60", false, "4Kp60"), (4096, 2160, "24", false, "4Kp24DCI"),
    (7680, 4320, "50", false, "8Kp50"), (2048, 1080, "24", false, "2Kp24DCI"),
    (720, 576, "25", true, "PAL"), (720, 480, "30000/1001", true, "NTSC"),
    (640, 360, "25", false, "360p25"), (1920, 1080, "48", false, "1080p48"),
  ])
  func video_formats_have_the_names_used_by_decks(
    width: Int, height: Int, rate: String, isInterlaced: Bool, name: String
  ) {
    #expect(
      DeckFormat.video(
        width: width, height: height, rate: FrameRate(rate), isInterlaced: isInterlaced) == name)
  }

  @Test func an_unknown_video_format_is_named_none() {
    #expect(DeckFormat.video(width: nil, height: 1, rate: .fps25, isInterlaced: false) == "none")
    #expect(DeckFormat.video(width: 1920, height: 1080, rate: nil, isInterlaced: false) == "none")
  }

  @Test(arguments: [
    (RecorderStatus.StateName.starting, DeckState.Transport.stopped, DeckState.SlotStatus.mounting),
    (.idle, .preview, .mounted), (.armed, .preview, .mounted), (.standingBy, .preview, .mounted),
    (.recording, .record, .mounted), (.finishing, .stopped, .mounted),
    (.awaitingSource, .stopped, .mounted), (.ended, .stopped, .error),
  ])
  func each_recorder_state_maps_to_a_deck_state(
    state: RecorderStatus.StateName, transport: DeckState.Transport, slot: DeckState.SlotStatus
  ) {
    let deck = DeckState.example(.status(.example(state)))
    #expect(deck.transport == transport && deck.slotStatus == slot)
  }

  @Test func an_absent_recorder_has_no_timecode() {
    let deck = DeckState.example(
      .status(.example(.recording, frames: 50, timecode: "10:00:02:00")), .away(message: "gone"))
    #expect(deck.slotStatus == .empty && deck.transport == .stopped && deck.frame == 0)
    #expect((deck.displayTimecode, deck.timecode) == (DeckTimecode.zero, DeckTimecode.zero))
  }

  @Test func folders_are_removed_before_names_starting_with_combining_marks() {
    let name = "\u{301}a.mov"
    let deck = DeckState.example(.status(.example(.recording, movie: name)))
    #expect(deck.movie == name && deck.volumeName == "card")
    #expect(DeckState.example(.finished(name)).clips.last?.name == name)
  }

  @Test func clips_are_counted_and_limited_in_number() {
    var deck = DeckState.example(.status(.example(.idle)))
    #expect(deck.clipID == nil)
    for number in 1...DeckState.clipLimit + 5 { deck.adopt(.finished("\(number).mov")) }
    #expect(deck.clips.count == DeckState.clipLimit && deck.clips.last?.name == "505.mov")
    #expect(deck.clipID == DeckState.clipLimit)
    deck.adopt(.status(.example(.recording)))
    #expect(deck.clipID == DeckState.clipLimit + 1)
  }

  @Test func clip_durations_include_gaps() {
    let deck = DeckState.example(
      .status(.example(.idle)), .finished("a.mov"), .finished("b.mov", frames: 50, slots: 80))
    #expect(deck.clips.map(\.duration) == ["00:00:10:00", "00:00:03:05"])
    #expect(deck.clips.map(\.frameCount) == [250, 80])

    guard case .event(var event) = RecorderUpdate.finished("c.mov", frames: 100, slots: 60) else {
      Issue.record("the update is not an event")
      return
    }
    // It follows a movie that was lost.
    event.finished?.movieStarts = [80]
    let behind = DeckState.example(.status(.example(.idle)), .event(event))
    #expect(behind.clips.first?.duration == "00:00:05:15")
    // With more movies than are listed.
    event.finished?.omitted = 3
    let listed = DeckState.example(.status(.example(.idle)), .event(event))
    #expect(listed.clips.first?.duration == "00:00:04:00")
  }

  @Test func recording_time_between_takes_is_that_of_the_disk() {
    var status = RecorderStatus.example(.idle)
    (status.progress, status.disk) = (nil, .init(freeSpace: 7_000, worstCaseSecondsLeft: 90.5))
    let deck = DeckState.example(.status(status))
    #expect(deck.recordingTime == 90 && deck.freeBytes == 7_000)
    #expect(Conversation(deck).session.deck.slotFields()["recording time"] == "90")
  }

  @Test func the_volume_has_the_folder_name_the_recorder_reports() {
    var status = RecorderStatus.example(.idle, secondsLeft: nil)
    status.disk = RecorderStatus.Disk(freeSpace: 1, folderName: "Movies")
    var deck = DeckState.example(.status(status))
    #expect(deck.volumeName == "Movies")
    // A volume that changed its name after each take would look like a different volume.
    deck.adopt(.status(.example(.recording)))
    deck.adopt(.status(status))
    #expect(deck.volumeName == "card")
  }

  @Test func unreported_recording_time_keeps_its_last_value() {
    let fresh = DeckState.example(.status(.example(.idle, secondsLeft: nil)))
    #expect(fresh.recordingTime == nil, "zero would mean that the disk is full")
    #expect(Conversation(fresh).session.deck.slotFields()["recording time"] == nil)
    var deck = DeckState.example(.status(.example(.recording, secondsLeft: 60.9)))
    #expect(deck.recordingTime == 60 && deck.volumeName == "card")
    deck.adopt(.status(.example(.idle, secondsLeft: nil)))
    #expect(deck.recordingTime == 60 && deck.volumeName == "card")
    deck.adopt(.status(.example(.recording, secondsLeft: .infinity)))
    #expect(deck.recordingTime == 60)
  }
}
