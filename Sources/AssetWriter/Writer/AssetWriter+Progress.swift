public import MediaCore
import QuickTime
import Synchronization

extension AssetWriter {
  /// Where a writer stands, for limits and progress lines. Cheap, and for any thread.
  public struct Progress: Hashable, Sendable {
    /// The duration of the longest track, from the session's start to the end of what was appended.
    public var appendedDuration: MediaTime
    /// Bytes that the files would have if they were finished now, without what is still in queues.
    public var fileBytes: Int64
    /// Frames in flight, of all video inputs, those apart that are kept for a pre-roll.
    public var framesInFlight: Int
    /// Frames that may be in flight, of all video inputs that have an encoder.
    public var queueDepth: Int
  }

  /// Where the writer stands now.
  public var progress: Progress {
    core.shared.withLock { state in
      var progress = Progress(
        appendedDuration: .zero, fileBytes: state.segments.fileBytes, framesInFlight: 0,
        queueDepth: 0)
      for input in state.inputs {
        switch input.track {
        case .unprepared: break
        case .video(let video):
          let end = video.rate.time(ofFrame: video.slots.end)
          progress.appendedDuration = max(progress.appendedDuration, end)
          progress.framesInFlight += video.queue.occupied
          progress.queueDepth += video.queue.depth
        case .audio(let audio):
          let end = MediaTime(value: audio.position, timescale: Int32(clamping: audio.rate))
          progress.appendedDuration = max(progress.appendedDuration, end)
        }
      }
      return progress
    }
  }

  /// Bytes that the file would have if it were finished now, without what is still in queues.
  /// Takes no lock.
  public var writtenByteCount: Int64 { core.fileBytes.load(ordering: .relaxed) }

  /// Bytes that are reserved on the disk and not written yet: the system does not count them as free,
  /// and they are given back.
  package var reservedByteCount: Int64 { core.reservedSpace.byteCount }

  /// Where the frames of the first video input are. Cheap enough to ask with each frame.
  package var videoFlow: VideoFlow? {
    core.shared.withLock { state in
      guard let index = state.leadIndex, case .video(let video) = state.inputs[index].track else {
        return nil
      }
      var flow = video.account.flow
      flow.framesOnTheWay = video.framesOnTheWay
      return flow
    }
  }

  /// Bytes of audio in the movies so far.
  package var writtenAudioBytes: Int64 {
    core.shared.withLock { state in
      state.inputs.reduce(0) { $0 + ($1.audioSummary?.bytes ?? 0) }
    }
  }

  /// Bytes a second that the writing thread brings to the disk while it writes; nil before it has
  /// written for a tenth of a second.
  package var diskRate: Double? {
    core.shared.withLock { state in
      let seconds = Double(state.work.writeTime.total) / 1e9
      let bytes = state.inputs.reduce(0) { sum, input in
        sum + (input.audioSummary?.bytes ?? 0) + (input.videoFlow?.writtenBytes ?? 0)
      }
      return seconds > 0.1 && bytes > 0 ? Double(bytes) / seconds : nil
    }
  }

  /// What happened to each frame and sample so far.
  public var report: Report {
    core.shared.withLock { state in
      var report = Report()
      report.status = "\(state.phase.status)"
      report.error = state.phase.error.map { ErrorSummary($0) }
      report.threads = state.work.threads + state.encoders.flatMap(\.threadScheduling)
      report.video = state.inputs.compactMap(\.videoSummary)
      report.audio = state.inputs.compactMap(\.audioSummary)
      report.take(state.data)
      report.chaptersOutside = state.chaptersOutside
      report.fileBytes = state.segments.fileBytes
      report.segments = state.segments.segments
      report.duration =
        state.phase.status == .writing || report.segments.isEmpty
        ? state.inputs.map(\.headTime).max() ?? 0 : report.segments.reduce(0) { $0 + $1.duration }
      // The session may have ended before what was appended.
      for index in report.video.indices {
        report.video[index].duration = report.video[index].duration.map { min($0, report.duration) }
      }
      report.writeTime = state.work.writeTime.distribution
      report.writerProcessorTime = Double(state.work.processorTime) / 1e9
      return report
    }
  }
}

extension AssetWriter {
  /// Where the frames of a video input are.
  package struct VideoFlow: Hashable, Sendable {
    /// Frames that were appended within the session.
    package var framesAppended = 0
    /// Frames that left the encoder.
    package var framesEncoded = 0
    /// Frames in the movie, repeats among them.
    package var framesWritten = 0
    /// Frames that the movie shows again because a later one was missing.
    package var framesRepeated = 0
    /// Frames that were not handed to the movie yet, the repeats among them that are known.
    package var framesOnTheWay = 0
    /// Bytes of the frames in the movie.
    package var writtenBytes: Int64 = 0
    /// Bytes of the largest frame so far; of one at Apple's target rate before the first.
    package var largestFrame = 0
    /// Frames that may be in flight.
    package var queueDepth = 0
    /// Frames that may wait for the encoder, among the frames in flight.
    package var pictureQueueDepth = 0

    /// Frames that wait for the encoder.
    package var framesAwaitingEncoder: Int { framesAppended - framesEncoded }
    /// Encoded frames that wait for the disk.
    package var framesWaiting: Int { framesEncoded - (framesWritten - framesRepeated) }
  }
}
