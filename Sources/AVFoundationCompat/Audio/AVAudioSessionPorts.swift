public import Foundation

/// An input that sound can come from: a device of this machine.
public final class AVAudioSessionPortDescription: Sendable {
  /// The device, as capture sessions take it. Apple's has no such property.
  public let device: AVCaptureDevice

  init(_ device: AVCaptureDevice) { self.device = device }

  /// The device's name for people.
  public var portName: String { device.localizedName }
  /// The device's identifier.
  public var uid: String { device.uniqueID }
  /// What kind of device it is: a sound card by USB, another one, which stands for a built-in microphone, a capture
  /// card, or what makes its sound itself.
  public var portType: AVAudioSession.Port {
    if device.deviceType == .external { return .lineIn }
    guard device.deviceType == .microphone else { return .virtual }
    return device.identity.busPath?.hasPrefix("usb") == true ? .usbAudio : .builtInMic
  }
  /// The channels of the device's format of sound with the most of them.
  public var channels: [AVAudioSessionChannelDescription]? {
    let counts = device.formats.compactMap { format -> Int? in
      if case .audio(let sound) = format.formatDescription { sound.channelCount } else { nil }
    }
    return (0..<(counts.max() ?? 0)).map {
      AVAudioSessionChannelDescription(owningPortUID: uid, channelNumber: $0 + 1)
    }
  }
  /// False: nothing is taken out of the sound.
  public var hasHardwareVoiceCallProcessing: Bool { false }
  /// False.
  public var isSpatialAudioEnabled: Bool { false }

  /// Nil: a device's capsules are its channels.
  public var dataSources: [AVAudioSessionDataSourceDescription]? { nil }
  /// Nil, as ``dataSources``.
  public var selectedDataSource: AVAudioSessionDataSourceDescription? { nil }
  /// Nil, as ``dataSources``.
  public var preferredDataSource: AVAudioSessionDataSourceDescription? { nil }
  /// Nil changes nothing.
  ///
  /// - Throws: ``AVError/Code/operationNotAllowed`` for a source: ``dataSources`` has none.
  public func setPreferredDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
    if dataSource != nil { throw Self.noSource }
  }

  static let noSource = AVError(
    .operationNotAllowed, "an input here has no data sources to choose among")
}

extension AVAudioSessionPortDescription: Hashable, CustomStringConvertible {
  /// True for the same device.
  public static func == (
    lhs: AVAudioSessionPortDescription, rhs: AVAudioSessionPortDescription
  ) -> Bool { lhs.uid == rhs.uid }
  /// Hashes the device's identifier.
  public func hash(into hasher: inout Hasher) { hasher.combine(uid) }
  /// The device's name and identifier.
  public var description: String { device.description }
}

/// A channel of an input.
public final class AVAudioSessionChannelDescription: Sendable {
  /// The input's ``AVAudioSessionPortDescription/uid``.
  public let owningPortUID: String
  /// The channel's place, from 1.
  public let channelNumber: Int

  init(owningPortUID: String, channelNumber: Int) {
    (self.owningPortUID, self.channelNumber) = (owningPortUID, channelNumber)
  }

  /// The channel's place.
  public var channelName: String { "Channel \(channelNumber)" }
  /// Unknown: which channel is where is not known here.
  public var channelLabel: AudioChannelLabel { kAudioChannelLabel_Unknown }
}

/// One of several capsules of a phone's microphone: no input here has any.
public final class AVAudioSessionDataSourceDescription: Sendable {
  /// The number.
  public let dataSourceID: NSNumber
  /// The name for people.
  public let dataSourceName: String

  private init(_ number: Int, _ name: String) {
    (dataSourceID, dataSourceName) = (NSNumber(value: number), name)
  }

  /// Nil.
  public var location: AVAudioSession.Location? { nil }
  /// Nil.
  public var orientation: AVAudioSession.Orientation? { nil }
  /// Nil.
  public var supportedPolarPatterns: [AVAudioSession.PolarPattern]? { nil }
  /// Nil.
  public var selectedPolarPattern: AVAudioSession.PolarPattern? { nil }
  /// Nil.
  public var preferredPolarPattern: AVAudioSession.PolarPattern? { nil }
  /// - Throws: ``AVError/Code/operationNotAllowed``.
  public func setPreferredPolarPattern(_ pattern: AVAudioSession.PolarPattern?) throws {
    throw AVError(.operationNotAllowed, "no input here has polar patterns to choose among")
  }
}

extension AVAudioSessionDataSourceDescription: ComparedByIdentity {}

/// What sound comes from and goes to.
public final class AVAudioSessionRouteDescription: Sendable, Hashable {
  /// The input that is used; empty if there is none.
  public let inputs: [AVAudioSessionPortDescription]
  /// None: nothing is played here.
  public var outputs: [AVAudioSessionPortDescription] { [] }

  init(inputs: [AVAudioSessionPortDescription]) { self.inputs = inputs }

  /// True for the same devices.
  public static func == (
    lhs: AVAudioSessionRouteDescription, rhs: AVAudioSessionRouteDescription
  ) -> Bool { lhs.inputs == rhs.inputs }
  /// Hashes the devices' identifiers.
  public func hash(into hasher: inout Hasher) { hasher.combine(inputs) }
}
