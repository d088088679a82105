import AssetReader
import Foundation
import MediaCore
import QuickTime

/// Finds out what a file is, and whether it suits its resource type.
struct MediaInspector: Sendable {
  let files: LibraryFiles

  /// The facts of a file.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidResource`` if its content does not match `type`.
  func facts(
    _ path: String, as type: AssetResourceType, name: String
  ) throws(MediaLibraryError) -> MediaFacts {
    switch type {
    case .adjustmentData, .companion: return MediaFacts()
    case .photo, .photoProxy, .alternatePhoto, .fullSizePhoto, .adjustmentBasePhoto:
      let reader = try HeaderReader(path, files)
      if let facts = try image(reader) { return facts }
      if reader.status.isRegularFile, let asset = try? AssetReader(AssetLocation(path: path)),
        let facts = Self.still(asset)
      {
        return facts
      }
      throw MediaLibraryError(
        .invalidResource,
        "\(name): unsupported image format; JPEG, PNG, TIFF, DNG, HEIF, JPEG XL, RAW and formats "
          + "that libavcodec reads, such as EXR, are supported")
    case .video, .pairedVideo, .fullSizeVideo, .fullSizePairedVideo, .adjustmentBaseVideo,
      .adjustmentBasePairedVideo, .segment:
      return try movie(path, name: name)
    case .audio: return try audioFacts(path, name: name)
    }
  }

  /// The content type of a file.
  struct Identity: Sendable {
    /// Photo, video or audio.
    var type: AssetResourceType
    /// Its size in bytes.
    var size: Int64
    /// Its facts, if they were read anyway: for photos, and for complete movies.
    var inspected: InspectedFile?
    /// What is wrong with it although it can be added, worded to follow a colon.
    var flaw: String?

    /// The facts of a photo.
    var image: MediaFacts? { type == .photo ? inspected?.facts : nil }
  }

  /// The content type of a file: photo, video or audio; nil for anything else.
  ///
  /// - Throws: ``MediaLibraryError`` if it cannot be read.
  func identity(of path: String) throws(MediaLibraryError) -> Identity? {
    let reader = try HeaderReader(path, files)
    let status = reader.status
    // libavformat would wait for the data of a pipe.
    guard status.isRegularFile || status.isFolder else { return nil }
    if let facts = try image(reader) {
      return Identity(
        type: .photo, size: status.size,
        inspected: InspectedFile(status: status, facts: facts, content: reader.wholeContent),
        flaw: try flaw(of: facts, reader))
    }
    if let index = try? MovieIndex(path: path) {
      if index.videoTrack != nil {
        let facts = Self.isWhole(index) ? Self.facts(index) : nil
        return Identity(
          type: .video, size: status.size,
          inspected: facts.map {
            InspectedFile(status: status, facts: $0, content: reader.wholeContent)
          },
          flaw: Self.flaw(index))
      }
      return index.audioTracks.isEmpty ? nil : Identity(type: .audio, size: status.size)
    }
    // Most takes have reports and lists beside them, which need not be opened with libavformat.
    guard !Companions.isCompanion(LibraryFiles.name(path)),
      let reader = try? AssetReader(AssetLocation(path: path))
    else { return nil }
    if let facts = Self.still(reader) {
      return Identity(
        type: .photo, size: status.size, inspected: InspectedFile(status: status, facts: facts))
    }
    return Identity(
      type: reader.tracks.contains { $0.mediaType == .video } ? .video : .audio, size: status.size)
  }

  /// The media kind that a file claims to be, if its content does not match; nil for other files,
  /// and for anything but a regular file.
  ///
  /// - Throws: ``MediaLibraryError`` if it cannot be read.
  func unreadable(_ path: String) throws(MediaLibraryError) -> UnreadableMedia? {
    let reader = try HeaderReader(path, files)
    guard reader.status.isRegularFile else { return nil }
    let head = reader.bytes(at: 0, count: 16)
    if let failure = reader.failure { throw failure }
    return UnreadableMedia(name: LibraryFiles.name(path), size: reader.status.size, head: head)
  }

  private func image(_ reader: HeaderReader) throws(MediaLibraryError) -> MediaFacts? {
    let facts = ImageInspector.facts(ContentKind(reader.bytes(at: 0, count: 16)), reader.bytes)
    if let failure = reader.failure { throw failure }
    return facts
  }

  private func flaw(
    of image: MediaFacts, _ reader: HeaderReader
  ) throws(MediaLibraryError) -> String? {
    // Reading a small file reads and keeps all of it.
    let kind = ContentKind(reader.bytes(at: 0, count: 16))
    let flaw = ImageFlaw.of(kind, image, size: reader.status.size, reader.bytes)
    if let failure = reader.failure { throw failure }
    return flaw
  }

  /// The largest JPEG preview in a RAW file; nil if there is none.
  func embeddedJPEG(_ path: String) throws(MediaLibraryError) -> [UInt8]? {
    let reader = try HeaderReader(path, files)
    guard ContentKind(reader.bytes(at: 0, count: 16)) == .tiff,
      let place = ImageInspector.embeddedJPEG(reader.bytes)
    else { return nil }
    return try files.open(path, 0).bytes(at: place.offset, count: place.count)
  }

  // MARK: Movies

  private func movie(_ path: String, name: String) throws(MediaLibraryError) -> MediaFacts {
    if let index = try? MovieIndex(path: path) {
      guard Self.isWhole(index) else {
        throw MediaLibraryError(
          .invalidResource,
          "\(name): an unfinished take; recover it first")
      }
      if let facts = Self.facts(index) { return facts }
    }
    let reader = try open(path, name: name, what: "movie")
    guard let video = reader.videoTrack else {
      throw MediaLibraryError(
        .invalidResource, "\(name): contains no video; add it as audio")
    }
    return Self.facts(reader, video)
  }

  /// False for an unfinished take.
  private static func isWhole(_ index: MovieIndex) -> Bool {
    index.completion != .unfinished && index.completion != .lostIndex
  }

  /// What is missing in a movie that has an index, worded to follow a colon; nil for nothing.
  private static func flaw(_ index: MovieIndex) -> String? {
    let end = index.tracks.map(\.samples.endOffset).max() ?? 0
    guard end > index.fileSize else { return nil }
    return "is cut short: its video and audio end at byte \(end), the file at "
      + "\(index.fileSize)"
  }

  private func audioFacts(_ path: String, name: String) throws(MediaLibraryError) -> MediaFacts {
    let reader = try open(path, name: name, what: "audio file")
    guard let track = reader.audioTracks.first else {
      throw MediaLibraryError(.invalidResource, "\(name): contains no audio")
    }
    var facts = Self.facts(reader, nil)
    facts.codec = track.codecName
    facts.codecName = track.codecName
    return facts
  }

  private func open(
    _ path: String, name: String, what: String
  ) throws(MediaLibraryError) -> AssetReader {
    do { return try AssetReader(AssetLocation(path: path)) } catch {
      throw MediaLibraryError(
        .invalidResource,
        "\(name): not a readable \(what): " + error.message.replacing(path, with: name),
        from: error)
    }
  }

  /// The facts as the QuickTime reader finds them; nil if the movie has no video that it knows.
  private static func facts(_ index: MovieIndex) -> MediaFacts? {
    guard let track = index.videoTrack, let video = track.video, video.dimensions.width > 0 else {
      return nil
    }
    var facts = MediaFacts()
    let codec = VideoCodecType(rawValue: track.codec.description)
    facts.container = "mov"
    facts.codec = codec.rawValue
    facts.codecName = codec.isProRes ? codec.displayName : video.compressorName
    if facts.codecName?.isEmpty == true { facts.codecName = codec.rawValue }
    facts.isProRes = codec.isProRes
    facts.width = video.dimensions.width
    facts.height = video.dimensions.height
    facts.frameRate = track.frameRate?.description
    facts.frameCount = track.samples.count
    facts.duration = index.duration.isNumeric ? index.duration.seconds : 0
    facts.timecode = index.timecodeTrack?.timecode?.start?.description
    if video.colorCodes.count == 3 {
      facts.color = video.colorCodes.map { "\($0)" }.joined(separator: "-")
    }
    let channels = index.audioTracks.compactMap { $0.audio?.channelCount }
    facts.audioChannels = channels.isEmpty ? nil : channels.reduce(0, +)
    facts.sampleRate = index.audioTracks.first?.audio.map { Int($0.sampleRate) }
    let metadata = index.metadata
    facts.make = metadata.make
    facts.model = metadata.model ?? metadata.text("com.prores-recorder.input.device")
    facts.software = metadata.software
    facts.setSlate { metadata.text($0) }
    facts.location = metadata.location.flatMap(GeographicLocation.init(iso6709:))
    facts.creationDate =
      metadata.creationDate.flatMap(seconds) ?? index.creationTime.map { Double($0) }
    return facts
  }

  /// The facts as libavformat reports them.
  private static func facts(_ reader: AssetReader, _ video: AssetTrack?) -> MediaFacts {
    var facts = MediaFacts()
    facts.container = reader.containerName.split(separator: ",").first.map(String.init)
    facts.duration = reader.duration.isNumeric ? reader.duration.seconds : 0
    if let video {
      let codec = video.codecTag.map { VideoCodecType(rawValue: $0.description) }
      facts.isProRes = video.codecName == "prores"
      facts.codec = codec?.isProRes == true ? codec?.rawValue : video.codecName
      facts.codecName =
        codec?.isProRes == true
        ? codec?.displayName
        : [video.codecName, video.profile].compactMap { $0 }.joined(separator: " ")
      facts.width = video.video?.dimensions.width ?? 0
      facts.height = video.video?.dimensions.height ?? 0
      facts.frameRate = video.frameRate?.description
      facts.frameCount = video.sampleCount
      facts.timecode = video.timecode?.description ?? video.timecodeText
      facts.color = video.video?.color.description
    }
    let channels = reader.audioTracks.compactMap { $0.audio?.channelCount }
    facts.audioChannels = channels.isEmpty ? nil : channels.reduce(0, +)
    facts.sampleRate = reader.audioTracks.first?.audio?.sampleRate
    facts.make = reader.metadata["com.apple.quicktime.make"] ?? reader.metadata["make"]
    facts.model = reader.metadata["com.apple.quicktime.model"] ?? reader.metadata["model"]
    facts.software = reader.metadata["com.apple.quicktime.software"] ?? reader.metadata["encoder"]
    facts.setSlate { reader.metadata[$0] }
    let date =
      reader.metadata["com.apple.quicktime.creationdate"] ?? reader.metadata["creation_time"]
    facts.creationDate = date.flatMap(seconds)
    return facts
  }

  /// Parses an ISO 8601 time as written by QuickTime and libav.
  private static func seconds(_ text: String) -> Double? {
    var text = text
    // The ISO 8601 parser accepts neither fractions nor a zone without a colon.
    if let dot = text.firstIndex(of: "."), let end = text[dot...].firstIndex(where: \.isZone) {
      text.removeSubrange(dot..<end)
    }
    let style = Date.ISO8601FormatStyle(timeZoneSeparator: .omitted)
    let parsed = (try? style.parse(text.replacing(/([+-]\d\d):(\d\d)$/) { "\($0.1)\($0.2)" }))
    return (parsed ?? (try? Date.ISO8601FormatStyle().parse(text)))?.timeIntervalSince1970
  }
}

extension Character {
  fileprivate var isZone: Bool { self == "Z" || self == "+" || self == "-" }
}
