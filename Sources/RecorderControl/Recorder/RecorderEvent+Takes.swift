import AssetWriter
import MediaCore
import TakeReports
import Takes
import VideoRecorder

extension RecorderEvent {
  /// What those who listen are told of something that happened in a session; nil for nothing.
  init?(_ event: TakeSession.Event) {
    switch event {
    case .started(let number, let path):
      self.init(.takeStarted)
      take = .init(number: number, path: path)
    case .finished(let take):
      self.init(.takeFinished)
      finished = FinishedTake(number: take.number, take.report, take.outcome)
    case .marked(let marker):
      self.init(.marker)
      self.marker = marker
    case .cut: self.init(.split)
    case .series(.interrupted(let report)):
      self.init(.notice)
      message = "the source went away (\(report.end.rawValue)); it is awaited"
    case .series(.resumed(let path)):
      self.init(.notice)
      message = "the source is back; the take goes on in \(path)"
    case .series(.noticed(let text)):
      self.init(.notice)
      message = text
    case .sourceLost(let error, _):
      self.init(.notice)
      message = error.message
    case .changed:
      self.init(.notice)
      message = "the next takes are recorded by another preset"
    case .standingBy, .idle, .paused, .resumed, .refused: return nil
    }
  }
}

extension RecorderEvent.FinishedTake {
  init(number: Int, _ report: RecordingReport, _ outcome: RecordingReport.Outcome) {
    let all = [report] + report.continuations
    self.init(
      number: number, path: report.movie.path, outcome: outcome,
      movies: all.flatMap(\.segments).map(\.path),
      frameCount: all.reduce(0) { $0 + $1.movie.frameCount },
      dropped: all.reduce(0) { $0 + $1.frames.dropped },
      repeated: all.reduce(0) { $0 + $1.frames.repeated },
      damaged: all.reduce(0) { $0 + $1.frames.damaged },
      duration: all.reduce(0) { $0 + $1.movie.duration },
      startTimecode: report.movie.startTimecode)
    movieFrames = all.flatMap(\.segments).map(\.frameCount)
    frameRate = report.movie.frameRate
    startDate = report.movie.startDate
    markers = Self.markers(of: all)
    end = all.last?.end
    message = all.last?.error?.message
  }

  /// The markers of all parts of a take, which went on after its source was away.
  private static func markers(of all: [RecordingReport]) -> [RecordingReport.Marker]? {
    var markers: [RecordingReport.Marker] = []
    var (frames, seconds) = (Int64(0), 0.0)
    for part in all {
      markers += (part.markers ?? []).map { marker in
        var marker = marker
        marker.frame += frames
        marker.seconds += seconds
        return marker
      }
      frames += part.movie.frameCount
      seconds += part.movie.duration
    }
    return markers.isEmpty ? nil : markers
  }
}

extension RecorderStatus.Source {
  init(_ setup: RecordingSetup, hasSignal: Bool) {
    let selection = setup.selection
    let pictures = selection.format.video
    self.init(
      deviceID: selection.device.uniqueID, deviceName: selection.device.localizedName,
      format: "\(selection.format)", width: pictures?.dimensions.width,
      height: pictures?.dimensions.height, isInterlaced: pictures?.fieldOrder.isInterlaced,
      frameRate: selection.frameRate?.fraction,
      preset: setup.request.preset.name, codec: setup.request.preset.video.codec.shortName,
      hasSignal: hasSignal)
  }
}
