import CFFmpeg
import MediaCore

extension AssetContents {
  /// What a movie holds besides `tracks`.
  init(
    _ movie: LibavMovie, tracks: [AssetTrack], sequence: ImageSequence? = nil,
    remarks: [AssetRemark] = []
  ) {
    self.remarks = remarks
    if let sequence {
      assumedRate = sequence.isRateGiven ? nil : sequence.frameRate
    } else if movie.isBareStream || movie.isOfStillImages {
      // libavformat's default rate. Whether the codec states the same rate cannot be seen here.
      let usual = tracks.first?.isOfSingleFields == true ? FrameRate(25, 2) : .fps25
      assumedRate = tracks.first?.frameRate.flatMap { $0 == usual ? $0 : nil }
    }
    timesMayJump = cffmpeg_format_jumps(movie.context) != 0
    chapters = Self.chapters(of: movie)
    if movie.isOf(["matroska"]), let editions = MatroskaEditions(movie.path) {
      self.remarks += editions.remarks
      if editions.chosen.chapters.count != chapters.count || editions.count > 1 {
        chapters = editions.chosen.chapters
      }
    }
    latinTags = movie.latinTags.sorted()
    let remarks = [
      Self.singleTrackRemark(movie, tracks), Self.singleFieldRemark(tracks),
      Self.shownPartRemark(movie, tracks),
    ]
    self.remarks += remarks.compactMap(\.self)
    otherTracks = Self.otherTracks(of: movie, beside: tracks)
  }

  private static func chapters(of movie: LibavMovie) -> [AssetChapter] {
    (0..<Int(movie.context.pointee.nb_chapters)).compactMap { index in
      movie.context.pointee.chapters?[index].map { chapter in
        AssetChapter(
          title: libavMetadata(chapter.pointee.metadata)["title"] ?? "",
          start: MediaTime(chapter.pointee.start, in: chapter.pointee.time_base))
      }
    }
  }

  /// Streams that are not read as tracks. Streams without a packet so far are omitted; they are
  /// reported with their first packet.
  private static func otherTracks(
    of movie: LibavMovie, beside tracks: [AssetTrack]
  ) -> [AssetOtherTrack] {
    let read = Set(tracks.map(\.id))
    return movie.streams.compactMap { stream in
      let index = Int(stream.pointee.index)
      guard !read.contains(index), !movie.isLate(index), let kind = kind(stream) else { return nil }
      let tags = libavMetadata(stream.pointee.metadata)
      return AssetOtherTrack(
        kind: kind, codecName: codecName(stream),
        language: libavLanguage(tags), title: tags["title"] ?? tags["filename"])
    }
  }

  /// The remark on an OP-Atom file, whose audio is in other files.
  private static func singleTrackRemark(
    _ movie: LibavMovie, _ tracks: [AssetTrack]
  ) -> AssetRemark? {
    guard isOfOneTrack(libavMetadata(movie.context.pointee.metadata)),
      tracks.allSatisfy({ $0.mediaType == .video })
    else { return nil }
    return AssetRemark(
      subject: "track", isLoss: true,
      message: "the MXF file is OP-Atom, which holds one track: any audio of its clip is in other "
        + "files and is not in the movie")
  }

  private static func singleFieldRemark(_ tracks: [AssetTrack]) -> AssetRemark? {
    guard tracks.contains(where: \.isOfSingleFields) else { return nil }
    return AssetRemark(
      subject: "scan", isLoss: false,
      message:
        "the source stores each field separately: two consecutive fields are combined into a frame"
    )
  }

  /// The remark on a container that shows only part of its frames.
  private static func shownPartRemark(
    _ movie: LibavMovie, _ tracks: [AssetTrack]
  ) -> AssetRemark? {
    guard let size = tracks.first(where: { $0.mediaType == .video })?.video?.dimensions,
      let part = ShownPart(movie.path, of: movie.formatNames, size)
    else { return nil }
    return AssetRemark(
      subject: "display window", isLoss: true,
      message:
        "the container shows only \(part.width)x\(part.height) pixels of its frames, from "
        + "\(part.left),\(part.top): dropped, the movie shows all \(size.width)x\(size.height)")
  }

  /// Describes the video and audio that this libavcodec cannot decode; empty if there is none.
  static func unread(_ movie: LibavMovie) -> String {
    let streams = movie.streams.compactMap { stream -> String? in
      guard let kind = kind(stream), ["video", "audio"].contains(kind) else {
        return nil
      }
      return "\(kind) of \(codecName(stream) ?? "an unknown codec")"
    }
    guard !streams.isEmpty else { return "" }
    return ", but \(streams.joined(separator: " and ")), which the libavcodec at hand cannot decode"
  }

  /// True for the tags of an OP-Atom MXF file (SMPTE ST 390): byte 13 of its label is 16.
  static func isOfOneTrack(_ tags: [String: String]) -> Bool {
    let label = (tags["operational_pattern_ul"] ?? "").filter(\.isHexDigit).lowercased()
    return label.hasPrefix("060e2b34") && label.count == 32 && label.dropFirst(24).hasPrefix("10")
  }

  /// Nil for a timecode track, which is read into the video track, and for chapters.
  static func kind(_ stream: UnsafeMutablePointer<AVStream>) -> String? {
    guard let parameters = stream.pointee.codecpar else { return nil }
    if cffmpeg_is_attached_picture(stream) != 0 { return "cover art" }
    switch parameters.pointee.codec_type {
    case AVMEDIA_TYPE_VIDEO: return "video"
    case AVMEDIA_TYPE_AUDIO: return "audio"
    case AVMEDIA_TYPE_SUBTITLE: return "subtitle"
    case AVMEDIA_TYPE_ATTACHMENT: return "attachment"
    case AVMEDIA_TYPE_DATA:
      let tag = FourCharCode(rawValue: parameters.pointee.codec_tag.byteSwapped)
      let name = codecName(stream)
      return tag == "tmcd" || tag == "text" && name == "bin_data" ? nil : "data"
    default: return nil
    }
  }

  static func codecName(_ stream: UnsafeMutablePointer<AVStream>) -> String? {
    let id = stream.pointee.codecpar?.pointee.codec_id ?? AV_CODEC_ID_NONE
    return id == AV_CODEC_ID_NONE ? nil : libavText(avcodec_get_name(id))
  }
}
