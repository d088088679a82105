import AssetWriter
public import CaptureDevices
import MediaCore
import ProRes
import QuickTime
public import Takes
import VideoRecorder

/// Tells whether a recording would work on this machine, without recording: device, format, codec,
/// speed of encoding and of the disk.
public struct RecordingCheck: Sendable, Codable {
  /// One question and its answer.
  public struct Item: Sendable, Hashable, Codable {
    /// What was asked: `output`, `device`, `format`, `tier`, `codec`, `audio`, `threads`, `encoding`,
    /// `disk`, `room`. `threads` is there where the system refuses some of the processors.
    public var name: String
    /// False where the recording would not work, or would drop frames.
    public var isGood: Bool
    /// The answer, in one line.
    public var message: String
  }

  /// The answers.
  public private(set) var items: [Item] = []
  /// The device's identifier.
  public private(set) var deviceID: String?
  /// The format.
  public private(set) var format: String?
  /// How good a source the format is.
  public private(set) var tier: FormatTier?
  /// The tier in words.
  public private(set) var tierName: String?
  /// Frames a second of the recording: `25`, `30000/1001`.
  public private(set) var frameRate: String?
  /// Bytes a second of the recording at Apple's target rate, audio included.
  public private(set) var neededBytesPerSecond: Double?
  /// The speed of encoding.
  public private(set) var encoding: EncodingSpeed?
  /// The speed of the disk.
  public private(set) var disk: DiskSpeed?
  /// Minutes of the recording that fit on the disk at Apple's target rate, the worst case.
  public private(set) var minutesThatFit: Double?

  /// True where all is good.
  public var isGood: Bool { items.allSatisfy(\.isGood) }

  /// Room for what the recorder itself needs of the machine, and for a disk that has a bad second.
  private static let margin = 1.1

  /// Checks a request, and the folder that would be recorded to. Takes some four seconds.
  ///
  /// - Parameters:
  ///   - request: The recording to check.
  ///   - output: The movie or folder that would be recorded to, as a recording takes it; nil for the
  ///     working folder.
  public static func run(_ request: RecordingRequest, output: String?) async -> RecordingCheck {
    var check = RecordingCheck()
    let folder: String
    do throws(CaptureError) {
      folder = try MovieName(output: output, standardName: request.preset.fileName).folderPath
    } catch {
      check.add("output", false, error.message)
      return check
    }
    guard let setup = check.checkSelection(request) else {
      check.checkDisk(folder)
      return check
    }
    await check.checkEncoding(setup)
    check.checkDisk(folder, reserve: request.preset.limits.minimumFreeSeconds)
    return check
  }

  private mutating func add(_ name: String, _ isGood: Bool, _ message: String) {
    items.append(Item(name: name, isGood: isGood, message: message))
  }

  private mutating func checkSelection(_ request: RecordingRequest) -> RecordingSetup? {
    let setup: RecordingSetup
    do throws(CaptureError) { setup = try RecordingSetup(request) } catch {
      let name =
        switch error.code {
        case .deviceNotFound, .deviceBusy, .deviceDisconnected, .permissionDenied: "device"
        case .codecUnavailable: "codec"
        default: "format"
        }
      add(name, false, error.message)
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
      "\(selection.format) at \(selection.frameRate.map { "\($0)" } ?? "an unknown rate")")
    add(
      "tier", true,
      "tier \(selection.tier.rawValue): \(selection.tier.displayName)")
    add("codec", true, request.preset.video.codec.displayName)
    var soundBytes = 0.0
    if let audio = selection.audioDevice, let sound = selection.audioFormat?.audio {
      add("audio", true, "\(audio), \(sound.sampleRate) Hz, \(sound.channelCount) channels")
      soundBytes = Double(sound.bytesPerFrame * sound.sampleRate)
    } else {
      add("audio", true, "none")
    }
    // The recording works, on other processors.
    let refused = request.preset.threads.refusedProcessors
    if let line = ThreadOptions.warning(ofRefused: refused) { add("threads", true, line) }
    neededBytesPerSecond = setup.targetBytesPerSecond + soundBytes
    return setup
  }

  private mutating func checkEncoding(_ setup: RecordingSetup) async {
    guard let video = setup.selection.format.video, let layout = video.pixelFormat else { return }
    let picture = PixelBuffer.Description(
      format: layout, width: video.dimensions.width, height: video.dimensions.height,
      fieldOrder: video.fieldOrder)
    do {
      let speed = try await EncodingSpeed.measure(
        picture, codec: setup.request.preset.video.codec, encoder: setup.request.encoder)
      encoding = speed
      let needed = setup.selection.frameRate?.framesPerSecond ?? 30
      add(
        "encoding", speed.framesPerSecond >= needed * Self.margin,
        "\(speed.encoder): \(Self.number(speed.framesPerSecond)) frames per second of "
          + "\(Self.number(needed)) needed"
          + (speed.framesPerSecond >= needed * Self.margin
            ? "" : "; frames would be dropped: choose a smaller size, a lower rate or codec"))
    } catch {
      add("encoding", false, "\(error)")
    }
  }

  /// - Parameter reserve: Seconds of the recording that are left free.
  private mutating func checkDisk(_ folder: String, reserve: Double = 0) {
    do throws(QuickTimeError) {
      let speed = try DiskSpeed.measure(folder: folder)
      disk = speed
      let needed = neededBytesPerSecond ?? 0
      let isFast = speed.bytesPerSecond >= needed * Self.margin
      add(
        "disk", isFast,
        "\(Self.number(speed.bytesPerSecond / 1e6)) MB/s"
          + (needed > 0 ? " of \(Self.number(needed / 1e6)) MB/s needed" : "")
          + ", at most \(Self.number(speed.slowestWriteMilliseconds)) ms for a write"
          + (isFast ? "" : "; record to a faster disk or with a lower codec"))
      guard needed > 0 else { return }
      let seconds = DiskRoom.seconds(
        freeBytes: speed.freeBytes, bytesPerSecond: needed, reserveSeconds: reserve)
      let minutes = (seconds ?? 0) / 60
      minutesThatFit = minutes
      add(
        "room", minutes >= 1,
        "\(Self.number(minutes)) minutes fit in the worst case, Apple's target rate ("
          + "\(Self.number(Double(speed.freeBytes) / 1e9)) GB free); the live line of a "
          + "recording shows those at the present rate as well")
    } catch {
      add("disk", false, error.message)
    }
  }

  private static func number(_ value: Double) -> String {
    value < 10 ? "\((value * 10).rounded() / 10)" : "\(Int(value.rounded()))"
  }
}
