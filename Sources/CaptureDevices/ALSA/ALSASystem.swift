import MediaCore
import SystemPackage

/// How a device stores its samples.
enum ALSASampleFormat: String, Sendable, Hashable, CaseIterable {
  case s16 = "S16_LE"
  /// 24 bits in three bytes.
  case s24Packed = "S24_3LE"
  /// 24 bits at the bottom of four bytes.
  case s24 = "S24_LE"
  case s32 = "S32_LE"

  /// What the samples are once the padding is gone.
  var sampleFormat: AudioFormat.SampleFormat {
    switch self {
    case .s16: .int16
    case .s24Packed, .s24: .int24
    case .s32: .int32
    }
  }

  /// Bytes of a stored sample.
  var byteCount: Int { self == .s24 ? 4 : sampleFormat.byteCount }
}

/// A capture device of a sound card.
struct ALSADeviceInfo: Sendable, Hashable {
  /// The card's id, such as `Loopback`: stable, but numbered by arrival where cards are alike.
  var cardID: String
  /// The card's name for people.
  var cardName: String
  /// The card's long name, which for USB holds the bus path.
  var cardLongName: String
  /// The card's driver.
  var driver: String
  /// The address of a card on a PCI bus: `0000:03:00.0`; nil for another one.
  var pciAddress: String?
  /// The number of the device on its card.
  var device: Int
  /// The device's own name.
  var deviceName: String

  /// The name to open it by.
  var pcmName: String { "hw:CARD=\(cardID),DEV=\(device)" }

  /// The bus path of a USB card, as the kernel writes it: `usb-0000:00:14.0-2`.
  var usbPath: String? {
    cardLongName.split(separator: " ").first { $0.hasPrefix("usb-") }.map {
      String($0.prefix { $0 != "," })
    }
  }

  /// Where the card is attached, where that is known.
  var busPath: String? { usbPath ?? pciAddress.map { "PCI:" + $0 } }
}

/// What a device can do with one way to store samples.
struct ALSACapability: Sendable, Hashable {
  var format: ALSASampleFormat
  var sampleRates: [Int]
  var channelCounts: [Int]
}

/// What a stream is set to.
struct ALSAConfiguration: Sendable, Hashable {
  var format: ALSASampleFormat
  var sampleRate: Int
  var channelCount: Int
  /// Frames from one wake-up to the next.
  var periodFrames: Int
  /// Frames that the ring holds.
  var bufferFrames: Int
}

/// A call to libasound that failed.
struct ALSAFailure: Error, Hashable {
  var errno: Errno
  /// The call that failed.
  var call: String
}

/// The calls to libasound that find and open devices. Tests put another one in its place.
protocol ALSASystem: Sendable {
  /// The capture devices that are present.
  func devices() throws(ALSAFailure) -> [ALSADeviceInfo]
  /// Opens a device for capture, without waiting for it.
  func open(_ pcmName: String) throws(ALSAFailure) -> any ALSAPort
}

/// The calls to libasound on an open device. Used by one thread at a time; closed when it goes.
protocol ALSAPort: AnyObject {
  func capabilities(
    rates: [Int], channelCounts: ClosedRange<Int>
  ) throws(ALSAFailure) -> [ALSACapability]
  /// Configures the device, and returns the period and buffer that it actually uses.
  func configure(_ wanted: ALSAConfiguration) throws(ALSAFailure) -> ALSAConfiguration
  func start() throws(ALSAFailure)
  /// Makes a device ready to start that ran over or was suspended.
  func prepare() throws(ALSAFailure)
  /// False where nothing came within the time.
  func wait(milliseconds: Int32) throws(ALSAFailure) -> Bool
  /// Frames that are ready, and when that was, on CLOCK_MONOTONIC; no time where the driver tells
  /// none.
  func timestamp() throws(ALSAFailure) -> (frames: Int, nanoseconds: Int64?)
  /// Reads frames as they are stored; gives back how many.
  func read(
    into bytes: UnsafeMutableRawBufferPointer, frames: Int
  ) throws(ALSAFailure) -> Int
  /// Stops at once and forgets what is in the ring.
  func drop()
}
