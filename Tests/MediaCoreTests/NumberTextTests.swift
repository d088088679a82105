import Foundation
import MediaCore
import Testing

@Suite struct NumberTextTests {
  @Test(arguments: [
    (0.1 + 0.2, 3, "0.3"), (12.5, 6, "12.5"), (3, 2, "3"), (-0.0004, 3, "0"), (-1.25, 1, "-1.3"),
    (0.0333667, 6, "0.033367"), (1e300, 2, "1e+300"), (.infinity, 2, "inf"), (.nan, 2, "nan"),
    (0.96, 0, "1"), (99.999, 2, "100"),
  ]) func numbers_are_rounded_to_decimals_without_trailing_zeros(
    number: Double, decimals: Int, text: String
  ) {
    #expect(number.text(decimals: decimals) == text)
  }

  @Test(arguments: [
    (6.25e-5, "0.0000625"), (4, "4"), (123_456, "123456"), (0.33333, "0.333"), (0, "0"),
    (1e-5, "0.00001"), (3.314066762026614e-5, "0.0000331"), (1.005, "1"),
  ]) func numbers_are_rounded_to_significant_digits(number: Double, text: String) {
    #expect(number.text(significantDigits: 3) == text)
  }

  @Test func times_ratios_and_ranges_are_readable() {
    #expect("\(MediaTime(value: 1001, timescale: 30_000))" == "1001/30000 (0.033367 s)")
    #expect("\(PixelAspectRatio(64, 45))" == "64:45")
    #expect((6.25e-5...4).text == "0.0000625 to 4")
  }

  @Test func decoding_faults_are_reported_with_their_key() throws {
    struct Document: Decodable {
      var days: Double
      var name: String
    }
    func reason(_ text: String) -> String? {
      let error = #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(Document.self, from: Data(text.utf8))
      }
      return error?.reason
    }
    #expect(reason("{\"days\": \"x\", \"name\": \"a\"}") == "'days' is invalid")
    #expect(reason("{\"days\": 1}") == "'name' is missing")
    #expect(reason("not at all") == "it is not JSON of the expected form")
  }
}
