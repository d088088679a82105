package import AssetReader
import MediaCore

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A file as a camera: `file:clip.mov`, `file:clip.y4m`,
/// `file:clip.v210?size=1920x1080&rate=59.94&format=v210`.
///
/// Keys after the question mark, beside those of raw video (see `AssetLocation`):
///
/// | key | values | meaning |
/// |---|---|---|
/// | `pace` | `real`, `none` | at the file's own rate, losing frames like a camera when the consumer is slow; or as fast as the consumer takes them |
/// | `loop` | `yes`, `no` | from the end on from the start, for ever |
/// | `media` | `video`, `audio` | which of the file's media the device delivers; video if there is any |
/// | `access` | `read`, `map` | raw files: read into memory of the reader's own, or mapped, which copies nothing |
///
/// The audio of a file is a separate device, ``audioCompanion``. The two share a clock while
/// both run.
package final class FileDeviceDriver: CaptureDeviceDriver {
  /// How the file is played.
  struct Playback: Sendable, Hashable {
    var isPaced = true
    var loops = false
    var mediaType: MediaType?
    var mapsRawFiles = false
  }

  /// The identity: `file:` and the text it was made from.
  package let identity: CaptureDevice.Identity
  package let location: AssetLocation
  let playback: Playback
  private let text: String

  /// A device for a file.
  ///
  /// - Parameter path: A path, and keys after a question mark; without the `file:` of identifiers.
  /// - Throws: ``CaptureError/Code/invalidArgument`` for keys that make no sense,
  ///   ``CaptureError/Code/deviceNotFound`` and others where the file cannot be read.
  package init(path: String) throws(CaptureError) {
    let name = path.hasPrefix("file:") ? String(path.dropFirst(5)) : path
    let location: AssetLocation
    do throws(AssetReaderError) { location = try AssetLocation(name) } catch {
      throw CaptureError(error)
    }
    guard !location.isStandardInput else {
      throw CaptureError(
        .invalidArgument, "standard input cannot be a camera; name a file, or use encode")
    }
    text = name
    self.location = location
    playback = try Playback(location)
    let reader = try Self.open(location, playback)
    let hasVideo = reader.tracks.contains { $0.mediaType == .video }
    let mediaType = playback.mediaType ?? (hasVideo ? .video : .audio)
    guard reader.tracks.contains(where: { $0.mediaType == mediaType }) else {
      throw CaptureError(
        .formatUnavailable,
        "\(location.displayName) contains no \(mediaType == .audio ? "audio" : "video"); "
          + "choose another file")
    }
    identity = CaptureDevice.Identity(
      uniqueID: "file:" + name,
      localizedName: String(location.path.split(separator: "/").last ?? "file"),
      manufacturer: "", modelID: reader.containerName, node: location.path, mediaType: mediaType)
  }

  /// True while the file is there and may be read.
  package var isConnected: Bool { access(location.path, R_OK) == 0 }

  /// The audio of a movie file as a separate device; nil if there is none.
  package var audioCompanion: FileDeviceDriver? {
    guard identity.mediaType == .video else { return nil }
    return try? FileDeviceDriver(path: text + (text == location.path ? "?" : "&") + "media=audio")
  }

  /// The one format that the file has.
  ///
  /// - Throws: ``CaptureError`` where the file cannot be opened or has no such track.
  package func formats() throws(CaptureError) -> [CaptureDevice.Format] {
    let reader = try Self.open(location, playback)
    let track = try Self.track(of: reader, identity.mediaType)
    return [try Self.format(of: track, in: location)]
  }

  /// Opens the file. The format must be the one that it has.
  ///
  /// - Throws: ``CaptureError/Code/formatUnavailable`` for another format or rate, and as
  ///   ``init(path:)``.
  package func openStream(
    _ request: CaptureStreamRequest
  ) throws(CaptureError) -> any CaptureStream {
    let reader = try Self.open(location, playback)
    let track = try Self.track(of: reader, identity.mediaType)
    let format = try Self.format(of: track, in: location)
    guard request.format.formatDescription == format.formatDescription else {
      throw CaptureError(
        .formatUnavailable,
        "\(location.displayName) plays as the one format it has; take it from the device's formats")
    }
    if let wanted = request.frameRate, let rate = track.frameRate, wanted != rate {
      throw CaptureError(
        .formatUnavailable,
        "\(location.displayName) plays at \(rate) frames per second, not \(wanted); "
          + "ask for its own rate")
    }
    return try FileCaptureStream(
      FileCaptureStream.Source(
        location: location, playback: playback, track: track,
        bufferCount: max(1, request.bufferCount), threads: request.threads),
      reader: reader)
  }

  static func open(
    _ location: AssetLocation, _ playback: Playback
  ) throws(CaptureError) -> AssetReader {
    var options = AssetReader.Options()
    options.mapsRawFiles = playback.mapsRawFiles
    guard location.isRegularFile != false else {
      throw CaptureError(
        .formatUnavailable,
        "\(location.displayName): not a regular file; a file device cannot play folders, pipes or devices; "
          + "encode from a pipe instead")
    }
    // The reader does not know the keys of playback.
    var source = location
    for key in Playback.keys { source.options[key] = nil }
    do throws(AssetReaderError) { return try AssetReader(source, options: options) } catch {
      throw CaptureError(error)
    }
  }

  private static func track(
    of reader: AssetReader, _ mediaType: MediaType
  ) throws(CaptureError) -> AssetTrack {
    let track = mediaType == .video ? reader.videoTrack : reader.audioTracks.first
    guard let track else {
      throw CaptureError(
        .formatUnavailable,
        "\(reader.location.displayName) no longer contains "
          + "\(mediaType == .audio ? "audio" : "video"); it has changed meanwhile")
    }
    return track
  }

  private static func format(
    of track: AssetTrack, in location: AssetLocation
  ) throws(CaptureError) -> CaptureDevice.Format {
    if track.mediaType == .video, track.video?.pixelFormat == nil {
      throw CaptureError(
        .formatUnavailable,
        "\(location.displayName): unsupported video, \(track.codecName) (\(track.sourceFormatName)); "
          + "convert the file")
    }
    return CaptureDevice.Format(
      formatDescription: track.formatDescription, nativeCode: track.codecTag,
      frameRates: track.frameRate.map { [$0] } ?? [])
  }
}

extension FileDeviceDriver.Playback {
  static let keys = ["pace", "loop", "media", "access"]

  /// The playback that the keys of a location ask for.
  init(_ location: AssetLocation) throws(CaptureError) {
    for (key, value) in location.options.sorted(by: { $0.key < $1.key }) {
      switch (key, value) {
      case ("pace", "real"): isPaced = true
      case ("pace", "none"): isPaced = false
      case ("loop", "yes"), ("loop", "1"), ("loop", "true"): loops = true
      case ("loop", "no"), ("loop", "0"), ("loop", "false"): loops = false
      case ("media", "video"): mediaType = .video
      case ("media", "audio"): mediaType = .audio
      case ("access", "read"): mapsRawFiles = false
      case ("access", "map"): mapsRawFiles = true
      default:
        throw CaptureError.option(
          value.isEmpty ? key : "\(key)=\(value)", of: "file device \(location.path)",
          forms: [
            "pace=real|none", "loop=yes|no", "media=video|audio", "access=read|map",
            "size=1920x1080", "rate=25", "format=v210", "color=bt709", "range=video|full",
            "fields=progressive|top-field-first|bottom-field-first",
          ])
      }
    }
  }
}

extension CaptureError {
  /// What the reader of a file said, in capture's terms.
  init(_ error: AssetReaderError) {
    let code: Code =
      switch error.code {
      case .fileNotFound: .deviceNotFound
      case .permissionDenied: .permissionDenied
      case .invalidArgument: .invalidArgument
      case .invalidState: .invalidState
      case .notAMovie, .noSuchTrack, .unsupported: .formatUnavailable
      default: .deviceFailed
      }
    self.init(code, from: error)
  }
}
