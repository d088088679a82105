import Testing

@testable import RecorderControl

struct ISOMomentTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0.0), ("2026-11-23T09:30:00Z", 1_795_426_200),
    ("2026-11-23T11:30:00+02:00", 1_795_426_200), ("2026-11-23T04:00:00-0530", 1_795_426_200),
    ("2026-11-23T09:30:00.449643Z", 1_795_426_200.449643), ("2024-02-29T00:00:00Z", 1_709_164_800),
  ])
  func dates_are_parsed_as_unix_times(_ text: String, _ unixTime: Double) {
    #expect(ISOMoment.unixTime(text) == unixTime)
  }

  @Test(arguments: [
    "2026-11-31T09:00:00Z", "2026-02-30T09:00:00Z", "2026-13-01T09:00:00Z", "2026-11-29T09:75:00Z",
    "2026-11-29T25:00:00Z", "2026-11-29T09:00:60Z", "99999-12-31T00:00:00Z", "2026-11-29T09:00:00",
    "2026-11-29", "0000-01-01T00:00:00Z", "2026-11-29T09:00:00+99:00", "2026-11-29 09:00:00Z", "",
  ])
  func invalid_dates_are_rejected(_ text: String) {
    #expect(ISOMoment.unixTime(text) == nil && ArmedStart(text) == nil)
  }

  @Test(arguments: [0, 1_795_426_200, 1_795_426_200.5, 1_795_426_200.449])
  func a_date_survives_a_round_trip_through_text(_ unixTime: Double) throws {
    #expect(ISOMoment.unixTime(ISOMoment.text(unixTime)) == unixTime)
  }

  @Test func a_whole_second_has_no_fraction() {
    #expect(ISOMoment.text(1_795_426_200) == "2026-11-23T09:30:00Z")
    #expect(ISOMoment.text(1_795_426_200.25) == "2026-11-23T09:30:00.250Z")
  }
}
