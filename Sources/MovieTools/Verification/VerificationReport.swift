public import MediaCore

/// What ``MovieVerifier`` found in a movie.
public struct VerificationReport: Sendable, Codable {
  /// Something wrong, unusual or worth knowing.
  public struct Finding: Sendable, Hashable, Codable {
    /// The severity.
    public enum Severity: String, Sendable, Hashable, Codable {
      /// An editor may refuse the movie, or show or play it wrongly.
      case error
      /// Playable, but it breaks a rule that decoders do not enforce, differs from what Apple's
      /// tools write, or is not as intended.
      case warning
      /// Information; nothing is wrong.
      case note
    }

    /// What was checked.
    public enum Check: String, Sendable, Hashable, Codable {
      /// The file and its index.
      case container
      /// The frames' bytes, against RDD 36 and the index.
      case bitstream
      /// A full decode.
      case decode
      /// The times of frames.
      case timing
      /// The color description.
      case color
      /// The timecode track.
      case timecode
      /// The audio.
      case audio
      /// The bytes, against the sidecar's checksums.
      case checksum
    }

    /// The kind of rule that a movie is measured by.
    public enum Rule: String, Sendable, Hashable, Codable {
      /// The standards: SMPTE RDD 36, and Apple's QuickTime File Format.
      case standard
      /// The conventions of Apple's tools, and what editors expect beyond the standards.
      case apple
    }

    /// The severity.
    public var severity: Severity
    /// What was checked.
    public var check: Check
    /// The kind of rule that the movie breaks; nil for findings without a rule: damage, a gap, a
    /// fact.
    public var rule: Rule?
    /// The finding, in one line.
    public var message: String
    /// The first frame concerned, from 0; nil if the finding is not about a frame.
    public var frame: Int?
    /// That frame's timecode, if there is one.
    public var timecode: String?
    /// The number of frames concerned; 1 if the finding is not about frames.
    public var count = 1
  }

  /// The video track.
  public struct Video: Sendable, Hashable, Codable {
    /// The sample entry's code.
    public var codec: String
    /// Apple's name of the codec, or its code.
    public var codecName: String
    /// The encoder's identifier in the frames; empty if no frame has one.
    public var encoderIdentifier: String
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// The exact frame rate; nil if frame durations differ.
    public var frameRate: String?
    /// The field order; nil if the index does not state it.
    public var fieldOrder: FieldOrder?
    /// Primaries, transfer function and matrix as code points from the index.
    public var color: String?
    /// The number of frames.
    public var frameCount: Int
    /// The number of frames with the same bytes as the one before: repeated, or a still image.
    public var framesRepeated: Int
    /// The duration, in seconds.
    public var duration: Double
    /// The size of all frames, in bytes.
    public var byteCount: UInt64
    /// The average bits per second.
    public var bitRate: Double
    /// The size of the largest frame, in bytes.
    public var largestFrameBytes: Int
    /// The frame size at Apple's target rate, in bytes; nil if the codec is not ProRes.
    public var targetFrameBytes: Int?
    /// The finest and the coarsest quantization index of the frames.
    public var quantization: [Int]
  }

  /// An audio track.
  public struct Audio: Sendable, Hashable, Codable {
    /// The sample entry's code.
    public var codec: String
    /// The sample rate, in hertz.
    public var sampleRate: Double
    /// The number of channels.
    public var channelCount: Int
    /// The bits of a sample.
    public var bitDepth: Int
    /// The duration after edits, in seconds.
    public var duration: Double
    /// How much longer than the video the audio is, in seconds.
    public var excess: Double
  }

  /// How a movie compares with the checksums of its sidecar.
  public struct Checksums: Sendable, Hashable, Codable {
    /// The sidecar.
    public var sidecar: String
    /// The movie's state according to the sidecar: `complete`, `recovered`, `recording`.
    public var state: String
    /// The number of frames compared.
    public var frameCount = 0
    /// The number of frames that differ from what was written.
    public var framesDiffering = 0
    /// The number of audio samples compared, in all tracks.
    public var sampleCount = 0
    /// The number of audio samples in runs that differ from what was written.
    public var samplesDiffering = 0
    /// True if the whole file is what was written; nil if unknown.
    public var fileAgrees: Bool?
  }

  /// How much of a movie is verified.
  public enum Depth: String, Sendable, Hashable, Codable {
    /// Every code word, and a full decode.
    case full
    /// The index, the frames' headers and sizes, and any checksums.
    case quick
  }

  /// The path of the file.
  public var path: String
  /// How much of it was verified.
  public var depth = Depth.full
  /// Its size in bytes.
  public var fileSize: UInt64
  /// How complete the file is: `finished`, `unfinished`, `lostIndex`, `fragmented`.
  public var completion: String
  /// The duration, in seconds.
  public var duration: Double
  /// The video track; nil if there is none.
  public var video: Video?
  /// The audio tracks.
  public var audio: [Audio] = []
  /// The first frame's timecode; nil if there is none.
  public var startTimecode: String?
  /// The number of frames that a strict decoder, this project's or libavcodec's, decoded without
  /// errors.
  public var framesDecoded = 0
  /// How many of them libavcodec decoded: a sample for ProRes, unless all are requested.
  public var framesDecodedByLibavcodec = 0
  /// The comparison with the sidecar's checksums; nil if there are none.
  public var checksums: Checksums?
  /// The movie's textual metadata.
  public var metadata: [String: String] = [:]
  /// The findings, errors first.
  public var findings: [Finding] = []

  /// True if nothing is wrong.
  public var isValid: Bool { !findings.contains { $0.severity == .error } }
  /// True if no rule of the standards is broken, not even one that decoders do not enforce.
  public var followsStandard: Bool {
    isValid && !findings.contains { $0.rule == .standard && $0.severity != .note }
  }
  /// True if the movie follows the conventions of Apple's tools.
  public var isAsApple: Bool {
    followsStandard && !findings.contains { $0.rule == .apple && $0.severity != .note }
  }
}
