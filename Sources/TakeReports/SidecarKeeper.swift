package import AssetWriter
package import CaptureDevices
import Dispatch
import FoundationEssentials
import MediaCore
package import QuickTime
import Synchronization

/// Writes the sidecars of a take's movies: one with the request when a movie begins, and a full one
/// when it is complete.
///
/// It works on its own queue, and on one for each folder. It only waits for a hanging disk until
/// the take gives up that disk. Failures are reported at the end and do not affect the take.
package final class SidecarKeeper: Sendable {
  /// Updates a sidecar with the current state; with a segment, for that complete movie.
  package typealias Account = @Sendable (inout TakeSidecar, Segment?) -> Void

  private struct State {
    /// The take's last complete movie, whose sidecar does not include the end of the take yet.
    var last: (segment: Segment, checksums: MovieChecksums?)?
    /// The identities of the sidecars written, by the paths of their movies.
    var written: [String: FileIdentity] = [:]
    /// The paths under which movies began, by number.
    var begun: [Int: String] = [:]
    var refused: Set<String> = []
    /// Folders in which a movie was given up; no more sidecars are begun there.
    var lostFolders: Set<String> = []
    /// Why movies have no sidecar, in the order of discovery.
    var errors: [(path: String, error: CaptureError)] = []

    mutating func note(_ error: CaptureError, of path: String) {
      if !errors.contains(where: { $0.path == path }) { errors.append((path, error)) }
    }

    /// The error to report: the first one, and the number of others.
    var error: CaptureError? {
      guard let first = errors.first?.error else { return nil }
      let others = errors.count - 1
      guard others > 0 else { return first }
      let words = others == 1 ? "1 more movie has" : "\(others) more movies have"
      return CaptureError(
        first.code, "\(first.message); \(words) none either", errno: first.errno)
    }
  }

  private let request: TakeRequest
  private let replacesOthers: Bool
  /// A folder that also gets each sidecar; nil for none.
  private let secondFolder: URL?
  private let calls: @Sendable () -> any FileCalls
  private let queue = DispatchQueue(label: "sidecar")
  private let places = SidecarPlaces()
  private let state = Mutex(State())

  /// - Parameters:
  ///   - replacesOthers: True to overwrite a file with the sidecar's name that is not a sidecar.
  ///   - secondFolder: The path of a folder that also gets each movie and sidecar; nil for none.
  package init(
    _ request: TakeRequest, replacesOthers: Bool, secondFolder: String? = nil,
    calls: @escaping @Sendable () -> any FileCalls = { SystemFileCalls() }
  ) {
    self.request = request
    self.replacesOthers = replacesOthers
    self.secondFolder = secondFolder.map { URL(filePath: $0, directoryHint: .isDirectory) }
    self.calls = calls
  }

  /// Accepts an event of the writer, and returns immediately.
  package func take(_ event: SegmentEvent, account: @escaping Account) {
    // Do this immediately, because the queue may be waiting for that very disk.
    if case .copyLost(_, let copy) = event { places.giveUp(Self.folder(of: copy.path)) }
    queue.async { [self] in
      switch event {
      case .began(let number, let path):
        state.withLock { $0.begun[number] = path }
        begin(path, account)
      case .changed(let number, let change): follow(number, change, account)
      case .ended(let segment, let checksums):
        let begun = state.withLock { $0.begun.removeValue(forKey: segment.number) }
        // A sidecar in a lost place stays, because it tells what can be recovered there.
        let isLost = (segment.copies ?? []).contains { $0.path == begun }
        if let begun, begun != segment.path, !isLost { remove(only: begun) }
        // Movies are completed concurrently, so a short one may be complete before its predecessor.
        state.withLock { state in
          if segment.number >= state.last?.segment.number ?? 0 { state.last = (segment, checksums) }
        }
        // `finish` completes the take's last movie, with the whole report.
        switch segment.end {
        case .takeEnded, .writingFailed: break
        default: complete(segment, checksums, account)
        }
      case .removed(let path): remove(path)
      case .copyLost(_, let copy):
        state.withLock { _ = $0.lostFolders.insert(Self.folder(of: copy.path)) }
      }
    }
  }

  /// Runs work once all events so far are processed; returns immediately.
  package func afterwards(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

  /// Writes the last sidecar, and waits until all are written.
  ///
  /// - Returns: Why a sidecar is missing; nil if none is.
  package func finish(account: @escaping Account) -> CaptureError? {
    queue.sync {
      if let last = state.withLock({ $0.last }) { complete(last.segment, last.checksums, account) }
      return state.withLock { $0.error }
    }
  }

  /// Moves the sidecar along with its moved movie; the one in the other place stays.
  private func follow(
    _ number: Int, _ change: SegmentFileChange, _ account: @escaping Account
  ) {
    guard let path = change.newPath else { return }
    state.withLock { $0.begun[number] = path }
    remove(only: change.path)
    begin(only: path, account)
  }

  private func begin(_ path: String, _ account: @escaping Account) {
    let lost = state.withLock { $0.lostFolders }
    for place in places(of: path) where place == path || !lost.contains(Self.folder(of: place)) {
      begin(only: place, account)
    }
  }

  /// A movie's path, and that of its copy in the second folder, as reported by the writer.
  private func places(of path: String) -> [String] {
    guard let secondFolder else { return [path] }
    let other = secondFolder.appending(path: path.pathName).standardizedFileURL.path
    return other == path ? [path] : [path, other]
  }

  private static func folder(of path: String) -> String {
    URL(filePath: path).deletingLastPathComponent().standardizedFileURL.path
  }

  /// Runs work in the folder of a movie.
  private func at(_ path: String, _ work: @escaping @Sendable () -> Void) {
    places.perform(in: Self.folder(of: path), work)
  }

  private func begin(only path: String, _ account: @escaping Account) {
    at(path) { [self] in makeFirst(path, account) }
  }

  private func makeFirst(_ path: String, _ account: Account) {
    let file = file(path)
    if !replacesOthers, file.isSomebodyElses {
      state.withLock { state in
        state.refused.insert(path)
        let error = CaptureError(
          .outputFailed,
          "the movie has no sidecar: \(file.path) exists and is not a sidecar; choose another name")
        state.note(error, of: path)
      }
      return
    }
    var sidecar = TakeSidecar(of: path, request: request)
    account(&sidecar, nil)
    write(sidecar, path)
  }

  private func complete(
    _ segment: Segment, _ checksums: MovieChecksums?, _ account: Account
  ) {
    var sidecar = TakeSidecar(of: segment.path, request: request)
    account(&sidecar, segment)
    sidecar.movie = segment
    if segment.isValid {
      sidecar.state = .complete
      sidecar.checksums = checksums.map { TakeSidecar.Checksums($0) }
    }
    // The sidecar in a lost place keeps its content from the start of the movie.
    let copies = (segment.copies ?? []).filter(\.isWhole).map(\.path)
    for path in [segment.path] + copies { at(path) { [self, sidecar] in write(sidecar, path) } }
  }

  private func write(_ sidecar: TakeSidecar, _ path: String) {
    guard !state.withLock({ $0.refused.contains(path) }) else { return }
    let file = file(path)
    let known = state.withLock { $0.written[path] }
    let present = file.identity
    // Never replace a file that someone else has put there since.
    let isOurs = known != nil && present == known
    guard present == nil || isOurs || known == nil && (replacesOthers || !file.isSomebodyElses)
    else {
      let error = CaptureError(
        .outputFailed,
        "\(path) has no sidecar: another file occupies \(file.path); move it away next time")
      state.withLock { $0.note(error, of: path) }
      return
    }
    do throws(CaptureError) {
      let written = try file.write(sidecar, isExclusive: present == nil)
      state.withLock { state in
        state.written[path] = written
        // An earlier attempt had failed, for example on a full disk.
        state.errors.removeAll { $0.path == path }
      }
    } catch {
      state.withLock { $0.note(error, of: path) }
      // A sidecar must not say "recording" once its movie has ended, except on a lost disk.
      let left = try? file.read()
      if sidecar.state != .recording, left?.state == .recording { takeAway(path) }
    }
  }

  private func remove(_ path: String) {
    for path in places(of: path) { remove(only: path) }
  }

  private func remove(only path: String) {
    at(path) { [self] in
      takeAway(path)
      // If there is no movie, a missing sidecar is no failure.
      state.withLock { $0.errors.removeAll { $0.path == path } }
    }
  }

  private func takeAway(_ path: String) {
    let file = file(path)
    let known = state.withLock { $0.written.removeValue(forKey: path) }
    if let known, file.identity == known { file.remove() }
  }

  private func file(_ path: String) -> SidecarFile {
    SidecarFile(ofMovie: path, calls: calls())
  }
}
