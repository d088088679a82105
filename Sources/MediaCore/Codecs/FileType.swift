/// A container that a movie, or audio alone, can be written to.
///
/// Only a `.mov` of ProRes and linear PCM can be recovered whole after a sudden end, such as a kill of the
/// program. Each case describes what remains of the others.
public enum FileType: String, Sendable, Hashable, CaseIterable {
  /// A QuickTime movie.
  case mov = "com.apple.quicktime-movie"
  /// An MPEG-4 movie.
  case mp4 = "public.mpeg-4"
  /// Apple's form of an MPEG-4 movie.
  case m4v = "com.apple.m4v-video"
  /// Audio alone in an MPEG-4 file.
  case m4a = "com.apple.m4a-audio"
  /// Linear PCM in a WAVE file, little-endian; RF64 (EBU Tech 3306) where it grows beyond 4 GiB.
  ///
  /// Its lengths are written at its end. After a sudden end they are marked as unknown: FFmpeg and others
  /// that read up to the file's end then find the audio that had reached the disk.
  case wav = "com.microsoft.waveform-audio"
  /// Linear PCM in an AIFF file, big-endian, of 4 GiB at most: a take that would grow beyond ends with an error,
  /// and its file is complete.
  ///
  /// Its lengths are written at its end. After a sudden end they are 0, and players refuse the file. It has no place
  /// for the time of its making.
  case aiff = "public.aiff-audio"
  /// Linear PCM or Apple Lossless in a Core Audio file, of any length.
  ///
  /// The format allows linear PCM of unknown length: after a sudden end the audio that had reached the
  /// disk can be played. The packet table of Apple Lossless is written at the end, and is then missing.
  case caf = "com.apple.coreaudio-format"

  /// The usual file-name extension, without the dot.
  public var pathExtension: String {
    switch self {
    case .mov: "mov"
    case .mp4: "mp4"
    case .m4v: "m4v"
    case .m4a: "m4a"
    case .wav: "wav"
    case .aiff: "aiff"
    case .caf: "caf"
    }
  }

  /// The kind of file that a file-name extension without the dot names, in capitals or not; nil for one that is
  /// not written here. `aif` and `wave` are usual, too.
  public init?(pathExtension: String) {
    let lowercased = pathExtension.lowercased()
    switch lowercased {
    case "aif": self = .aiff
    case "wave": self = .wav
    default:
      guard let type = Self.allCases.first(where: { $0.pathExtension == lowercased }) else {
        return nil
      }
      self = type
    }
  }

  /// True for a file type without video.
  public var isAudioOnly: Bool {
    switch self {
    case .mov, .mp4, .m4v: false
    case .m4a, .wav, .aiff, .caf: true
    }
  }
}
