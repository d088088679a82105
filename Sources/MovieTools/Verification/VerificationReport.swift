public import MediaCore

/// What ``MovieVerifier`` found in a movie.
public struct VerificationReport: Sendable, Codable {
  /// One thing that is wrong, unusual or worth knowing.
  public struct Finding: Sendable, Hashable, Codable {
    /// How bad it is.
    public enum Severity: String, Sendable, Hashable, Codable {
      /// An editor may refuse the movie, or show or play it wrongly.
      case error
      /// Playable, but against a rule that decoders do not insist on, not as Apple's tools write it, or
      /// not as it was meant.
      case warning
      /// Worth knowing; nothing is wrong.
      case note
    }

    /// What was looked at.
    public enum Check: String, Sendable, Hashable, Codable {
      /// The file and its index.
      case container
      /// The frames' bytes, against RDD 36 and the index.
      case bitstream
      /// A full decode.
      case decode
      /// When frames are shown.
      case timing
      /// What the numbers of a picture mean.
      case color
      /// The timecode track.
      case timecode
      /// The audio.
      case audio
      /// The bytes, against the sidecar's checksums.
      case checksum
    }

    /// What a movie is measured by.
    public enum Rule: String, Sendable, Hashable, Codable {
      /// The standards: SMPTE RDD 36, and Apple's QuickTime File Format.
      case standard
      /// The files of Apple's own tools, and what editors expect beyond the standards.
      case apple
    }

    /// How bad it is.
    public var severity: Severity
    /// What was looked at.
    public var check: Check
    /// What the movie breaks; nil for what is no rule's: damage, a gap, a fact.
    public var rule: Rule?
    /// What was found, in one line.
    public var message: String
    /// The first frame that has it, from 0; nil where it is not about a frame.
    public var frame: Int?
    /// That frame's timecode, where there is one.
    public var timecode: String?
    /// Frames that have it; 1 where it is not about frames.
    public var count = 1
  }

  /// The video track.
  public struct Video: Sendable, Hashable, Codable {
    /// The sample entry's code.
    public var codec: String
    /// The codec as Apple calls it, or its code.
    public var codecName: String
    /// The encoder's identifier in the frames; empty where no frame has one.
    public var encoderIdentifier: String
    /// Pixels in a row.
    public var width: Int
    /// Rows.
    public var height: Int
    /// Frames a second, exactly; nil where frames have differing durations.
    public var frameRate: String?
    /// Whether frames are fields, and which comes first; nil where the index does not say.
    public var fieldOrder: FieldOrder?
    /// Primaries, transfer and matrix as code points, as the index has them.
    public var color: String?
    /// Frames.
    public var frameCount: Int
    /// Frames with the very bytes of the one before: repeated, or a still picture.
    public var framesRepeated: Int
    /// Seconds.
    public var duration: Double
    /// Bytes of all frames.
    public var byteCount: UInt64
    /// Bits a second on average.
    public var bitRate: Double
    /// Bytes of the largest frame.
    public var largestFrameBytes: Int
    /// Bytes of a frame at Apple's target rate; nil where the codec is no ProRes.
    public var targetFrameBytes: Int?
    /// The finest and the coarsest quantization index of the frames.
    public var quantization: [Int]
  }

  /// An audio track.
  public struct Audio: Sendable, Hashable, Codable {
    /// The sample entry's code.
    public var codec: String
    /// Frames a second.
    public var sampleRate: Double
    /// Channels.
    public var channelCount: Int
    /// Bits of a sample.
    public var bitDepth: Int
    /// Seconds, after edits.
    public var duration: Double
    /// How much longer than the video the audio is, in seconds.
    public var excess: Double
  }

  /// How a movie compares with the checksums of its sidecar.
  public struct Checksums: Sendable, Hashable, Codable {
    /// The sidecar.
    public var sidecar: String
    /// What the sidecar says of the movie: `complete`, `recovered`, `recording`.
    public var state: String
    /// Frames that were compared.
    public var frameCount = 0
    /// Frames that are not what was written.
    public var framesDiffering = 0
    /// Samples of audio that were compared, of all tracks.
    public var sampleCount = 0
    /// Samples of audio in runs that are not what was written.
    public var samplesDiffering = 0
    /// Whether the whole file is what was written; nil where that cannot be told.
    public var fileAgrees: Bool?
  }

  /// How much of a movie is looked at.
  public enum Depth: String, Sendable, Hashable, Codable {
    /// Every code word, and a full decode.
    case full
    /// The index, the frames' headers and sizes, and checksums where there are some.
    case quick
  }

  /// The file.
  public var path: String
  /// How much of it was looked at.
  public var depth = Depth.full
  /// Its bytes.
  public var fileSize: UInt64
  /// How complete the file is: `finished`, `unfinished`, `lostIndex`, `fragmented`.
  public var completion: String
  /// Seconds.
  public var duration: Double
  /// The video; nil where there is none.
  public var video: Video?
  /// The audio tracks.
  public var audio: [Audio] = []
  /// The first frame's timecode; nil where there is none.
  public var startTimecode: String?
  /// Frames that a strict decoder, ours or libavcodec's, made of it without a complaint.
  public var framesDecoded = 0
  /// Those of them that libavcodec decoded: of ProRes a sample, unless all are asked for.
  public var framesDecodedByLibavcodec = 0
  /// The comparison with the sidecar's checksums; nil where there are none.
  public var checksums: Checksums?
  /// The facts of the movie's metadata that are text.
  public var metadata: [String: String] = [:]
  /// What was found, errors first.
  public var findings: [Finding] = []

  /// True where nothing is wrong.
  public var isValid: Bool { !findings.contains { $0.severity == .error } }
  /// True where no rule of the standards is broken, not even one that decoders do not insist on.
  public var followsStandard: Bool {
    isValid && !findings.contains { $0.rule == .standard && $0.severity != .note }
  }
  /// True where the movie is as Apple's own tools write them.
  public var isAsApple: Bool {
    followsStandard && !findings.contains { $0.rule == .apple && $0.severity != .note }
  }
}
