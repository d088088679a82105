import AssetWriter
public import CaptureDevices
import FoundationEssentials
import MediaCore
import Synchronization
public import TakeReports
public import VideoRecorder

/// A shooting day: take after take from devices that stay open.
///
/// Between takes the output stands by, so that a take begins exactly with the frame at its
/// `StartMark`, or with the preset's pre-roll before it. The next take can begin while the previous one is being
/// completed. Each take has its own name, number, report and sidecar.
///
/// ```swift
/// let session = try TakeSession(request, name: "{scene}-{take}.mov")
/// Task { try await session.run { event in print(event) } }
/// session.send(.toggle(.now))
/// ```
///
/// If a source goes away during a take, the preset's ``InterruptionPolicy`` applies. Between takes, its return is
/// awaited for the time that the preset gives; with ``InterruptionPolicy/stop`` the session ends.
public final class TakeSession: Sendable {
  /// What a session can be told to do.
  public enum Command: Sendable, Hashable {
    /// Begins a take at a mark; refused while one is recorded.
    case start(StartMark)
    /// Begins a take at a mark, or ends the one that is recorded.
    case toggle(StartMark)
    /// Begins a take at a mark with a slate of its own; refused while one is recorded.
    case startTake(TakeSlate, StartMark)
    /// Looks whether a take could have that slate: refused for a name that cannot be, or is taken.
    case checkTake(TakeSlate)
    /// Ends the take that is recorded; refused where there is none.
    case stop
    /// True to stand by between takes, so that a take begins with the exact frame and its pre-roll; false to
    /// encode and keep nothing. Takes effect at once between takes, or else after the present one.
    case standBy(Bool)
    /// Marks the frame that was recorded last, with a note.
    case mark(String)
    /// Pauses the take that is recorded, or resumes it.
    case togglePause
    /// Lets the take that is recorded go on in a new movie.
    case cut
    /// Ends the take that is recorded, and the session.
    case end
    /// Ends the session; refused while a take is recorded or completed.
    case endBetweenTakes
  }

  /// What happens in a session.
  public enum Event: Sendable {
    /// The session stands by for the take of this number, from 1.
    case standingBy(number: Int)
    /// The devices flow, and nothing is kept before the take of this number is begun.
    case idle(number: Int)
    /// A take has begun.
    case started(number: Int, path: String)
    /// The take leaves out what comes.
    case paused
    /// The take is recorded again.
    case resumed
    /// The take goes on in a new movie from the next frame on.
    case cut
    /// A frame was marked.
    case marked(RecordingReport.Marker)
    /// From now on takes are recorded by another request, that of ``TakeSession/setup``.
    case changed
    /// A take lost its source, or goes on in a new movie.
    case series(RecordingSeries.Event)
    /// A take is complete. Takes are told of in their order.
    case finished(Take)
    /// A command cannot be carried out now; the session continues.
    case refused(CaptureError)
    /// The source went away between takes. Where it is not awaited, the session ends.
    case sourceLost(CaptureError, isAwaited: Bool)
  }

  /// A take that is complete.
  public struct Take: Sendable, Hashable {
    /// Its number in the session, from 1.
    public let number: Int
    /// What became of it, with the recordings that continued it.
    public let report: RecordingReport
    /// Its outcome.
    public let outcome: RecordingReport.Outcome
  }

  /// Told what a command has come to: what happened by it, where something did, or why it was refused.
  /// It must return at once.
  public typealias Answer = @Sendable (Result<Event?, CaptureError>) -> Void

  /// The outcome of a session.
  public struct Outcome: Sendable, Hashable {
    /// The takes, in order; at least one, unless the session idles.
    public let takes: [Take]
    /// Why the session ended; nil if it was told to end, or its source ended.
    public let failure: CaptureError?
    /// True if the session ended with its source, as that of a file does.
    public let endedWithSource: Bool

    /// The outcome of the worst take; at best `RecordingReport.Outcome.endedEarly` where something
    /// ended the session before that was asked for.
    public var worst: RecordingReport.Outcome {
      let all = takes.map(\.outcome) + (failure == nil ? [] : [.endedEarly])
      return all.max() ?? .complete
    }
  }

  /// What reaches the loop.
  enum Input: Sendable {
    case command(Command, Answer?)
    /// The next takes are to be recorded by this request.
    case change(RecordingRequest, Answer?)
    /// The devices gave up while nothing was kept of them.
    case idleEnded(RecordingSetup, CaptureError?)
    /// A recording has ended: a take's first one, or one that only stood by.
    case recordingEnded(MovieRecording, RecordingReport)
    /// A take that went on after interruptions has ended.
    case takeEnded(number: Int, RecordingReport)
    /// The devices were opened again, and flow.
    case sourceBack(RecordingSetup)
    /// The source was awaited for as long as it may be.
    case sourceGivenUp

    /// Receives the answer; nil for nobody.
    var answer: Answer? {
      switch self {
      case .command(_, let answer), .change(_, let answer): answer
      default: nil
      }
    }
  }

  /// What is to be seen at present.
  enum Present: Sendable {
    case setup(RecordingSetup)
    case series(RecordingSeries)

    var setup: RecordingSetup {
      switch self {
      case .setup(let setup): setup
      case .series(let series): series.setup
      }
    }
  }

  /// True to keep nothing between takes, until ``Command/standBy(_:)``.
  public let idles: Bool
  /// What the first take is set up with.
  public let request: RecordingRequest
  /// The name of the takes, with wildcards; nil for the preset's.
  let name: String?
  /// The number of the first take.
  let firstTake: Int
  let inputs: AsyncStream<Input>
  let input: AsyncStream<Input>.Continuation
  let present: Mutex<Present>

  /// Sets the session up, without opening devices.
  ///
  /// - Parameters:
  ///   - request: What to record. Its take is the number of the first one, and its duration is that of
  ///     each.
  ///   - name: The name of the takes, with the wildcards of ``MovieName``; nil for the preset's.
  ///     The number of the take is added if the name would be the same for every take.
  ///   - idles: True to keep and encode nothing between takes until ``Command/standBy(_:)``. A take then
  ///     begins a moment later: its encoder is made first.
  /// - Throws: As ``RecordingSetup/init(_:)``, and `CaptureError.Code.invalidArgument` for a name
  ///   that cannot be.
  public init(
    _ request: RecordingRequest, name: String?, idles: Bool = false
  ) throws(CaptureError) {
    self.idles = idles
    var request = request
    firstTake = request.names.take ?? 1
    request.names.take = nil
    request.takeIdentifier = nil
    self.request = request
    self.name = name
    let setup = try RecordingSetup(request)
    try Self.checkName(name, of: setup, from: firstTake, idles: idles)
    present = Mutex(.setup(setup))
    (inputs, input) = AsyncStream.makeStream(of: Input.self)
  }

  /// Refuses a name that cannot be. Where takes are begun by somebody's word, that says the reel and the
  /// scene yet.
  static func checkName(
    _ name: String?, of setup: RecordingSetup, from first: Int, idles: Bool
  ) throws(CaptureError) {
    let names = setup.request.names
    _ = try setup.movieName(
      for: name, from: first, tellsTakes: true, reel: names.reel ?? (idles ? "reel" : nil),
      scene: names.scene ?? (idles ? "scene" : nil))
  }

  /// The set-up that is used at present.
  public var setup: RecordingSetup { present.withLock { $0.setup } }

  /// Where the next take is to be made, in the words in which that was asked for.
  package var destination: String { name ?? setup.request.outputFolder ?? "" }

  /// The path of the folder that the next take is made in; nil for a name that cannot be. Asks the disk, which
  /// may hang.
  package var folderPath: String? { setup.folder(of: name)?.path }

  /// The path of the first take, as far as it is known before it begins.
  ///
  /// - Throws: As ``MovieName/resolve(_:from:isTaken:)``.
  public func firstPath() throws(CaptureError) -> String {
    try setup.movieName(for: name, from: firstTake, tellsTakes: true).path
  }

  /// Tells the session to do something; returns at once. Commands are obeyed in their order.
  public func send(_ command: Command) { put(.command(command, nil)) }

  /// As ``send(_:)``, with an answer. A session that has ended refuses all.
  public func send(_ command: Command, answer: @escaping Answer) {
    put(.command(command, answer))
  }

  private func put(_ order: Input) {
    if case .terminated = input.yield(order) { order.answer?(.failure(Self.hasEnded)) }
  }

  private static let hasEnded = CaptureError(.invalidState, "the recorder has ended")

  /// Obeys nothing any more. What came too late is told so.
  private func refuseFurther() async {
    input.finish()
    for await late in inputs { late.answer?(.failure(Self.hasEnded)) }
  }

  /// Records the next takes by another request: preset, format, values for the name, folder. Reopens the devices.
  /// Refused during a take, and if the request cannot be met, in which case the previous one stays in
  /// effect.
  public func change(to request: RecordingRequest, answer: Answer? = nil) {
    put(.change(request, answer))
  }

  /// Opens the devices, and records until ``Command/end`` or the end of the source. To be called once.
  ///
  /// - Parameter tell: Told of what happens, in order; it must return at once.
  /// - Returns: The takes, and what ended the session.
  /// - Throws: What opening the devices throws, and why there was no take where none was recorded.
  public func run(
    telling tell: @escaping @Sendable (Event) -> Void
  ) async throws(CaptureError) -> Outcome {
    var loop = TakeLoop(self, telling: tell)
    do throws(CaptureError) { try await loop.begin() } catch {
      await refuseFurther()
      throw error
    }
    for await input in inputs {
      await loop.handle(input)
      if loop.isOver { break }
    }
    await loop.close()
    await refuseFurther()
    guard !loop.takes.isEmpty || idles && loop.failure == nil else {
      throw loop.failure
        ?? CaptureError(.invalidState, "the session ended before a take was recorded")
    }
    return Outcome(
      takes: loop.takes, failure: loop.failure, endedWithSource: loop.hasSourceEnded)
  }
}
