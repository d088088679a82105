public import Foundation

/// An audio input: a device of this machine.
public final class AVAudioSessionPortDescription: Sendable {
  /// The device, for use in a capture session. Not in AVFoundation.
  public let device: AVCaptureDevice

  init(_ device: AVCaptureDevice) { self.device = device }

  /// The device's display name.
  public var portName: String { device.localizedName }
  /// The device's identifier.
  public var uid: String { device.uniqueID }
  /// The kind of device: USB audio for a USB sound card, built-in microphone for any other sound card, line-in for a
  /// capture card, virtual for a generated source.
  public var portType: AVAudioSession.Port {
    if device.deviceType == .external { return .lineIn }
    guard device.deviceType == .microphone else { return .virtual }
    return device.identity.busPath?.hasPrefix("usb") == true ? .usbAudio : .builtInMic
  }
  /// The channels of the device's audio format with the most channels.
  public var channels: [AVAudioSessionChannelDescription]? {
    let counts = device.formats.compactMap { format -> Int? in
      if case .audio(let audio) = format.formatDescription { audio.channelCount } else { nil }
    }
    return (0..<(counts.max() ?? 0)).map {
      AVAudioSessionChannelDescription(owningPortUID: uid, channelNumber: $0 + 1)
    }
  }
  /// False: audio is not processed.
  public var hasHardwareVoiceCallProcessing: Bool { false }
  /// False.
  public var isSpatialAudioEnabled: Bool { false }

  /// Nil: a device's capsules are its channels.
  public var dataSources: [AVAudioSessionDataSourceDescription]? { nil }
  /// Nil, as ``dataSources``.
  public var selectedDataSource: AVAudioSessionDataSourceDescription? { nil }
  /// Nil, as ``dataSources``.
  public var preferredDataSource: AVAudioSessionDataSourceDescription? { nil }
  /// Nil has no effect.
  ///
  /// - Throws: ``AVError/Code/operationNotAllowed`` for any source, because ``dataSources`` is nil.
  public func setPreferredDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
    if dataSource != nil { throw Self.noSource }
  }

  static let noSource = AVError(
    .operationNotAllowed, "inputs have no selectable data sources")
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
  /// The channel's number, from 1.
  public let channelNumber: Int

  init(owningPortUID: String, channelNumber: Int) {
    (self.owningPortUID, self.channelNumber) = (owningPortUID, channelNumber)
  }

  /// `Channel` and the channel's number.
  public var channelName: String { "Channel \(channelNumber)" }
  /// Unknown: channel positions are not known here.
  public var channelLabel: AudioChannelLabel { kAudioChannelLabel_Unknown }
}

/// One of several capsules of a phone's microphone: no input here has any.
public final class AVAudioSessionDataSourceDescription: Sendable {
  public let dataSourceID: NSNumber
  /// The display name.
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
  /// - Throws: ``AVError/Code/operationNotAllowed``, always.
  public func setPreferredPolarPattern(_ pattern: AVAudioSession.PolarPattern?) throws {
    throw AVError(.operationNotAllowed, "inputs have no selectable polar patterns")
  }
}

extension AVAudioSessionDataSourceDescription: ComparedByIdentity {}

/// The current audio inputs and outputs.
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
