import CFFmpeg
import MediaCore
import QuickTime

/// The kind of writer for the movie files of a take.
enum MovieContainer: Equatable, Sendable {
  /// This package's own writer: ProRes and linear PCM in a QuickTime movie that can be recovered at
  /// every moment.
  case quickTime
  /// A muxer of libavformat.
  case libavformat(FileType)
  /// The same, of fragments that are given away.
  case mediaSegments(MediaSegmentOutput)

  /// The one that tracks of these settings need.
  init(_ fileType: FileType, _ inputs: [InputSettings]) {
    let isOwn = fileType == .mov && !inputs.contains(where: \.isCompressed)
    self = isOwn ? .quickTime : .libavformat(fileType)
  }

  /// What writes into a file.
  func makeMovie(in file: any MovieFile) -> any SegmentMovie {
    switch self {
    case .quickTime: MovieAssembler(file: file)
    case .libavformat(let fileType): CompressedMovie(file: file, fileType: fileType)
    case .mediaSegments(let segments): CompressedMovie(segments)
    }
  }

  /// The work that the writing thread does, which decides its priority.
  var threadRole: ThreadRole { self == .quickTime ? .writing : .encoding }

  /// Why a file of a kind has no track of these settings; nil where it has.
  ///
  /// - Parameter others: Tracks that it is to have already.
  static func refusal(
    _ settings: InputSettings, in fileType: FileType, besides others: Int
  ) -> AssetWriterError? {
    let name = ".\(fileType.pathExtension)"
    switch settings {
    case .video(let video, _):
      if fileType.isAudioOnly {
        return invalid("a \(name) file holds only audio; choose .mp4 or .mov for video")
      }
      guard video.codec.isProRes, fileType != .mov else { return nil }
      return invalid("\(video.codec) is written only into .mov files, not into \(name)")
    case .audio(let audio):
      if let audioFile = AudioFile(fileType) {
        return audioFile.refusal(audio, besides: others).map(invalid)
      }
      guard audio.compression == .none else { return nil }
      guard fileType == .mov else {
        return invalid(
          "linear PCM is not written into \(name) files; choose AAC, Apple Lossless, or .mov, .wav, .aiff or "
            + ".caf")
      }
      guard audio.byteOrder != .big else {
        return invalid(
          "a \(name) file has little-endian samples; ask for those, or leave out the byte order"
        )
      }
      return nil
    }
  }

  /// Why a take with these settings cannot be written by libavformat; nil where it can.
  func refusal(
    _ inputs: [InputSettings], _ configuration: AssetWriter.Configuration, _ metadata: MovieMetadata
  ) -> AssetWriterError? {
    let fileType: FileType
    switch self {
    case .quickTime: return nil
    case .libavformat(let type): fileType = type
    case .mediaSegments(let segments):
      fileType = .mp4
      if let refusal = segments.refusal(configuration, trackCount: inputs.count) { return refusal }
    }
    guard av_guess_format(fileType.muxer, nil, nil) != nil else {
      return AssetWriterError(
        .encoderUnavailable,
        "this machine's libavformat does not write .\(fileType.pathExtension) files")
    }
    for case .audio(let audio) in inputs where audio.compression == .none {
      if audio.trackLayout == .mono {
        return Self.invalid(
          "a track for each channel is written only beside ProRes; use one track")
      }
    }
    for case .video(let video, _) in inputs where video.codec.isProRes {
      let extras = [
        video.cleanAperture.map { _ in "a clean aperture" },
        video.masteringDisplay.map { _ in "a mastering display" },
        video.contentLightLevel.map { _ in "a light level" },
      ].compactMap(\.self)
      guard extras.isEmpty else {
        return Self.invalid(
          "a movie with compressed audio cannot have \(extras.joined(separator: ", ")); leave that "
            + "out, or write linear PCM")
      }
    }
    if !configuration.reelName.isEmpty {
      return Self.invalid("only ProRes movies with linear PCM hold a reel's name; leave it out")
    }
    if configuration.takesChecksums {
      return Self.invalid("checksums are supported only for ProRes movies")
    }
    return AudioFile(fileType)?.refusal(configuration, metadata).map(Self.invalid)
  }

  private static func invalid(_ message: String) -> AssetWriterError {
    AssetWriterError(.invalidSettings, message)
  }
}

extension InputSettings {
  /// True where the track is not one of ProRes or linear PCM.
  var isCompressed: Bool {
    switch self {
    case .video(let video, _): video.codec.isInterframe
    case .audio(let audio): audio.compression != .none
    }
  }
}

extension FileType {
  /// libavformat's name of the muxer.
  var muxer: String {
    switch self {
    case .mov: "mov"
    case .mp4, .m4v: "mp4"
    case .m4a: "ipod"
    case .wav: "wav"
    case .aiff: "aiff"
    case .caf: "caf"
    }
  }
}
