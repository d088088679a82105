public import MediaCore
public import Monitor
public import TakeReports

/// An event from a recorder.
public struct RecorderEvent: Sendable, Hashable, Codable {
  /// The kinds of event.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// The first line of a connection, which everybody gets: who answers.
    case greeting
    /// The state has changed; also the first event after it was subscribed to.
    case state
    case takeStarted
    /// A take is complete.
    case takeFinished
    case marker
    /// The take goes on in a new movie.
    case split
    /// A line for people.
    case notice
    /// Black, standstill or silence has begun or ended.
    case alarm
    /// Levels of sound.
    case levels
    /// A picture: its bytes follow the line.
    case picture
  }

  /// What became of a take.
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
    /// ``movieFrames`` where gaps stay open. Markers are counted in slots. Missing from a recorder of an
    /// earlier version.
    public var movieSlots: [Int64]?
    /// The slot of the take that each of the movies begins at; missing where each begins where the one
    /// before it ends, as all do unless a file was lost.
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
    /// The pictures' size in pixels; missing where the source came back with another one, and from a recorder
    /// of an earlier version.
    public var width: Int?
    /// The pictures' rows; missing where ``width`` is.
    public var height: Int?
    /// Channels of sound in the first movie, those of all its sources; missing where there is no sound, and
    /// from a recorder of an earlier version.
    public var audioChannels: Int?
    /// Samples a second of the first source of sound; missing where ``audioChannels`` is.
    public var audioRate: Int?
    /// The markers, their frames counted in slots from the take's first one; missing where there are none.
    public var markers: [RecordingReport.Marker]?
    /// Loudness from the moment on at which the take was begun; missing where it was not measured.
    public var loudness: Loudness?
    /// Why it ended; missing from a recorder of an earlier version.
    public var end: RecordingReport.End?
    /// How often its source was away, what ended it and what was lost of its copies, for people; missing if it
    /// ended on request and is whole in each of its places.
    public var message: String?
    /// Movies and markers, the last ones, that a message has no room for; the sidecars have them. Missing
    /// where there are none.
    public var omitted: Int?
  }

  /// A take whose movies have gone into a library.
  public struct SavedTake: Sendable, Hashable, Codable {
    /// Its number in the session, from 1.
    public var number: Int
    /// Where its movies lie now, in the order in which it was told when it was complete.
    public var movies: [String]
  }

  /// Problems with the incoming video or audio.
  public enum AlarmName: String, Sendable, Hashable, Codable, CaseIterable {
    case black
    case freeze
    case silence
  }

  /// An alarm that has begun or ended.
  public struct Alarm: Sendable, Hashable, Codable {
    public var name: AlarmName
    /// True where it has begun.
    public var isPresent: Bool
  }

  public var event: Kind
  /// When it was told, by ISO 8601 in UTC.
  public var date: String
  public var status: RecorderStatus?
  public var take: RecorderStatus.Take?
  public var finished: FinishedTake?
  /// With a notice, where a take was saved.
  public var saved: SavedTake?
  public var marker: RecordingReport.Marker?
  public var alarm: Alarm?
  /// The levels of each channel.
  public var levels: [LevelMeter.Level]?
  /// Loudness, with levels.
  public var loudness: Loudness?
  public var picture: PictureHeader?
  /// A line for people.
  public var message: String?
  /// The version of the recorder, in a greeting.
  public var recorder: String?

  package init(_ event: Kind) {
    self.event = event
    date = TakeSidecar.now
  }
}
