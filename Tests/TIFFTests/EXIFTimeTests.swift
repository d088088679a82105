import Foundation
import TIFF
import Testing

/// EXIF's texts for times and offsets.
struct EXIFTimeTests {
  @Test func dates_are_converted_from_their_time_zone() throws {
    let zone = try #require(TimeZone(secondsFromGMT: 7200))
    let date = EXIFTime.date("2024:02:29 01:30:05", in: zone)
    #expect(date?.timeIntervalSince1970 == 1_709_163_005)
    #expect(EXIFTime.date("1970:01:01 00:00:00", in: .gmt)?.timeIntervalSince1970 == 0)
    // A leap second.
    #expect(EXIFTime.date("2016:12:31 23:59:60", in: .gmt)?.timeIntervalSince1970 == 1_483_228_800)
  }

  @Test(arguments: [
    "2023:02:29 10:00:00", "2024:02:30 10:00:00", "2024:04:31 10:00:00", "2024:13:01 10:00:00",
    "2024:00:01 10:00:00", "2024:01:01 24:00:00", "2024:01:01 10:60:00", "2024:01:01 10:00:61",
    "0000:00:00 00:00:00", "2024:01:01", "2024:01:01 10:00:00:00", "    :  :     :  :  ", "now", "",
  ])
  func invalid_dates_are_rejected_as_nil(_ text: String) {
    #expect(EXIFTime.date(text, in: .gmt) == nil)
  }

  @Test func offsets_are_limited_to_fourteen_hours() {
    #expect(EXIFZone.seconds("+14:00") == 50_400 && EXIFZone.seconds("-14:00") == -50_400)
    #expect(EXIFZone.seconds("-09:30") == -34_200)
    for text in ["+14:01", "-15:00", "+23:59", "+1400", "", "   :  "] {
      #expect(EXIFZone.seconds(text) == nil, "\(text)")
    }
  }
}
