public import MediaCore
public import Monitor
public import TakeReports

/// An event from a recorder.
public struct RecorderEvent: Sendable, Hashable, Codable {
  /// The kinds of event.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// The first line of a connection, which every client gets: it identifies the recorder.
    case greeting
    /// The state has changed; also the first event after it was subscribed to.
    case state
    case takeStarted
    /// A take is complete.
    case takeFinished
    case marker
    /// The take continues in a new movie.
    case split
    /// A line for people.
    case notice
    /// Black, standstill or silence has begun or ended.
    case alarm
    /// Audio levels.
    case levels
    /// A frame: its bytes follow the line.
    case picture
  }

  /// The result of a take.
  public struct FinishedTake: Sendable, Hashable, Codable {
    /// Its number in the session, from 1.
    public var number: Int
    /// The path of its first movie.
    public var path: String
    public var outcome: RecordingReport.Outcome
    /// The paths of all its movies.
    public var movies: [String]
    public var frameCount: Int64
    public var dropped: Int
    public var repeated: Int
    public var damaged: Int
    /// The duration in seconds.
    public var duration: Double
    public var startTimecode: String?
    /// Frames of each of the movies; missing from a recorder of an earlier version.
    public var movieFrames: [Int64]?
    /// The length of each of the movies in slots of the timeline, its duration at ``frameRate``: more than
    /// ``movieFrames`` if gaps were left open. Markers are counted in slots. Missing from a recorder of an
    /// earlier version.
    public var movieSlots: [Int64]?
    /// The slot of the take that each of the movies begins at; missing if each begins at the end of the
    /// one before it, as they do unless a file was lost.
    public var movieStarts: [Int64]?
    /// The first frame's address in each of the movies; missing without timecode, and from a recorder of an
    /// earlier version.
    public var movieTimecodes: [String]?
    /// Bytes of all its movies; missing from a recorder of an earlier version.
    public var fileSize: Int64?
    /// Frames a second: `25`, `30000/1001`; missing from a recorder of an earlier version.
    public var frameRate: String?
    /// When the first frame was shot, by ISO 8601.
    public var startDate: String?
    /// The frames' width in pixels; missing if the source came back with another size, and from a recorder
    /// of an earlier version.
    public var width: Int?
    /// The frames' height in pixels; missing if ``width`` is.
    public var height: Int?
    /// Audio channels in the first movie, of all its sources together; missing without audio, and from a
    /// recorder of an earlier version.
    public var audioChannels: Int?
    /// The sample rate of the first audio source in hertz; missing if ``audioChannels`` is.
    public var audioRate: Int?
    /// The markers, with frames counted in slots from the take's first one; missing if there are none.
    public var markers: [RecordingReport.Marker]?
    /// Loudness since the start of the take; missing if it was not measured.
    public var loudness: Loudness?
    /// Why it ended; missing from a recorder of an earlier version.
    public var end: RecordingReport.End?
    /// How often the take's source was away, why the take ended, and which copies were lost, in words;
    /// missing if the take ended on request and is complete in all its places.
    public var message: String?
    /// The number of movies and markers at the ends of their lists that did not fit into the message; the
    /// sidecars have them. Missing if all are listed.
    public var omitted: Int?
  }

  /// A take whose movies were moved into a library.
  public struct SavedTake: Sendable, Hashable, Codable {
    /// Its number in the session, from 1.
    public var number: Int
    /// The present paths of its movies, in the order of the `takeFinished` event.
    public var movies: [String]
  }

  /// Problems with the incoming video or audio.
  public enum AlarmName: String, Sendable, Hashable, Codable, CaseIterable {
    case black
    case freeze
    case silence
  }

  /// The beginning or end of an alarm.
  public struct Alarm: Sendable, Hashable, Codable {
    public var name: AlarmName
    /// True if the alarm has begun, false if it has ended.
    public var isPresent: Bool
  }

  public var event: Kind
  /// The time of the event, by ISO 8601 in UTC.
  public var date: String
  public var status: RecorderStatus?
  public var take: RecorderStatus.Take?
  public var finished: FinishedTake?
  /// In a notice that a take was saved to a library: the take.
  public var saved: SavedTake?
  public var marker: RecordingReport.Marker?
  public var alarm: Alarm?
  /// The levels of each channel.
  public var levels: [LevelMeter.Level]?
  /// Loudness, with levels.
  public var loudness: Loudness?
  public var picture: MonitorFrameHeader?
  /// A line for people.
  public var message: String?
  /// The version of the recorder, in a greeting.
  public var recorder: String?

  package init(_ event: Kind) {
    self.event = event
    date = TakeSidecar.now
  }
}
