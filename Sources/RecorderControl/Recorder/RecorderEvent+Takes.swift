import AssetWriter
import MediaCore
import TakeReports
import Takes
import VideoRecorder

extension RecorderEvent {
  /// The event that listeners get for an event of the session; nil for none.
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
      message = "the source was lost (\(report.end.rawValue)); waiting for it"
    case .series(.resumed(let path)):
      self.init(.notice)
      message = "the source is back; the take continues in \(path)"
    case .series(.noticed(let text)):
      self.init(.notice)
      message = text
    case .sourceLost(let error, _):
      self.init(.notice)
      message = error.message
    case .changed:
      self.init(.notice)
      message = "the next takes use another preset"
    case .standingBy, .idle, .paused, .resumed, .refused: return nil
    }
  }
}

extension RecordingSeries.Event {
  /// Why a take gets no frames after this event until its source is back, in words; nil if it gets frames.
  ///
  /// - Parameter before: The reason before this event; nil for none.
  func sourceAway(besides before: String?) -> String? {
    switch self {
    case .interrupted(let report):
      let reason = report.error?.message ?? "it is gone"
      return "the source is lost; the take continues when it is back: \(reason)"
    case .resumed: return nil
    case .noticed: return before
    }
  }
}

extension RecorderEvent {
  /// The notice that a take's movies were moved into a library. It is a notice because clients of earlier
  /// versions know that event.
  ///
  /// - Parameter paths: The present paths of moved movies, by their file names.
  init(saved take: TakeSession.Take, at paths: [String: String]) {
    var reported = FinishedTake(number: take.number, take.report, take.outcome)
    reported.movies = reported.movies.map { paths[$0.pathName] ?? $0 }
    reported.markers = nil
    reported.shorten()
    self.init(.notice)
    message = "take \(take.number) is in the library"
    saved = SavedTake(number: take.number, movies: reported.movies)
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
    let segments = all.flatMap(\.segments)
    movieFrames = segments.map(\.frameCount)
    let addresses = segments.compactMap(\.startTimecode)
    movieTimecodes = addresses.count == segments.count ? addresses : nil
    placeMovies(of: all)
    let (size, audio) = (report.movie, report.audio.filter { $0.channelCount > 0 })
    if all.allSatisfy({ $0.movie.width == size.width && $0.movie.height == size.height }) {
      (width, height) = (size.width, size.height)
    }
    if let first = audio.first {
      (audioChannels, audioRate) = (audio.reduce(0) { $0 + $1.channelCount }, first.sampleRate)
    }
    fileSize = all.reduce(0) { $0.addingSaturating($1.movie.fileSize) }
    frameRate = report.movie.frameRate
    startDate = report.movie.startDate
    markers = Self.markers(of: all)
    end = all.last?.end
    let reasons = [
      Self.interruptions(all.count - 1), all.last?.error?.message, Self.lossOfCopies(in: all),
    ].compactMap(\.self)
    message = reasons.isEmpty ? nil : reasons.joined(separator: "; ")
    shorten()
  }

  /// The bytes of a message for movies and markers, which leaves enough for the rest of the line.
  private static let room = MessageLine.answerLimit / 4 * 3

  /// Drops movies and markers from the ends of their lists if there are too many for a message.
  mutating func shorten(to room: Int = room) {
    var left = room
    func fits(_ text: String, besides others: Int) -> Bool {
      left -= others + text.utf8.reduce(0) { $0 + Self.length($1) }
      return left >= 0
    }
    let shownMovies = movies.prefix { fits($0, besides: 100) }.count
    let shownMarkers = markers?.prefix { fits($0.note, besides: 120) }.count ?? 0
    let lost = movies.count - shownMovies + (markers?.count ?? 0) - shownMarkers
    guard lost > 0 else { return }
    omitted = lost
    movies = Array(movies.prefix(shownMovies))
    movieFrames = movieFrames.map { Array($0.prefix(shownMovies)) }
    movieTimecodes = movieTimecodes.map { Array($0.prefix(shownMovies)) }
    movieSlots = movieSlots.map { Array($0.prefix(shownMovies)) }
    movieStarts = movieStarts.map { Array($0.prefix(shownMovies)) }
    markers = markers.map { Array($0.prefix(shownMarkers)) }
  }

  /// The most bytes that a byte of text becomes in JSON.
  private static func length(_ byte: UInt8) -> Int {
    switch byte {
    case ..<0x20, 0x7F: 6
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): 2
    default: 1
    }
  }

  /// The remark about a take whose source went away and came back `count` times; nil if it did not.
  private static func interruptions(_ count: Int) -> String? {
    guard count > 0 else { return nil }
    let times = count == 1 ? "once" : "\(count) times"
    return "the source was lost \(times), and its frames from then are missing"
  }

  /// The remark about a take that was to be on two disks and lost copies; nil if it lost none.
  private static func lossOfCopies(in reports: [RecordingReport]) -> String? {
    let count = reports.reduce(0) { $0 + $1.lostCopyCount }
    let all = reports.reduce(0) { $0 + $1.segments.count }
    guard count > 0 else { return nil }
    return count == all
      ? "the take is in one place only: its copy was lost"
      : "\(count) of \(all) movies are in one place only: their copies were lost"
  }

  /// Sets the positions of the movies on the take's timeline.
  private mutating func placeMovies(of all: [RecordingReport]) {
    var (starts, lengths, origin, end) = ([Int64](), [Int64](), Int64(0), Int64(0))
    var isContiguous = true
    for part in all {
      for segment in part.segments {
        let start = origin + segment.firstFrame
        isContiguous = isContiguous && start == end
        starts.append(start)
        lengths.append(segment.slots(at: FrameRate(part.movie.frameRate)))
        end = start + (lengths.last ?? 0)
      }
      origin += part.slots
    }
    movieSlots = lengths
    movieStarts = isContiguous ? nil : starts
  }

  /// The markers of all parts of a take; each interruption of the source begins a new part.
  private static func markers(of all: [RecordingReport]) -> [RecordingReport.Marker]? {
    var markers: [RecordingReport.Marker] = []
    var (slots, seconds) = (Int64(0), 0.0)
    for part in all {
      markers += (part.markers ?? []).map { marker in
        var marker = marker
        marker.frame += slots
        marker.seconds += seconds
        return marker
      }
      let length = part.slots
      slots += length
      seconds +=
        FrameRate(part.movie.frameRate)?.time(ofFrame: length).seconds ?? part.movie.duration
    }
    return markers.isEmpty ? nil : markers
  }
}

extension RecordingReport {
  /// The number of slots up to the end of the last movie, or up to a later marker whose frame was not recorded.
  fileprivate var slots: Int64 {
    let rate = FrameRate(movie.frameRate)
    let end =
      segments.map { $0.firstFrame + $0.slots(at: rate) }.max()
      ?? max(rate?.slots(in: movie.duration) ?? 0, movie.frameCount)
    return max(end, markers?.map { $0.frame + 1 }.max() ?? 0)
  }
}

extension RecorderStatus.Source {
  init(_ setup: RecordingSetup, hasSignal: Bool) {
    let selection = setup.selection
    let video = selection.format.video
    self.init(
      deviceID: selection.device.uniqueID, deviceName: selection.device.localizedName,
      format: "\(selection.format)", width: video?.dimensions.width,
      height: video?.dimensions.height, isInterlaced: video?.fieldOrder.isInterlaced,
      frameRate: selection.frameRate?.fraction,
      preset: setup.request.preset.name, codec: setup.request.preset.video.codec.shortName,
      hasSignal: hasSignal)
  }
}
