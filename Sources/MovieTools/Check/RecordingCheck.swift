import AssetWriter
public import CaptureDevices
import MediaCore
import ProRes
public import Takes
import VideoRecorder

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Checks, without recording, whether a recording would work on this machine: device, format,
/// codec, encoding speed and disk speed.
public struct RecordingCheck: Sendable, Codable {
  /// One checked item.
  public struct Item: Sendable, Hashable, Codable {
    /// The item: `output`, `device`, `format`, `tier`, `timecode`, `codec`, `audio`, `channel
    /// layout`, `threads`, `encoding`, `disk`, `room`, `second disk`, `second room`. `timecode` and
    /// `channel layout` appear only if they are impossible, `threads` only if the system refuses
    /// some of the processors, and the last two only for a recording to two places.
    public var name: String
    /// False if the recording would not work, would drop frames, or would lose one of its two
    /// places.
    public var isGood: Bool
    /// The result, in one line.
    public var message: String
  }

  /// The checked items.
  public internal(set) var items: [Item] = []
  /// The device's identifier.
  public internal(set) var deviceID: String?
  /// The format.
  public internal(set) var format: String?
  /// The tier of the format as a source.
  public internal(set) var tier: FormatTier?
  /// The tier's name.
  public internal(set) var tierName: String?
  /// The frame rate of the recording: `25`, `30000/1001`.
  public internal(set) var frameRate: String?
  /// The recording's bytes per second at Apple's target rate, including audio.
  public internal(set) var neededBytesPerSecond: Double?
  /// The speed of encoding.
  public internal(set) var encoding: EncodingSpeed?
  /// The speed of the disk.
  public internal(set) var disk: DiskSpeed?
  /// How many minutes of the recording fit on the disk at Apple's target rate, the worst case.
  public internal(set) var minutesThatFit: Double?
  /// The speed of the second folder's disk; nil for a recording to one place.
  public internal(set) var secondDisk: DiskSpeed?
  /// How many minutes fit on the second folder's disk.
  public internal(set) var secondMinutesThatFit: Double?

  /// True if all items are good.
  public var isGood: Bool { items.allSatisfy(\.isGood) }

  /// A margin for the recorder's own load, and for a disk that is briefly slow.
  static let margin = 1.1

  /// Checks a request and the folders that would be recorded to. Takes about four seconds, and two
  /// more for a second folder.
  ///
  /// - Parameters:
  ///   - request: The recording to check.
  ///   - output: The movie or folder that would be recorded to, as for a recording; nil for the
  ///     working folder.
  public static func run(_ request: RecordingRequest, output: String?) async -> RecordingCheck {
    var check = RecordingCheck()
    let folder: String
    let second: SecondFolder?
    do throws(CaptureError) {
      folder = try MovieName(output: output, standardName: request.preset.fileName).folderPath
      second = try request.secondFolder(beside: output)
    } catch {
      check.add("output", false, error.message)
      return check
    }
    let setup = check.checkSelection(request)
    if let setup {
      check.checkName(output, setup)
      await check.checkEncoding(
        setup.selection.format.video, codec: setup.request.preset.video.codec,
        encoder: setup.request.encoder, rate: setup.selection.frameRate)
    }
    check.checkDisks(folder, second, reserve: request.preset.limits.minimumFreeSeconds)
    return check
  }

  mutating func add(_ name: String, _ isGood: Bool, _ message: String) {
    items.append(Item(name: name, isGood: isGood, message: message))
  }

  mutating func checkSelection(_ request: RecordingRequest) -> RecordingSetup? {
    let setup: RecordingSetup
    var part = RecordingSelection.Part.device
    do throws(CaptureError) { setup = try RecordingSetup(request, choosing: &part) } catch {
      add(Self.name(of: error, part), false, error.message)
      return nil
    }
    let selection = setup.selection
    deviceID = selection.device.uniqueID
    format = "\(selection.format)"
    tier = selection.tier
    tierName = selection.tier.displayName
    frameRate = selection.frameRate?.fraction
    let remark = selection.standInReason.map { "; the test pattern, for \($0)" } ?? ""
    add("device", true, "\(selection.device)\(remark)")
    add(
      "format", true,
      "\(selection.format) at "
        + (selection.frameRate.map { "\($0)" }
          ?? "a rate that the device does not state: \(Self.assumption)"))
    add(
      "tier", true,
      "tier \(selection.tier.rawValue): \(selection.tier.displayName)")
    add("codec", true, request.preset.video.codec.displayName)
    if let audio = selection.audioDevice, let audioFormat = selection.audioFormat?.audio {
      add(
        "audio", true,
        "\(audio), \(audioFormat.sampleRate) Hz, \(audioFormat.channelCount) channels")
    } else {
      add("audio", true, "none")
    }
    // The recording works, but on other processors.
    let refused = request.preset.threads.refusedProcessors
    if let line = ThreadOptions.warning(ofRefused: refused) { add("threads", true, line) }
    neededBytesPerSecond = setup.targetBytesPerSecond
    return setup
  }

  /// The item that a setup error belongs to.
  private static func name(of error: CaptureError, _ part: RecordingSelection.Part) -> String {
    switch part {
    case .device: "device"
    case .audio: "audio"
    case .timecode: "timecode"
    case .channelLayout: "channel layout"
    case .format:
      switch error.code {
      case .deviceNotFound, .deviceBusy, .deviceDisconnected, .permissionDenied: "device"
      case .codecUnavailable: "codec"
      default: "format"
      }
    }
  }

  /// Checks that the name is neither too long nor taken.
  mutating func checkName(_ output: String?, _ setup: RecordingSetup) {
    let names = setup.request.names
    let path: String
    do throws(CaptureError) {
      // A recording may supply values that this check does not have.
      path = try setup.movieName(
        for: output, reel: names.reel ?? "reel", scene: names.scene ?? "scene"
      ).path
    } catch {
      return add("output", false, error.message)
    }
    var facts = stat()
    guard lstat(path, &facts) == 0 else { return }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      return add("output", false, "\(path): not a regular file; name another one")
    }
    add(
      "output", true,
      "\(path) exists, and a recording would be refused; choose another name or allow overwriting")
  }

  /// The message if the device states no frame rate.
  private static let assumption =
    "\(Self.number(RecordingSetup.assumedFrameRate)) frames per second are assumed"

  mutating func checkEncoding(
    _ video: VideoFormatDescription?, codec: VideoCodecType, encoder: EncoderChoice,
    rate: FrameRate?
  ) async {
    guard let video, let layout = video.pixelFormat else {
      let kind = video.map { "\($0.mediaSubType)" } ?? "an unknown kind"
      return add(
        "encoding", true,
        "not measured: the device delivers frames of \(kind), whose decoding time is unknown"
      )
    }
    let frame = PixelBuffer.Description(
      format: layout, width: video.dimensions.width, height: video.dimensions.height,
      fieldOrder: video.fieldOrder)
    do {
      let speed = try await EncodingSpeed.measure(frame, codec: codec, encoder: encoder)
      encoding = speed
      judge(speed, rate: rate)
    } catch {
      add("encoding", false, "\(error)")
    }
  }

  mutating func judge(_ speed: EncodingSpeed, rate: FrameRate?) {
    let needed = rate?.framesPerSecond ?? RecordingSetup.assumedFrameRate
    let isFast = speed.framesPerSecond >= needed * Self.margin
    add(
      "encoding", isFast,
      "\(speed.encoder): \(Self.number(speed.framesPerSecond)) frames per second of "
        + "\(Self.number(needed)) needed" + (rate == nil ? " (\(Self.assumption))" : "")
        + (isFast ? "" : "; frames would be dropped: choose a smaller size, a lower rate or codec"))
  }

  static func number(_ value: Double) -> String {
    value < 10 ? "\((value * 10).rounded() / 10)" : "\(Int(value.rounded()))"
  }
}
