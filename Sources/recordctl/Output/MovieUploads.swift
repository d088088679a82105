import Foundation
import MediaCore
import ObjectStorage
import Synchronization
import TakeReports
import Takes
import VideoRecorder

/// Hands completed movies to a process that sends them, and says what becomes of them.
final class MovieUploads: Sendable {
  /// What has become of a take's movies, in JSON.
  struct Result: Encodable {
    struct Upload: Encodable {
      let address: String
      let movies: [UploadDispatcher.Movie]
    }

    let upload: Upload
  }

  private let address: ObjectAddress
  private let dispatcher: UploadDispatcher
  private let listener: Listener

  private final class Listener: Sendable {
    private let tell = Mutex<(@Sendable (String) -> Void)?>(nil)
    func observe(_ tell: @escaping @Sendable (String) -> Void) {
      self.tell.withLock { $0 = tell }
    }
    func hear(_ line: String) {
      Console.note(line)
      tell.withLock { $0 }?(line)
    }
  }

  /// - Parameters:
  ///   - lockDuration: Seconds for which the objects are locked; nil for no lock.
  ///   - words: The command line of the process that sends.
  init(to address: ObjectAddress, removesVerified: Bool, lockDuration: Double?, words: [String]) {
    let listener = Listener()
    self.listener = listener
    self.address = address
    // This very program, also where it was replaced meanwhile.
    dispatcher = UploadDispatcher(
      UploadQueue(of: address), removesVerified: removesVerified,
      // Without credentials, the sending process reports what is missing.
      terms: UploadTerms(
        server: (try? StorageAccount())?.endpoint.description, lockDuration: lockDuration),
      program: "/proc/self/exe", words: words
    ) { listener.hear($0) }
  }

  /// Adds the upload of its movies to a recording.
  func attach(to request: inout RecordingRequest) {
    request.completedMovieHandler = { [dispatcher] in dispatcher.add($0) }
  }

  /// Also reports failures to `tell`.
  func observe(_ tell: @escaping @Sendable (String) -> Void) { listener.observe(tell) }

  /// What has become of a take's movies so far.
  func result(of report: RecordingReport) -> Result {
    Result(upload: .init(address: address.description, movies: movies(of: report)))
  }

  private func movies(of report: RecordingReport) -> [UploadDispatcher.Movie] {
    let paths = report.finishedMovies.map(\.path)
    for path in paths { dispatcher.add(path) }
    return dispatcher.movies(paths)
  }

  /// The same in a line.
  func line(of report: RecordingReport) -> String {
    let movies = movies(of: report)
    let verified = movies.count { $0.state == .verified }
    return "upload: \(verified) of \(Quantity.count(movies.count, "movie")) verified in \(address)"
  }

  /// Says what is still to be sent.
  func finish() {
    let count = dispatcher.leave()
    guard count > 0 else { return }
    Console.note(
      "\(Quantity.count(count, "movie")) still to be sent to \(address) by another process; "
        + "after a restart of the machine `recordctl upload --queued \(address)` continues")
  }
}
