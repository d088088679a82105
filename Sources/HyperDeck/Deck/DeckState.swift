public import MediaCore
public import RecorderControl
import TakeReports

/// A recorder as a deck: its transport, slot and clips.
public struct DeckState: Sendable, Hashable {
  /// The states of a transport that never plays.
  public enum Transport: String, Sendable, Hashable {
    /// The input is shown, and a take may begin.
    case preview
    case stopped
    case record
  }

  /// The states of a slot.
  public enum SlotStatus: String, Sendable, Hashable {
    /// The recorder is missing.
    case empty
    case mounting
    case error
    case mounted
  }

  /// The name given to it since the server started; nil for that of its identity.
  public internal(set) var name: String?
  public internal(set) var transport = Transport.stopped
  public internal(set) var slotStatus = SlotStatus.empty
  /// Why no take could begin, if the recorder reports it.
  public internal(set) var message: String?
  /// The frame rate; nil if the device does not report it.
  public internal(set) var rate: FrameRate?
  /// The frames' size.
  public internal(set) var dimensions: VideoDimensions?
  public internal(set) var isInterlaced = false
  /// A deck's name of the video format; `none` if it is unknown.
  public internal(set) var videoFormat = "none"
  /// The same for the input; `none` while it has no signal.
  public internal(set) var inputVideoFormat = "none"
  /// A deck's name of the codec in a QuickTime movie.
  public internal(set) var fileFormat = "none"
  /// The codec's short name here.
  public internal(set) var codec = ""
  /// The timecode of the last frame.
  public internal(set) var displayTimecode = DeckTimecode.zero
  /// The position in the take, as a timecode.
  public internal(set) var timecode = DeckTimecode.zero
  /// The position in the take, in frames.
  public internal(set) var frame: Int64 = 0
  /// The name of the movie being recorded.
  public internal(set) var movie: String?
  /// Seconds that can still be recorded; between takes the last known figure, nil before the first.
  public internal(set) var recordingTime: Int?
  /// Free bytes on the volume; nil if unknown.
  public internal(set) var freeBytes: Int64?
  /// The name of the last take's folder; before the first take, that of the next one's.
  public internal(set) var volumeName: String
  /// True once a take has reported its folder, and with it the volume's name.
  private var hasTakeFolder = false
  /// The last ``clipLimit`` takes that ended since the server started.
  public internal(set) var clips: [DeckClip] = []
  /// False if a client has switched remote control off.
  public internal(set) var isRemoteEnabled = true

  /// The maximum number of takes listed.
  public static let clipLimit = 500

  /// The state before anything is known.
  public init(_ identity: DeckIdentity) { volumeName = identity.volumeName }

  /// The clip that the transport is in, from 1: the take being recorded, or the last one; nil for
  /// none.
  public var clipID: Int? {
    if transport == .record { return clips.count + 1 }
    return clips.isEmpty ? nil : clips.count
  }

  /// The video that the device delivers; nil if unknown.
  var video: DeckVideo? {
    guard let dimensions, let rate else { return nil }
    return DeckVideo(dimensions: dimensions, rate: rate, isInterlaced: isInterlaced)
  }

  /// Renames the deck for clients.
  public mutating func rename(_ name: String) { self.name = name }

  /// Adopts an update of the recorder's state.
  public mutating func adopt(_ update: RecorderUpdate) {
    switch update {
    case .status(let status): adopt(status)
    case .event(let event): if let finished = event.finished { adopt(finished) }
    case .away(let text):
      (transport, slotStatus, message) = (.stopped, .empty, text)
      (inputVideoFormat, recordingTime, freeBytes, movie) = ("none", nil, nil, nil)
      (displayTimecode, timecode, frame) = (DeckTimecode.zero, DeckTimecode.zero, 0)
    }
  }

  private mutating func adopt(_ status: RecorderStatus) {
    message = status.message
    switch status.state {
    case .idle, .standingBy, .armed: (transport, slotStatus) = (.preview, .mounted)
    case .recording: (transport, slotStatus) = (.record, .mounted)
    case .finishing, .awaitingSource: (transport, slotStatus) = (.stopped, .mounted)
    case .starting: (transport, slotStatus) = (.stopped, .mounting)
    case .ended: (transport, slotStatus) = (.stopped, .error)
    }
    if let source = status.source { adopt(source) }
    let progress = transport == .record ? status.progress : nil
    movie = transport == .record ? status.take.map { $0.path.pathName } : nil
    displayTimecode = DeckTimecode.text(status.progress?.timecode, rate: rate)
    frame = progress?.frames ?? 0
    timecode = DeckTimecode.text(frames: frame, rate: rate, like: displayTimecode)
    let secondsLeft = status.progress?.worstCaseSecondsLeft ?? status.disk?.worstCaseSecondsLeft
    if let seconds = secondsLeft, seconds.isFinite {
      recordingTime = Int(min(max(seconds, 0), 1e9))
    }
    if let free = status.progress?.freeDiskSpace ?? status.disk?.freeSpace { freeBytes = free }
    if let folder = status.take?.path.pathParts().dropLast().last {
      volumeName = String(folder)
      hasTakeFolder = true
    } else if !hasTakeFolder, let folder = status.disk?.folderName {
      volumeName = folder
    }
  }

  private mutating func adopt(_ source: RecorderStatus.Source) {
    rate = source.frameRate.flatMap { FrameRate($0) }
    isInterlaced = source.isInterlaced ?? false
    dimensions = source.width.flatMap { width in
      source.height.map { VideoDimensions(width: width, height: $0) }
    }
    videoFormat = DeckFormat.video(
      width: source.width, height: source.height, rate: rate, isInterlaced: isInterlaced)
    inputVideoFormat = source.hasSignal ? videoFormat : "none"
    codec = source.codec
    fileFormat = DeckFormat.file(codec: source.codec)
  }

  private mutating func adopt(_ finished: RecorderEvent.FinishedTake) {
    let start = DeckTimecode.text(finished.startTimecode, rate: rate)
    let length = Self.length(finished)
    var clip = DeckClip(
      name: finished.path.pathName, start: start,
      duration: DeckTimecode.text(frames: length, rate: rate, like: start),
      frameCount: length, fileFormat: fileFormat, videoFormat: videoFormat)
    (clip.codec, clip.video, clip.fileSize) = (codec, video, finished.fileSize)
    clips.append(clip)
    if clips.count > Self.clipLimit { clips.removeFirst(clips.count - Self.clipLimit) }
  }

  /// A clip's duration in frames, including gaps left open. For a take with more movies than are listed, only its
  /// number of frames is known.
  private static func length(_ finished: RecorderEvent.FinishedTake) -> Int64 {
    guard finished.omitted == nil, let slots = finished.movieSlots, let last = slots.last else {
      return finished.frameCount
    }
    return finished.movieStarts?.last.map { $0 + last } ?? slots.reduce(0, +)
  }
}
