package import Foundation
import MediaCore
package import TIFF

extension PhotoMetadata {
  /// Adds the entries of TIFF's own directory.
  package func addTIFFEntries(to directory: inout TIFFDirectory) {
    directory[.orientation] = .short(Int(orientation.rawValue))
    directory[.software] = .ascii(software)
    let texts: [(TIFFTag, String?)] = [
      (.make, make), (.model, model), (.artist, artist), (.copyright, copyright),
      (.imageDescription, imageDescription),
    ]
    for case (let tag, .some(let text)) in texts { directory[tag] = .ascii(text) }
    if let date { directory[.dateTime] = .ascii(Self.text(date, timeZone)) }
    directory.linked[.exifIFD] = exifDirectory
    if let gps = gpsDirectory { directory.linked[.gpsIFD] = gps }
  }

  var exifDirectory: TIFFDirectory {
    var exif = TIFFDirectory()
    exif.entries = carried.exif
    exif[.exifVersion] = .undefined(Array("0232".utf8))
    let numbers: [(TIFFTag, Double?)] = [
      (.exposureTime, exposureTime), (.fNumber, fNumber), (.focalLength, focalLength),
    ]
    for case (let tag, .some(let number)) in numbers { exif[tag] = .rationals([.init(number)]) }
    if let isoSpeed, isoSpeed >= 0 {
      // EXIF 2.32, 4.6.5: a speed that exceeds 16 bits is stored as the recommended exposure index.
      let speed = Int(min(isoSpeed, Double(UInt32.max)).rounded())
      exif[.isoSpeed] = .short(min(speed, 65_535))
      if speed > 65_535 {
        exif[.sensitivityType] = .short(2)
        exif[.recommendedExposureIndex] = .long(speed)
      }
    }
    if let exposureBias { exif[.exposureBias] = .signedRationals([.init(exposureBias)]) }
    if let lensModel { exif[.lensModel] = .ascii(lensModel) }
    if let serialNumber { exif[.bodySerialNumber] = .ascii(serialNumber) }
    if let date {
      exif[.dateTimeOriginal] = .ascii(Self.text(date, timeZone))
      if isTimeZoneKnown { exif[.offsetTimeOriginal] = .ascii(Self.offset(date, timeZone)) }
      let seconds = date.timeIntervalSince1970
      let thousandths = Int(((seconds - seconds.rounded(.down)) * 1000).rounded())
      // A fraction that would round up to the next second is 999 thousandths, because the date was rounded down.
      if thousandths > 0 {
        exif[.subSecTimeOriginal] = .ascii(Self.padded(min(thousandths, 999), 3))
      }
    }
    return exif
  }

  /// The GPS directory; nil if nothing is known of the location.
  private var gpsDirectory: TIFFDirectory? {
    guard location != nil || !carried.gps.isEmpty else { return nil }
    var gps = TIFFDirectory()
    gps.entries = carried.gps
    gps[.gpsVersion] = .bytes([2, 3, 0, 0])
    if let location { Self.add(location, to: &gps) }
    return gps
  }

  private static func add(_ location: Location, to gps: inout TIFFDirectory) {
    // The angle is rounded as a whole, because parts rounded separately may reach 60.
    func angle(_ degrees: Double) -> TIFFValue {
      let perMinute = 60 * 1_000_000
      let microseconds = Int(saturating: (abs(degrees) * Double(60 * perMinute)).rounded())
      let (minutes, rest) = microseconds.quotientAndRemainder(dividingBy: perMinute)
      return .rationals([
        .init(Double(minutes / 60)), .init(Double(minutes % 60)), .init(Double(rest) / 1_000_000),
      ])
    }
    gps[.gpsLatitudeRef] = .ascii(location.latitude < 0 ? "S" : "N")
    gps[.gpsLatitude] = angle(location.latitude)
    gps[.gpsLongitudeRef] = .ascii(location.longitude < 0 ? "W" : "E")
    gps[.gpsLongitude] = angle(location.longitude)
    if let altitude = location.altitude {
      gps[.gpsAltitudeRef] = .bytes([altitude < 0 ? 1 : 0])
      gps[.gpsAltitude] = .rationals([.init(abs(altitude))])
    }
  }

  private static func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(digits - text.count, 0)) + text
  }

  /// A date in EXIF's form: `2026:11:21 10:00:00`.
  package static func text(_ date: Date, _ zone: TimeZone) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let parts = calendar.dateComponents(
      [.year, .month, .day, .hour, .minute, .second], from: date)
    let day = [(parts.year ?? 0, 4), (parts.month ?? 0, 2), (parts.day ?? 0, 2)]
    let time = [(parts.hour ?? 0, 2), (parts.minute ?? 0, 2), (parts.second ?? 0, 2)]
    return day.map { padded($0.0, $0.1) }.joined(separator: ":") + " "
      + time.map { padded($0.0, $0.1) }.joined(separator: ":")
  }

  private static func offset(_ date: Date, _ zone: TimeZone) -> String {
    let minutes = zone.secondsFromGMT(for: date) / 60
    return (minutes < 0 ? "-" : "+") + padded(abs(minutes) / 60, 2) + ":"
      + padded(abs(minutes) % 60, 2)
  }
}
