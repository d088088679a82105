public import MediaCore

extension AssetWriter {
  /// What happened to each frame and sample, in numbers.
  public struct Report: Hashable, Sendable, Codable {
    /// An account of a video input.
    public struct VideoTrack: Hashable, Sendable, Codable {
      private enum CodingKeys: String, CodingKey {
        case encoder, codec, duration, framesAppended, framesEncoded, framesWritten, framesRepeated
        case framesTrimmed, refusals
        case bytes = "byteCount"
        case largestFrame = "largestFrameBytes"
        case targetFrameBytes, framesOverTarget, framesReencoded
        case longestQueue, queueDepth, pictureQueueDepth, queueDuration
        case largestQueue = "largestQueueBytes"
        case encodeTime, latency, fileLatency
      }

      /// The encoder that was used, by its full name; empty before the first frame.
      public var encoder = ""
      /// The codec's sample-entry code.
      public var codec = ""
      /// Seconds from the session's start to the end of the last frame in the movie, those before a
      /// cut among them; nil in a report of an earlier version.
      public var duration: Double?
      /// Frames that were appended.
      public var framesAppended = 0
      /// Frames that left the encoder.
      public var framesEncoded = 0
      /// Frames in the movie, repeats among them.
      public var framesWritten = 0
      /// Frames that the movie shows again because a later one was missing.
      public var framesRepeated = 0
      /// Frames that lay outside the session and were left out.
      public var framesTrimmed = 0
      /// Appends that were refused, by ``AssetWriterError/Code``.
      public var refusals: [String: Int] = [:]
      /// Bytes of the frames in the movie; 0 for H.264 and HEVC until the movie is complete.
      public var bytes: Int64 = 0
      /// Bytes of the largest frame; 0 for H.264 and HEVC until the movie is complete.
      public var largestFrame = 0
      /// Bytes of a frame at Apple's target rate.
      public var targetFrameBytes = 0
      /// Frames larger than the target.
      public var framesOverTarget = 0
      /// Frames that were encoded again to keep to the target.
      public var framesReencoded = 0
      /// The most frames that were in flight at once.
      public var longestQueue = 0
      /// Frames that may be in flight.
      public var queueDepth = 0
      /// Frames that may wait for the encoder, among the frames in flight.
      public var pictureQueueDepth = 0
      /// The time that as many frames last as may be in flight, in seconds.
      public var queueDuration = 0.0
      /// The most bytes of encoded frames that waited to be written.
      public var largestQueue: Int64 = 0
      /// From when a thread takes the frame until it is encoded.
      public var encodeTime = Distribution.Tally().distribution
      /// From capture (`SampleBuffer.Attachments.captureTime`, else append) to the frame's leaving
      /// the encoder.
      public var latency = Distribution.Tally().distribution
      /// From capture, or append, to the frame's being in the file, with its whole fragment.
      public var fileLatency = Distribution.Tally().distribution
    }

    /// An account of an audio input.
    public struct AudioTrack: Hashable, Sendable, Codable {
      private enum CodingKeys: String, CodingKey {
        case samplesAppended, samplesWritten, samplesTrimmed, samplesOfSilence, clockError, refusals
        case bytes = "byteCount"
        case longestQueue
      }

      /// Samples of each channel that were appended.
      public var samplesAppended: Int64 = 0
      /// Samples of each channel in the movie, inserted silence among them.
      public var samplesWritten: Int64 = 0
      /// Samples of each channel that lay outside the session and were left out.
      public var samplesTrimmed: Int64 = 0
      /// Samples of silence that fill gaps of the source.
      public var samplesOfSilence: Int64 = 0
      /// By how much the audio clock was fast relative to its buffers' times, in millionths, if the
      /// audio was stretched to compensate; nil if not.
      public var clockError: Double?
      /// Appends that were refused, by ``AssetWriterError/Code``.
      public var refusals: [String: Int] = [:]
      /// Bytes of the samples in the movie.
      public var bytes: Int64 = 0
      /// The longest queue, in samples of each channel.
      public var longestQueue = 0
    }

    /// An account of a track of facts with their times, of captions, or of timecode.
    public struct MetadataTrack: Hashable, Sendable, Codable {
      /// Samples that were appended.
      public var samplesAppended = 0
      /// Those that came when the movie of their time was complete already: they are missing from it. Where
      /// they still held, the next movie has them. Captions that came behind later ones are among them.
      public var samplesLate = 0
      /// Those that ended before the take's first frame or began after its last one, those of a movie that was
      /// removed because it began after the session's end, and all of a take without video (metadata: without
      /// audio, too); they are in no movie. Nil for none. Captions that are all padding are not among them.
      public var samplesOutside: Int?
    }

    private enum CodingKeys: String, CodingKey {
      case status, error, video, audio, metadata, captions, timecode, chaptersOutside, segments
      case fileBytes = "fileSize"
      case duration, writeTime, threads, writerProcessorTime
    }

    /// The status when the report was made.
    public var status = ""
    /// The error that ended writing, if one did.
    public var error: ErrorSummary?
    /// Video inputs in the order in which they were added.
    public var video: [VideoTrack] = []
    /// Audio inputs in the order in which they were added.
    public var audio: [AudioTrack] = []
    /// Tracks of facts with their times, in the order in which they were added; nil without any.
    public var metadata: [MetadataTrack]?
    /// The track of captions; nil where there were none.
    public var captions: MetadataTrack?
    /// The track of timecode that does not come with the video, by runs of numbers; nil if there was none.
    public var timecode: MetadataTrack?
    /// Chapters that no complete movie shows: those that begin after the take's last frame, those of a movie that
    /// was removed because it began after the session's end, and all of a take without video. Nil for none.
    public var chaptersOutside: Int?
    /// The movies, in order: one, unless the take was cut.
    public var segments: [Segment] = []
    /// Bytes of all files.
    public var fileBytes: Int64 = 0
    /// Seconds in all of them.
    public var duration: Double = 0
    /// The time the writing thread took for a frame or a run of audio, including the disk's.
    public var writeTime = Distribution.Tally().distribution
    /// How the system scheduled the threads that wrote and encoded.
    public var threads: [ThreadScheduling] = []
    /// Processor time of the writing thread in all, in seconds.
    public var writerProcessorTime: Double = 0

    mutating func take(_ queues: [DataQueue]) {
      for queue in queues {
        let account = queue.account
        let isUsed = account.samplesAppended > 0
        switch queue.content {
        case .metadata: metadata = (metadata ?? []) + [account]
        case .captions: captions = isUsed ? account : nil
        case .timecode: timecode = isUsed ? account : nil
        }
      }
    }
  }
}
