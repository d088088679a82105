import Foundation
import MediaCore
import SystemPackage

/// A capture device of a sound card, through libasound.
package final class ALSADeviceDriver: CaptureDeviceDriver {
  /// The identity: `alsa:usb-0000:00:14.0-2` by its place on the bus, or `alsa:Loopback,1` by
  /// its card's id. The number of the device on its card follows a comma unless it is 0.
  package let identity: CaptureDevice.Identity
  /// The name under which the device was found, or was asked for.
  private let pcmName: String
  private let info: ALSADeviceInfo?
  private let system: any ALSASystem

  /// The rates that are looked for, the usual one first.
  static let sampleRates = [48_000, 96_000, 44_100, 192_000, 88_200, 176_400, 32_000]
  /// The number of channels that a movie's audio can have.
  private static let channelCounts = 1...16

  /// The capture devices of the sound cards that are present.
  package static func discover() -> [CaptureDevice] {
    drivers(LibALSA()).map { CaptureDevice(driver: $0) }
  }

  static func drivers(_ system: any ALSASystem) -> [ALSADeviceDriver] {
    ((try? system.devices()) ?? []).map { ALSADeviceDriver($0, system: system) }
  }

  /// The device that an identifier names: the `uniqueID` of one that is present, or the name of a
  /// PCM of ALSA's configuration: `alsa:hw:1,0`, `alsa:hw:CARD=Loopback,DEV=1`, `alsa:default`.
  ///
  /// - Throws: ``CaptureError/Code/deviceNotFound``, listing what is present.
  package convenience init(identifier: String) throws(CaptureError) {
    try self.init(identifier: identifier, system: LibALSA())
  }

  convenience init(identifier: String, system: any ALSASystem) throws(CaptureError) {
    let name = identifier.hasPrefix("alsa:") ? String(identifier.dropFirst(5)) : identifier
    let present: [ALSADeviceInfo]
    do throws(ALSAFailure) {
      present = try system.devices()
    } catch {
      throw CaptureError(alsa: error, device: identifier)
    }
    if let match = present.first(where: { Self.names($0).contains(name) }) {
      self.init(match, system: system)
    } else if ["hw:", "plughw:"].contains(where: name.hasPrefix) || name == "default" {
      self.init(pcmName: name, system: system)
    } else {
      let known = present.map { Self.uniqueID($0) }.joined(separator: ", ")
      throw CaptureError(
        .deviceNotFound,
        known.isEmpty
          ? "audio device '\(identifier)' not found; no sound card is present"
          : "audio device '\(identifier)' not found"
            + Suggestion.remark(on: identifier, among: present.map { Self.uniqueID($0) })
            + "; present: \(known)")
    }
  }

  init(_ info: ALSADeviceInfo, system: any ALSASystem) {
    self.info = info
    self.system = system
    pcmName = info.pcmName
    identity = CaptureDevice.Identity(
      uniqueID: Self.uniqueID(info),
      localizedName: info.deviceName.isEmpty || info.deviceName == info.cardName
        ? info.cardName : "\(info.cardName): \(info.deviceName)",
      modelID: info.driver, node: "hw:\(info.cardID),\(info.device)", busPath: info.busPath,
      mediaType: .audio)
  }

  private init(pcmName: String, system: any ALSASystem) {
    info = nil
    self.system = system
    self.pcmName = pcmName
    identity = CaptureDevice.Identity(
      uniqueID: "alsa:\(pcmName)", localizedName: "ALSA \(pcmName)", node: pcmName,
      mediaType: .audio)
  }

  private static func uniqueID(_ info: ALSADeviceInfo) -> String {
    let place = info.usbPath ?? info.cardID
    return "alsa:\(place)" + (info.device == 0 ? "" : ",\(info.device)")
  }

  /// What a device may be called after `alsa:`.
  private static func names(_ info: ALSADeviceInfo) -> [String] {
    let base = [info.usbPath, info.cardID].compactMap(\.self)
    let numbered = base.map { "\($0),\(info.device)" }
    let hardware = ["hw:\(info.cardID),\(info.device)", info.pcmName]
    return numbered + hardware + (info.device == 0 ? base + ["hw:\(info.cardID)"] : [])
  }

  /// False once the card is gone; true where the system cannot be asked: whoever opens the card
  /// hears why.
  package var isConnected: Bool {
    guard let info, let present = try? system.devices() else { return true }
    return present.contains { Self.uniqueID($0) == Self.uniqueID(info) }
  }

  /// The device's formats: 48 kHz, 24 bits, and stereo first. A device that can store 24 bits in
  /// three bytes or in four offers them once.
  ///
  /// - Throws: ``CaptureError/Code/deviceBusy`` if another program uses it, because ALSA does not list the formats of
  ///   a device that is in use; ``CaptureError/Code/formatUnavailable`` for one that only has more
  ///   channels than a movie can hold.
  package func formats() throws(CaptureError) -> [CaptureDevice.Format] {
    let port = try openPort()
    let capabilities = try capabilities(of: port, Self.channelCounts)
    if capabilities.allSatisfy(\.channelCounts.isEmpty) { try refuseWideDevice(port) }
    var formats: [CaptureDevice.Format] = []
    let order: [AudioFormat.SampleFormat] = [.int24, .int32, .int16]
    for rate in Self.sampleRates {
      for sampleFormat in order {
        let able = capabilities.filter {
          $0.format.sampleFormat == sampleFormat && $0.sampleRates.contains(rate)
        }
        let channels = Set(able.flatMap(\.channelCounts))
        for count in channels.sorted(by: { $0 == 2 || ($1 != 2 && $0 < $1) }) {
          formats.append(
            CaptureDevice.Format(
              formatDescription: .audio(
                AudioFormat(
                  sampleRate: rate, channelCount: count, sampleFormat: sampleFormat))))
        }
      }
    }
    return formats
  }

  private func openPort() throws(CaptureError) -> any ALSAPort {
    do throws(ALSAFailure) {
      return try system.open(try presentName())
    } catch {
      throw CaptureError(alsa: error, device: identity.uniqueID)
    }
  }

  /// The name under which the device is opened now. Cards that are alike have their ids by the order of their
  /// arrival: after a replug a card's old id may be another one's.
  private func presentName() throws(ALSAFailure) -> String {
    guard let info, info.usbPath != nil else { return pcmName }
    let present = try system.devices()
    guard let match = present.first(where: { Self.uniqueID($0) == identity.uniqueID }) else {
      throw ALSAFailure(errno: .operationNotSupportedByDevice, call: "snd_card_next")
    }
    return match.pcmName
  }

  /// Refuses a device that has no fewer channels than a movie can have: MADI, audio over networks.
  private func refuseWideDevice(_ port: any ALSAPort) throws(CaptureError) {
    let least = Self.channelCounts.upperBound + 1
    let wide = try capabilities(of: port, least...256).flatMap(\.channelCounts).min()
    guard let wide else { return }
    let remedy =
      pcmName.hasPrefix("hw:") ? "record alsa:plug\(pcmName) for its first channels, or " : ""
    throw CaptureError(
      .formatUnavailable,
      "\(identity.uniqueID) has at least \(wide) channels, and a movie has at most \(least - 1); "
        + remedy + "choose another audio device")
  }

  private func capabilities(
    of port: any ALSAPort, _ channelCounts: ClosedRange<Int>
  ) throws(CaptureError) -> [ALSACapability] {
    do throws(ALSAFailure) {
      return try port.capabilities(rates: Self.sampleRates, channelCounts: channelCounts)
    } catch {
      throw CaptureError(alsa: error, device: identity.uniqueID)
    }
  }

  /// Takes the device.
  ///
  /// - Throws: ``CaptureError/Code/deviceBusy``, ``CaptureError/Code/permissionDenied``,
  ///   ``CaptureError/Code/deviceNotFound``, ``CaptureError/Code/formatUnavailable``, and
  ///   ``CaptureError/Code/deviceDisconnected`` where no card is at the device's place on the bus.
  package func openStream(
    _ request: CaptureStreamRequest
  ) throws(CaptureError) -> any CaptureStream {
    guard let wanted = request.format.audio else {
      throw CaptureError(
        .formatUnavailable,
        "\(identity.uniqueID) delivers audio only; choose one of its audio formats")
    }
    let port = try openPort()
    let able = try capabilities(of: port, Self.channelCounts).first {
      $0.format.sampleFormat == wanted.sampleFormat && $0.sampleRates.contains(wanted.sampleRate)
        && $0.channelCounts.contains(wanted.channelCount)
    }
    guard let able else {
      throw CaptureError(
        .formatUnavailable,
        "\(identity.uniqueID) does not offer \(wanted.channelCount) channels of "
          + "\(wanted.sampleFormat.bitDepth) bits at \(wanted.sampleRate) Hz; "
          + "choose another of the device's formats")
    }
    // A hundredth of a second per buffer, half a second of buffers.
    let configuration = ALSAConfiguration(
      format: able.format, sampleRate: wanted.sampleRate, channelCount: wanted.channelCount,
      periodFrames: wanted.sampleRate / 100, bufferFrames: wanted.sampleRate / 2)
    do throws(ALSAFailure) {
      return ALSAStream(
        port, name: identity.uniqueID, try port.configure(configuration), threads: request.threads)
    } catch {
      if error.errno == .invalidArgument {
        throw CaptureError(
          .formatUnavailable,
          "\(identity.uniqueID) refuses \(wanted.channelCount) channels of "
            + "\(wanted.sampleFormat.bitDepth) bits at \(wanted.sampleRate) Hz together; "
            + "choose another of its formats", errno: error.errno)
      }
      throw CaptureError(alsa: error, device: identity.uniqueID)
    }
  }
}
