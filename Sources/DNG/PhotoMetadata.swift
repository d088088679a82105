public import Foundation

/// A photo's metadata.
public struct PhotoMetadata: Sendable, Hashable {
  /// How to turn the picture for viewing; raw values are those of TIFF and EXIF.
  public enum Orientation: UInt16, Sendable, Hashable, CaseIterable, Codable {
    /// Stored upright.
    case up = 1
    /// Stored mirrored left to right.
    case upMirrored = 2
    /// Stored upside down: turn it by 180°.
    case down = 3
    /// Stored mirrored top to bottom.
    case downMirrored = 4
    /// Mirrored, and turned a quarter counterclockwise.
    case leftMirrored = 5
    /// To be turned a quarter clockwise.
    case right = 6
    /// Mirrored, and turned a quarter clockwise.
    case rightMirrored = 7
    /// To be turned a quarter counterclockwise.
    case left = 8
  }

  /// A place on the earth.
  public struct Location: Sendable, Hashable {
    /// Degrees, north positive.
    public var latitude: Double
    /// Degrees, east positive.
    public var longitude: Double
    /// Metres above the sea, where known.
    public var altitude: Double?

    /// A place.
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
  /// Who has the rights.
  public var copyright: String?
  /// A caption.
  public var imageDescription: String?
  /// When the exposure began.
  public var date: Date?
  /// The zone that the date is written in.
  public var timeZone = TimeZone.current
  /// False where a file says a date and no zone: it is read and written in universal time then, and no
  /// offset is written.
  public var isTimeZoneKnown = true
  /// Seconds of exposure.
  public var exposureTime: Double?
  /// The lens's f-number.
  public var fNumber: Double?
  /// The sensitivity, as an ISO speed.
  public var isoSpeed: Double?
  /// Millimetres.
  public var focalLength: Double?
  /// The exposure's place in a bracket, EV.
  public var exposureBias: Double?
  /// Where the picture was taken.
  public var location: Location?
  /// How it is to be turned.
  public var orientation = Orientation.up
  /// What a source says beyond these, and is passed on.
  package var carried = CarriedEntries()

  /// Nothing said.
  public init() {}
}
