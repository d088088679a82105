import FoundationEssentials
import MediaCore

/// An ISO 8601 date and time, such as `2026-11-23T09:30:00Z`, with `Z` or an offset, and with or without a
/// fraction of a second.
enum ISOMoment {
  /// Seconds since 1970; nil for a text of another form, and for a moment that is in no calendar.
  static func unixTime(_ text: String) -> Double? {
    let form = #/(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d{1,9})?(Z|[+-]\d\d:?\d\d)/#
    guard let match = text.wholeMatch(of: form), let year = Int(match.1), year > 0,
      let month = Int(match.2), (1...12).contains(month), let day = Int(match.3), day > 0,
      let hour = Int(match.4), hour < 24, let minute = Int(match.5), minute < 60,
      let second = Int(match.6), second < 60, let offset = offset(match.8)
    else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let date = calendar.date(
      from: DateComponents(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second))
    // To the calendar the 31st of November is a day in December.
    guard let date, calendar.component(.day, from: date) == day else { return nil }
    let fraction = match.7.flatMap { Double("0\($0)") } ?? 0
    return date.timeIntervalSince1970 - Double(offset) + fraction
  }

  /// The date and time in UTC. Milliseconds are left out if they are zero.
  static func text(_ unixTime: Double) -> String {
    let all = Int64(saturating: (unixTime * 1000).rounded())
    let (seconds, milliseconds) = (all / 1000, all % 1000)
    let text = JSONDocument.date(unixTime: seconds)
    // A moment before 1970 is past, and is refused by its date.
    guard milliseconds > 0 else { return text }
    return "\(text.dropLast()).\(String(1000 + milliseconds).dropFirst())Z"
  }

  /// Seconds east of Greenwich; nil for more than any clock is off.
  private static func offset(_ text: Substring) -> Int? {
    guard text != "Z" else { return 0 }
    let digits = text.dropFirst().filter { $0 != ":" }
    guard let hours = Int(digits.prefix(2)), let minutes = Int(digits.suffix(2)), hours <= 14,
      minutes < 60
    else { return nil }
    return (text.first == "-" ? -60 : 60) * (60 * hours + minutes)
  }
}
