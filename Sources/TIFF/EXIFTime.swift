package import Foundation

/// Parses EXIF date and time, as in `DateTimeOriginal`: `2026:11:21 10:00:00`.
package enum EXIFTime {
  /// The instant; nil for a date or time that does not exist, and for any other text.
  package static func date(_ text: String, in zone: TimeZone) -> Date? {
    let parts = text.split { $0 == ":" || $0 == " " }.map { Int($0) }
    let numbers = parts.compactMap(\.self)
    guard parts.count == 6, numbers.count == 6, (1...9999).contains(numbers[0]),
      (1...12).contains(numbers[1]), (1...31).contains(numbers[2]), (0...23).contains(numbers[3]),
      (0...59).contains(numbers[4]), (0...60).contains(numbers[5])
    else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let date = calendar.date(
      from: DateComponents(
        year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3],
        minute: numbers[4], second: numbers[5]))
    // Calendar would turn February 30 into a day in March.
    guard let date, numbers[5] == 60 || calendar.component(.day, from: date) == numbers[2] else {
      return nil
    }
    return date
  }
}
