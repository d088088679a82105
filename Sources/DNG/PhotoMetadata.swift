public import Foundation

/// A photo's metadata.
public struct PhotoMetadata: Sendable, Hashable {
  /// How to turn the image for viewing; raw values are those of TIFF and EXIF.
  public enum Orientation: UInt16, Sendable, Hashable, CaseIterable, Codable {
    /// Not to be turned.
    case up = 1
    /// To be mirrored left to right.
    case upMirrored = 2
    /// To be turned by 180°.
    case down = 3
    /// To be mirrored top to bottom.
    case downMirrored = 4
    /// To be mirrored left to right, then turned a quarter counterclockwise.
    case leftMirrored = 5
    /// To be turned a quarter clockwise.
    case right = 6
    /// To be mirrored left to right, then turned a quarter clockwise.
    case rightMirrored = 7
    /// To be turned a quarter counterclockwise.
    case left = 8
  }

  /// A geographic location.
  public struct Location: Sendable, Hashable {
    /// Latitude in degrees, north positive.
    public var latitude: Double
    /// Longitude in degrees, east positive.
    public var longitude: Double
    /// Altitude in metres above sea level; nil if unknown.
    public var altitude: Double?

    public init(latitude: Double, longitude: Double, altitude: Double? = nil) {
      self.latitude = latitude
      self.longitude = longitude
      self.altitude = altitude
    }
  }

  /// The maker of the camera.
  public var make: String?
  /// The model of the camera.
  public var model: String?
  /// The camera's serial number.
  public var serialNumber: String?
  /// The lens.
  public var lensModel: String?
  /// The program that made the file.
  public var software = "recordctl"
  /// The photographer.
  public var artist: String?
  /// The copyright notice.
  public var copyright: String?
  /// A caption.
  public var imageDescription: String?
  /// The start of the exposure.
  public var date: Date?
  /// The time zone in which the date is written.
  public var timeZone = TimeZone.current
  /// False if a file states a date without a time zone: the date is then read and written in UTC, without an
  /// offset.
  public var isTimeZoneKnown = true
  /// Exposure time in seconds.
  public var exposureTime: Double?
  /// The lens's f-number.
  public var fNumber: Double?
  /// The ISO speed.
  public var isoSpeed: Double?
  /// Focal length in millimetres.
  public var focalLength: Double?
  /// Exposure bias in EV, such as within a bracket.
  public var exposureBias: Double?
  /// Where the photo was taken.
  public var location: Location?
  /// How to turn the image for viewing.
  public var orientation = Orientation.up
  /// Further metadata from a source, copied unchanged.
  package var carried = CarriedEntries()

  /// Empty metadata.
  public init() {}
}
