public import MediaCore
import Synchronization

extension AssetWriter {
  /// Where a writer stands, for limits and progress lines. Cheap, and for any thread.
  public struct Progress: Hashable, Sendable {
    /// What the longest track holds, from the session's start to the end of what was appended.
    public var appendedDuration: MediaTime
    /// Bytes that the files would have if they were finished now, without what is still in queues.
    public var fileBytes: Int64
    /// Frames in flight, of all video inputs.
    public var framesInFlight: Int
    /// Frames that may be in flight, of all video inputs; 0 before the first one.
    public var queueDepth: Int
  }

  /// Where the writer stands now.
  public var progress: Progress {
    core.monitor.withLock { state in
      var progress = Progress(
        appendedDuration: .zero, fileBytes: state.fileBytes, framesInFlight: 0, queueDepth: 0)
      for input in state.inputs {
        switch input.track {
        case .unprepared: break
        case .video(let video):
          let end = video.rate.time(ofFrame: (video.lastSlot ?? -1) + 1)
          progress.appendedDuration = max(progress.appendedDuration, end)
          progress.framesInFlight += video.pending.count
          progress.queueDepth += video.depth
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
  package var reservedByteCount: Int64 { core.monitor.withLock { $0.reservedBytes } }

  /// What happened to each frame and sample so far.
  public var report: Report {
    core.monitor.withLock { state in
      var report = Report()
      report.status = "\(state.status)"
      report.error = state.error?.message
      report.threads = state.threadScheduling
      for input in state.inputs {
        if case .video(let video) = input.track { report.threads += video.encoder.threadScheduling }
        switch input.settings {
        case .video(let settings, _):
          var track = input.account.video
          track.codec = settings.codec.rawValue
          track.encodeTime = input.account.encodeTime.distribution
          track.latency = input.account.latency.distribution
          track.fileLatency = input.account.fileLatency.distribution
          report.video.append(track)
        case .audio: report.audio.append(input.account.audio)
        }
      }
      report.fileBytes = state.fileBytes
      report.segments = state.segments
      report.duration =
        state.status == .writing || state.segments.isEmpty
        ? state.inputs.map(\.headTime).max() ?? 0 : state.segments.reduce(0) { $0 + $1.duration }
      report.writeTime = state.writeTime.distribution
      report.writerProcessorTime = Double(state.writerProcessorTime) / 1e9
      return report
    }
  }
}
