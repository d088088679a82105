import Foundation
import Glibc
import MediaCore
import QuickTime
import Testing

@testable import AssetWriter
@testable import CaptureDevices
@testable import MovieTools
@testable import TakeReports
@testable import VideoRecorder

@Suite("Sidecars", .serialized, .timeLimit(.minutes(5)))
struct SidecarTests {
  private func sidecar(_ movie: String) throws -> TakeSidecar {
    try #require(try SidecarFile(ofMovie: movie).read())
  }

  /// Checksums of a movie by reading it, in the sidecar's form.
  private func sums(_ path: String) throws -> (file: String, frames: [String]) {
    let data = try Data(contentsOf: URL(filePath: path))
    let track = try #require(try MovieIndex(path: path).videoTrack)
    func sum(_ range: Range<Int>) -> String {
      data.withUnsafeBytes {
        XXHash64.text(XXHash64.digest(UnsafeRawBufferPointer(rebasing: $0[range])))
      }
    }
    return (
      sum(0..<data.count),
      track.samples.map { sum(Int($0.offset)..<Int($0.offset) + Int($0.size)) }
    )
  }

  @Test("a sidecar tells what was asked, what was done and what the bytes were")
  func whole() async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    rig.output.maxRecordedFrameCount = 12
    let report = try await rig.record { camera, microphone in
      try rig.feed(0..<14, camera, microphone, except: [4])
    }
    await rig.session.stop()
    #expect(report.sidecarError == nil)
    let sidecar = try sidecar(rig.url.path)
    #expect(sidecar.state == .complete && sidecar.file == "take.mov" && sidecar.version == 1)
    #expect(sidecar.recording == report)
    #expect(sidecar.movie == report.segments.first)
    #expect(sidecar.request.codec == "hq")
    let (file, frames) = try sums(rig.url.path)
    #expect(sidecar.checksums?.file?.description == file)
    #expect(report.segments.first?.checksum == file)
    #expect(sidecar.checksums?.frames.map(\.description) == frames && frames.count == 12)
    #expect(sidecar.checksums?.sound.first?.runs.reduce(0) { $0 + $1.samples } == 12 * 1920)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: rig.folder.path).sorted()
        == ["take.mov", "take.mov.json"])
    let verified = try MovieVerifier(path: rig.url.path).run()
    #expect(verified.isValid && verified.checksums?.fileAgrees == true)
    #expect(verified.checksums?.frames == 12 && verified.checksums?.soundSamples == 12 * 1920)
  }

  @Test("each segment has its own, with what happened in it")
  func segments() async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    rig.output.segmentPolicy.maximumFrameCount = 10
    rig.output.maxRecordedFrameCount = 25
    rig.output.options.timecodeSource = .start(
      try #require(Timecode("01:00:00:00", frameRate: .fps25)))
    let report = try await rig.record { camera, microphone in
      try rig.feed(0..<30, camera, microphone, except: [3, 9, 10, 11, 22])
    }
    await rig.session.stop()
    #expect(report.segments.count == 3)
    var repeats: [[Int64]] = []
    for segment in report.segments {
      let sidecar = try sidecar(segment.path)
      #expect(sidecar.state == .complete && sidecar.movie?.number == segment.number)
      let (file, frames) = try sums(segment.path)
      #expect(sidecar.checksums?.frames.map(\.description) == frames)
      #expect(sidecar.checksums?.file?.description == file)
      #expect(sidecar.recording?.movie.startTimecode == segment.startTimecode)
      #expect(sidecar.recording?.movie.frameCount == segment.frameCount)
      let incidents = sidecar.recording?.incidents.filter { $0.kind == .repeated } ?? []
      repeats.append(
        incidents.flatMap { incident in (0..<Int64(incident.count)).map { incident.frame + $0 } })
      #expect(try MovieVerifier(path: segment.path).run().isValid)
    }
    #expect(repeats == [[3, 9], [0, 1], [2]])
    let last = try sidecar(try #require(report.segments.last?.path))
    #expect(last.recording?.end == .maximumDurationReached)
  }

  @Test("none is written where none is wanted")
  func off() async throws {
    let rig = try MovieRig(hasSound: false)
    defer { rig.cleanUp() }
    rig.output.maxRecordedFrameCount = 3
    rig.output.options.writesSidecar = false
    let report = try await rig.record { camera, _ in try rig.feed(0..<4, camera, nil) }
    await rig.session.stop()
    #expect(report.segments.first?.checksum == nil && report.sidecarError == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: rig.folder.path) == ["take.mov"])
    let verified = try MovieVerifier(path: rig.url.path).run()
    #expect(verified.isValid && verified.checksums == nil)
  }

  @Test("a take without a frame leaves no sidecar")
  func nothing() async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    await #expect(throws: CaptureError.self) {
      try await rig.record { _, _ in rig.output.stopRecording() }
    }
    await rig.session.stop()
    #expect(try FileManager.default.contentsOfDirectory(atPath: rig.folder.path).isEmpty)
  }

  @Test("somebody else's file of that name stays, and the take is not lost for it")
  func foreign() async throws {
    let rig = try MovieRig(hasSound: false)
    defer { rig.cleanUp() }
    rig.output.maxRecordedFrameCount = 3
    let place = rig.url.path + ".json"
    try "precious".write(toFile: place, atomically: true, encoding: .utf8)
    let report = try await rig.record { camera, _ in try rig.feed(0..<4, camera, nil) }
    await rig.session.stop()
    #expect(report.isValid && report.exitStatus == 0)
    #expect(report.sidecarError?.contains(place) == true)
    #expect(try String(contentsOfFile: place, encoding: .utf8) == "precious")
  }

  @Test("a stale sidecar is replaced when the movie is begun")
  func stale() async throws {
    let rig = try MovieRig(hasSound: false)
    defer { rig.cleanUp() }
    rig.output.maxRecordedFrameCount = 3
    _ = try await rig.record { camera, _ in try rig.feed(0..<4, camera, nil) }
    try FileManager.default.removeItem(at: rig.url)
    #expect(try sidecar(rig.url.path).state == .complete)
    rig.output.maxRecordedFrameCount = 500
    _ = try await rig.record { camera, _ in
      try rig.feed(0..<4, camera, nil)
      for _ in 0..<2000 where try sidecar(rig.url.path).state != .recording {
        try await Task.sleep(for: .milliseconds(2))
      }
      let now = try sidecar(rig.url.path)
      #expect(now.state == .recording && now.checksums == nil && now.movie == nil)
      #expect(now.recording?.source.deviceID == rig.camera.uniqueID)
      rig.output.stopRecording()
    }
    await rig.session.stop()
    #expect(try sidecar(rig.url.path).checksums?.frames.count == 4)
  }

  @Test("movies that are completed in another order each have theirs")
  func order() throws {
    let folder = NSTemporaryDirectory() + "sidecar-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let keeper = SidecarKeeper(TakeRequest(), replacesOthers: false)
    func segment(_ number: Int, _ end: Segment.End) -> Segment {
      Segment(
        number: number, path: folder + "/\(number).mov", firstFrame: Int64(number),
        startTimecode: nil, frameCount: 1, duration: 1, fileSize: 1, end: end, isValid: true,
        checksum: nil)
    }
    let events: [SegmentEvent] = [
      .began(number: 1, path: folder + "/1.mov"), .began(number: 2, path: folder + "/2.mov"),
      .ended(segment(2, .takeEnded), nil), .ended(segment(1, .requested), nil),
    ]
    for event in events { keeper.take(event) { _, _ in } }
    let error = keeper.finish { _, _ in }
    #expect(error == nil)
    for number in 1...2 {
      let found = try sidecar(folder + "/\(number).mov")
      #expect(found.state == .complete && found.movie?.number == number)
    }
  }

  // MARK: The text

  /// Checksums of a take: some of all numbers, the smallest and the largest among them.
  private func checksums(frames: Int, runs: [Int]) -> MovieChecksums {
    var random = SystemRandomNumberGenerator()
    var sums = MovieChecksums(
      file: 0, head: .init(offset: 0, byteCount: 36, value: 1),
      index: .init(offset: .max, byteCount: 7, value: .max), tracks: [])
    var pictures = MovieChecksums.Track(id: TrackID(rawValue: 1))
    pictures.frames = (0..<frames).map { _ in .random(in: 0 ... .max, using: &random) }
    sums.tracks = [pictures]
    for (number, count) in runs.enumerated() {
      var sound = MovieChecksums.Track(id: TrackID(rawValue: UInt32(number + 3)))
      sound.runs = (0..<count).map { .init(sampleCount: $0, value: UInt64($0) << 32) }
      sums.tracks.append(sound)
    }
    return sums
  }

  @Test(
    "the text is that of the encoder, and is read back as it was",
    arguments: [(0, []), (1, [1]), (1023, [1024]), (1024, [2, 1]), (5000, [1025, 0, 3000])])
  func text(frames: Int, runs: [Int]) throws {
    var sidecar = TakeSidecar(of: "/a/b \"c\".mov", request: TakeRequest())
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    var variants: [TakeSidecar.Checksums?] = [nil, .init(checksums(frames: frames, runs: runs))]
    var recovered = variants[1]
    recovered?.file = nil
    recovered?.head = nil
    recovered?.index = nil
    variants.append(recovered)
    for sums in variants {
      sidecar.checksums = sums
      let text = Data(try SidecarText(sidecar).joined())
      #expect(try JSONDecoder().decode(TakeSidecar.self, from: text) == sidecar)
      let plain = { (data: Data) throws in
        try JSONSerialization.data(
          withJSONObject: try JSONSerialization.jsonObject(with: data), options: [.sortedKeys])
      }
      #expect(try plain(text) == plain(try encoder.encode(sidecar)))
      #expect(text.last == UInt8(ascii: "\n"))
    }
  }

  @Test("of the longest take no more than a small piece is held as text")
  func pieces() throws {
    var sidecar = TakeSidecar(of: "/a.mov", request: TakeRequest())
    sidecar.checksums = .init(checksums(frames: 50_000, runs: [10_000]))
    var largest = 0
    var total = 0
    for piece in try SidecarText(sidecar) {
      largest = max(largest, piece.count)
      total += piece.count
    }
    #expect(largest < 200_000 && total > 2_000_000)
  }

  @Test("a checksum that is none is told with its place")
  func badChecksum() throws {
    let folder = NSTemporaryDirectory() + "sidecar-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = SidecarFile(ofMovie: folder + "/a.mov")
    var sidecar = TakeSidecar(of: folder + "/a.mov", request: TakeRequest())
    sidecar.checksums = .init(checksums(frames: 3, runs: [1]))
    let third = try #require(sidecar.checksums?.frames.last?.description)
    try file.write(sidecar)
    #expect(try file.read() == sidecar)
    for bad in ["", "123456789abcdef01", "no checksum here"] {
      let text = try String(contentsOfFile: file.path, encoding: .utf8)
      try text.replacingOccurrences(of: third, with: bad)
        .write(toFile: file.path, atomically: true, encoding: .utf8)
      let error = #expect(throws: CaptureError.self) { try file.read() }
      #expect(error?.message.contains("'checksums.frames.2'") == true, "\(error?.message ?? "")")
      try text.write(toFile: file.path, atomically: true, encoding: .utf8)
    }
  }

  // MARK: Failures

  /// Runs a keeper through a take, over calls of which one kind fails.
  private func keep(
    _ folder: String, failing call: FaultyCalls.Call, times: Range<Int>
  ) throws -> (error: CaptureError?, files: [String]) {
    let calls = FaultyCalls(call, times)
    let keeper = SidecarKeeper(TakeRequest(), replacesOthers: false) { calls }
    let path = folder + "/a.mov"
    let segment = Segment(
      number: 1, path: path, firstFrame: 0, startTimecode: nil, frameCount: 1, duration: 1,
      fileSize: 1, end: .takeEnded, isValid: true, checksum: nil)
    keeper.take(.began(number: 1, path: path)) { _, _ in }
    keeper.take(.ended(segment, nil)) { _, _ in }
    let error = keeper.finish { _, _ in }
    return (error, try FileManager.default.contentsOfDirectory(atPath: folder))
  }

  @Test(
    "whatever call fails, what is there is whole and says nothing wrong",
    arguments: FaultyCalls.Call.allCases)
  func faults(call: FaultyCalls.Call) throws {
    for times in [0..<1, 1..<2, 2..<3, 3..<4, 0..<1000] {
      let folder = NSTemporaryDirectory() + "sidecar-\(UUID().uuidString)"
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let (error, files) = try keep(folder, failing: call, times: times)
      #expect(files.isEmpty || files == ["a.mov.json"], "\(call) \(times)")
      if files.isEmpty { #expect(error != nil) }
      if let error { #expect(!error.message.contains("\n") && error.errno == ENOSPC) }
      if let found = try SidecarFile(ofMovie: folder + "/a.mov").read() {
        // A folder that could not be synced leaves a good file.
        #expect(found.state == .complete, "\(call) \(times)")
      }
    }
  }

  @Test("what is no sidecar is told in one line")
  func garbage() throws {
    let folder = NSTemporaryDirectory() + "sidecar-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = SidecarFile(ofMovie: folder + "/a.mov")
    #expect(try file.read() == nil)
    let mark = "\"format\": \"recordctl take\""
    for (text, word) in [
      ("", "is not the sidecar"), ("\u{0}\u{1}", "is not the sidecar"),
      ("[1, 2]", "is not the sidecar"),
      ("{\"format\": \"other\", \"version\": 1}", "is not the sidecar"),
      ("{\(mark), \"version\": 2}", "newer program"),
      ("{\(mark), \"version\": 1}", "damaged sidecar"),
      ("{\(mark), \"version\": 1, \"state\": 7}", "damaged sidecar"),
    ] {
      try text.write(toFile: file.path, atomically: true, encoding: .utf8)
      let error = #expect(throws: CaptureError.self) { try file.read() }
      #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
      #expect(error?.message.contains("\n") == false)
    }
  }
}

/// The system's calls, of which one kind fails some times.
final class FaultyCalls: FileCalls, @unchecked Sendable {
  // Sendable: used by the keeper's one queue.
  enum Call: CaseIterable, Sendable { case open, write, synchronize, rename }

  private let system = SystemFileCalls()
  private let failing: Call
  private let times: Range<Int>
  private var count = 0

  init(_ failing: Call, _ times: Range<Int>) {
    self.failing = failing
    self.times = times
  }

  private func fails(_ call: Call) -> Bool {
    guard call == failing else { return false }
    defer { count += 1 }
    errno = ENOSPC
    return times.contains(count)
  }

  func open(_ path: String, _ flags: Int32, _ mode: UInt32) -> Int32 {
    // To read is no matter of a full disk.
    flags & O_CREAT != 0 && fails(.open) ? -1 : system.open(path, flags, mode)
  }
  func close(_ descriptor: Int32) -> Int32 { system.close(descriptor) }
  func lock(_ descriptor: Int32) -> Int32 { system.lock(descriptor) }
  func unlock(_ descriptor: Int32) -> Int32 { system.unlock(descriptor) }
  func isLocked(_ descriptor: Int32) -> Int32 { system.isLocked(descriptor) }
  func status(_ descriptor: Int32, _ status: inout stat) -> Int32 {
    system.status(descriptor, &status)
  }
  func read(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int, _ offset: Int
  ) -> Int { system.read(descriptor, buffer, count, offset) }
  func write(
    _ descriptor: Int32, _ vectors: UnsafePointer<iovec>?, _ count: Int32, _ offset: Int
  ) -> Int { fails(.write) ? -1 : system.write(descriptor, vectors, count, offset) }
  func reserve(_ descriptor: Int32, _ offset: Int, _ length: Int) -> Int32 {
    system.reserve(descriptor, offset, length)
  }
  func truncate(_ descriptor: Int32, _ length: Int) -> Int32 {
    system.truncate(descriptor, length)
  }
  func synchronizeData(_ descriptor: Int32) -> Int32 { system.synchronizeData(descriptor) }
  func synchronize(_ descriptor: Int32) -> Int32 {
    fails(.synchronize) ? -1 : system.synchronize(descriptor)
  }
  func rename(_ path: String, _ newPath: String) -> Int32 {
    fails(.rename) ? -1 : system.rename(path, newPath)
  }
  func unlink(_ path: String) -> Int32 { system.unlink(path) }
}
