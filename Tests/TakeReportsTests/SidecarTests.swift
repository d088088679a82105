import CaptureDevices
import Foundation
import Glibc
import MediaCore
import QuickTime
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import AssetWriter
@testable import TakeReports

@Suite(.serialized, .timeLimit(.minutes(5)))
struct SidecarTests {
  private func sidecar(_ movie: String) throws -> TakeSidecar {
    try #require(try SidecarFile(ofMovie: movie).read())
  }

  @Test func movies_completed_out_of_order_each_have_their_sidecar() throws {
    let folder = try TemporaryFolder()
    let keeper = SidecarKeeper(TakeRequest(), replacesOthers: false)
    func segment(_ number: Int, _ end: Segment.End) -> Segment {
      Segment(
        number: number, path: folder.path("\(number).mov"), firstFrame: Int64(number),
        startTimecode: nil, frameCount: 1, duration: 1, fileSize: 1, end: end, isValid: true,
        checksum: nil)
    }
    let events: [SegmentEvent] = [
      .began(number: 1, path: folder.path("1.mov")), .began(number: 2, path: folder.path("2.mov")),
      .ended(segment(2, .takeEnded), nil), .ended(segment(1, .requested), nil),
    ]
    for event in events { keeper.take(event) { _, _ in } }
    let error = keeper.finish { _, _ in }
    #expect(error == nil)
    for number in 1...2 {
      let found = try sidecar(folder.path("\(number).mov"))
      #expect(found.state == .complete && found.movie?.number == number)
    }
  }

  // MARK: Two places

  /// A path from the working folder, with a detour.
  private func relative(_ path: String) -> String {
    let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
    return String(repeating: "../", count: depth) + "." + path
  }

  /// Runs a keeper through a movie in the folders `a` and `b`, one of which is lost, and then through a second
  /// movie; returns the sidecars' states by path.
  private func keep(losing lost: String, as secondFolder: (String) -> String) throws -> (
    error: CaptureError?, states: [String: TakeSidecar.State]
  ) {
    let folder = try TemporaryFolder()
    for name in ["a", "b"] { _ = try folder.makeFolder(name) }
    let keeper = SidecarKeeper(
      TakeRequest(), replacesOthers: false, secondFolder: secondFolder(folder.path("b")))
    let left = lost == "a" ? "b" : "a"
    func segment(_ number: Int, _ end: Segment.End) -> Segment {
      let copy = MovieFileCopy(path: folder.path("\(lost)/\(number).mov"), isWhole: false)
      var segment = Segment(
        number: number, path: folder.path("\(left)/\(number).mov"), firstFrame: Int64(number),
        startTimecode: nil, frameCount: 1, duration: 1, fileSize: 1, end: end, isValid: true,
        checksum: nil)
      segment.copies = [copy]
      return segment
    }
    let copy = MovieFileCopy(path: folder.path("\(lost)/1.mov"), isWhole: false)
    let events: [SegmentEvent] = [
      .began(number: 1, path: folder.path("a/1.mov")), .copyLost(number: 1, copy),
      .ended(segment(1, .requested), nil),
      .began(number: 2, path: folder.path("\(left)/2.mov")), .ended(segment(2, .takeEnded), nil),
    ]
    for event in events { keeper.take(event) { _, _ in } }
    let error = keeper.finish { _, _ in }
    var states: [String: TakeSidecar.State] = [:]
    for place in ["a", "b"] {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path(place)) {
        let movie = "\(place)/\(name.dropLast(5))"
        states[movie] = try sidecar(folder.path(movie)).state
      }
    }
    return (error, states)
  }

  @Test(arguments: ["a", "b"])
  func a_lost_place_keeps_its_sidecar_for_any_spelling_of_the_folder(
    lost: String
  ) throws {
    let left = lost == "a" ? "b" : "a"
    for name in [{ $0 }, relative, { $0 + "/./../b" }, { $0 + "/" }] as [(String) -> String] {
      let (error, states) = try keep(losing: lost, as: name)
      #expect(error == nil)
      #expect(
        states
          == ["\(lost)/1.mov": .recording, "\(left)/1.mov": .complete, "\(left)/2.mov": .complete])
    }
  }

  @Test(.timeLimit(.minutes(2)))
  func an_abandoned_hanging_disk_does_not_block_the_other_sidecar() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b"] { _ = try folder.makeFolder(name) }
    let hanging = WaitableMutex(true)
    let isAsked = WaitableMutex(false)
    let keeper = SidecarKeeper(
      TakeRequest(), replacesOthers: false, secondFolder: folder.path("b"))
    let (path, lost) = (folder.path("a/1.mov"), folder.path("b/1.mov"))
    let copy = MovieFileCopy(path: lost, isWhole: false)
    var segment = Segment(
      number: 1, path: path, firstFrame: 0, startTimecode: nil, frameCount: 1, duration: 1,
      fileSize: 1, end: .takeEnded, isValid: true, checksum: nil)
    segment.copies = [copy]
    defer { hanging.update { $0 = false } }
    // The closure asked for the second folder's sidecar hangs, in place of that folder's disk.
    let asked = Atomic(0)
    keeper.take(.began(number: 1, path: path)) { _, _ in
      guard asked.add(1, ordering: .relaxed).newValue == 2 else { return }
      isAsked.update { $0 = true }
      hanging.wait { $0 ? nil : () }
    }
    isAsked.wait { $0 ? () : nil }
    keeper.take(.copyLost(number: 1, copy)) { _, _ in }
    keeper.take(.ended(segment, nil)) { _, _ in }
    #expect(keeper.finish { _, _ in } == nil)
    #expect(try sidecar(path).state == .complete)
  }

  /// `String` takes a slash and a following accent for one character.
  @Test func sidecars_are_next_to_movies_named_with_a_leading_accent() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b"] { _ = try folder.makeFolder(name) }
    let keeper = SidecarKeeper(
      TakeRequest(), replacesOthers: false, secondFolder: folder.path("b"))
    let name = "\u{301}1.mov"
    keeper.take(.began(number: 1, path: folder.path("a/") + name)) { _, _ in }
    #expect(keeper.finish { _, _ in } == nil)
    for place in ["a/", "b/"] {
      #expect(try sidecar(folder.path(place) + name).state == .recording)
    }
  }

  @Test func a_renamed_movies_sidecar_moves_and_its_copys_stays() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b"] { _ = try folder.makeFolder(name) }
    let keeper = SidecarKeeper(
      TakeRequest(), replacesOthers: false, secondFolder: folder.path("b"))
    let (old, new) = (folder.path("a/1.mov"), folder.path("a/new.mov"))
    var segment = Segment(
      number: 1, path: new, firstFrame: 0, startTimecode: nil, frameCount: 1, duration: 1,
      fileSize: 1, end: .takeEnded, isValid: true, checksum: nil)
    segment.copies = [MovieFileCopy(path: folder.path("b/1.mov"), isWhole: true)]
    let events: [SegmentEvent] = [
      .began(number: 1, path: old),
      .changed(number: 1, SegmentFileChange(change: .moved, path: old, newPath: new, error: nil)),
      .ended(segment, nil),
    ]
    for event in events { keeper.take(event) { _, _ in } }
    let error = keeper.finish { _, _ in }
    #expect(error == nil)
    let names = try ["a", "b"].map {
      try FileManager.default.contentsOfDirectory(atPath: folder.path($0))
    }
    #expect(names == [["new.mov.json"], ["1.mov.json"]])
    #expect(try sidecar(new).state == .complete)
    #expect(try sidecar(folder.path("b/1.mov")).state == .complete)
  }

  // MARK: Failures

  /// Runs a keeper through a take while one kind of system call fails.
  private func keep(
    _ folder: TemporaryFolder, failing call: FaultyCalls.Call, times: Range<Int>
  ) throws -> (error: CaptureError?, files: [String]) {
    let calls = FaultyCalls(call, times)
    let keeper = SidecarKeeper(TakeRequest(), replacesOthers: false) { calls }
    let path = folder.path("a.mov")
    let segment = Segment(
      number: 1, path: path, firstFrame: 0, startTimecode: nil, frameCount: 1, duration: 1,
      fileSize: 1, end: .takeEnded, isValid: true, checksum: nil)
    keeper.take(.began(number: 1, path: path)) { _, _ in }
    keeper.take(.ended(segment, nil)) { _, _ in }
    let error = keeper.finish { _, _ in }
    return (error, folder.contents)
  }

  @Test(arguments: FaultyCalls.Call.allCases)
  func failing_calls_leave_only_complete_and_correct_sidecars(call: FaultyCalls.Call)
    throws
  {
    for times in [0..<1, 1..<2, 2..<3, 3..<4, 0..<1000] {
      let folder = try TemporaryFolder()
      let (error, files) = try keep(folder, failing: call, times: times)
      #expect(files.isEmpty || files == ["a.mov.json"], "\(call) \(times)")
      if files.isEmpty { #expect(error != nil) }
      if let error { #expect(!error.message.contains("\n") && error.errno == .noSpace) }
      if let found = try SidecarFile(ofMovie: folder.path("a.mov")).read() {
        // The file is good even if its folder could not be synced.
        #expect(found.state == .complete, "\(call) \(times)")
      }
    }
  }

  @Test func only_movies_still_without_a_sidecar_are_counted() throws {
    for (times, words) in [(0..<1000, "; 2 more movies have none either"), (0..<3, nil)] {
      let folder = try TemporaryFolder()
      let calls = FaultyCalls(.open, times)
      let keeper = SidecarKeeper(TakeRequest(), replacesOthers: false) { calls }
      for number in 1...3 {
        keeper.take(.began(number: number, path: folder.path("\(number).mov"))) { _, _ in }
      }
      for number in 1...3 {
        let segment = Segment(
          number: number, path: folder.path("\(number).mov"), firstFrame: 0, startTimecode: nil,
          frameCount: 1, duration: 1, fileSize: 1, end: number == 3 ? .takeEnded : .requested,
          isValid: true, checksum: nil)
        keeper.take(.ended(segment, nil)) { _, _ in }
      }
      let error = keeper.finish { _, _ in }
      #expect((error == nil) == (words == nil), "\(String(describing: error))")
      if let words { #expect(error?.message.hasSuffix(words) == true && error?.errno == .noSpace) }
      #expect(folder.contents.count == (words == nil ? 3 : 0))
    }
  }

  @Test func a_failed_final_sidecar_leaves_that_of_a_lost_place() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b"] { _ = try folder.makeFolder(name) }
    // The first two sidecars are written.
    let calls = FaultyCalls(.open, 2..<1000)
    let keeper = SidecarKeeper(
      TakeRequest(), replacesOthers: false, secondFolder: folder.path("b")
    ) { calls }
    let (path, lost) = (folder.path("a/1.mov"), folder.path("b/1.mov"))
    let copy = MovieFileCopy(path: lost, isWhole: false)
    var segment = Segment(
      number: 1, path: path, firstFrame: 0, startTimecode: nil, frameCount: 1, duration: 1,
      fileSize: 1, end: .takeEnded, isValid: true, checksum: nil)
    segment.copies = [copy]
    let events: [SegmentEvent] = [
      .began(number: 1, path: path), .copyLost(number: 1, copy), .ended(segment, nil),
    ]
    for event in events { keeper.take(event) { _, _ in } }
    #expect(keeper.finish { _, _ in }?.errno == .noSpace)
    #expect(try SidecarFile(ofMovie: path).read() == nil)
    #expect(try sidecar(lost).state == .recording)
  }

  @Test func invalid_sidecars_are_reported_in_one_line() throws {
    let folder = try TemporaryFolder()
    let file = SidecarFile(ofMovie: folder.path("a.mov"))
    #expect(try file.read() == nil)
    let mark = "\"schema\": \"prores-recorder/sidecar\""
    let formerMark = "\"format\": \"recordctl take\""
    for (text, word) in [
      ("", "is not the sidecar"), ("\u{0}\u{1}", "is not the sidecar"),
      ("[1, 2]", "is not the sidecar"),
      ("{\"format\": \"other\", \"version\": 1}", "is not the sidecar"),
      ("{\"schema\": \"prores-recorder/recording\", \"version\": 2}", "is not the sidecar"),
      ("{\(mark), \"version\": \(DocumentKind.version + 1)}", "newer program"),
      ("{\(mark), \"version\": 2}", "damaged sidecar"),
      ("{\(mark), \"version\": 2, \"state\": 7}", "damaged sidecar"),
      ("{\(formerMark), \"version\": 1, \"state\": 7}", "damaged sidecar"),
    ] {
      try text.write(toFile: file.path, atomically: true, encoding: .utf8)
      let error = #expect(throws: CaptureError.self) { try file.read() }
      #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
      #expect(error?.message.contains("\n") == false)
    }
  }
}

/// The system's calls, of which one kind fails for a range of times.
final class FaultyCalls: FileCalls, @unchecked Sendable {
  // Sendable: only the keeper's queue uses it.
  enum Call: CaseIterable, Sendable { case open, write, synchronize, rename }

  private let system = SystemFileCalls()
  private let failing: Call
  private let times: Range<Int>
  private var count = 0

  init(_ failing: Call, _ times: Range<Int>) {
    self.failing = failing
    self.times = times
  }

  private func failIfToldTo(_ call: Call) throws(Errno) {
    guard call == failing else { return }
    defer { count += 1 }
    if times.contains(count) { throw .noSpace }
  }

  func open(_ path: String, _ flags: Int32, _ mode: UInt32) throws(Errno) -> Int32 {
    // A full disk can still be read.
    if flags & O_CREAT != 0 { try failIfToldTo(.open) }
    return try system.open(path, flags, mode)
  }
  func close(_ descriptor: Int32) throws(Errno) { try system.close(descriptor) }
  func lock(_ descriptor: Int32) throws(Errno) { try system.lock(descriptor) }
  func unlock(_ descriptor: Int32) { system.unlock(descriptor) }
  func isLocked(_ descriptor: Int32) throws(Errno) -> Bool { try system.isLocked(descriptor) }
  func status(_ descriptor: Int32) throws(Errno) -> stat { try system.status(descriptor) }
  func read(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(Errno) -> Int { try system.read(descriptor, buffer, at: offset) }
  func write(
    _ descriptor: Int32, _ vectors: UnsafeBufferPointer<iovec>, at offset: Int
  ) throws(Errno) -> Int {
    try failIfToldTo(.write)
    return try system.write(descriptor, vectors, at: offset)
  }
  func reserve(_ descriptor: Int32, _ offset: Int, _ length: Int) throws(Errno) {
    try system.reserve(descriptor, offset, length)
  }
  func truncate(_ descriptor: Int32, _ length: Int) throws(Errno) {
    try system.truncate(descriptor, length)
  }
  func synchronizeData(_ descriptor: Int32) throws(Errno) {
    try system.synchronizeData(descriptor)
  }
  func synchronize(_ descriptor: Int32) throws(Errno) {
    try failIfToldTo(.synchronize)
    try system.synchronize(descriptor)
  }
  func rename(_ path: String, _ newPath: String) throws(Errno) {
    try failIfToldTo(.rename)
    try system.rename(path, newPath)
  }
  func unlink(_ path: String) throws(Errno) { try system.unlink(path) }
}
