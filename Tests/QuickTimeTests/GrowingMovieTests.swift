import Foundation
import MediaCore
import TestSupport
import Testing

@testable import QuickTime

/// A movie that is read while it is written.
@Suite struct GrowingMovieTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("take.mov") }

  init() throws { folder = try TemporaryFolder() }

  /// Appends frames of a take without audio.
  private func append(_ frames: Range<Int>, to writer: MovieWriter, _ id: TrackID) throws {
    let packets = Packets.standard.frames
    for frame in frames { try writer.append(packets[frame % packets.count], to: id) }
  }

  private func expectFrames(_ movie: GrowingMovie) throws {
    let packets = Packets.standard.frames
    for number in 0..<movie.frameCount {
      #expect(try movie.frame(number).bytes == packets[number % packets.count], "\(number)")
    }
  }

  @Test(arguments: Take.Placement.allCases)
  fileprivate func each_update_finds_the_added_frames(_ placement: Take.Placement) throws {
    let take = Take(audio: nil).with(placement)
    let file = try PosixMovieFile(path: path, mode: .create)
    let (writer, ids) = try take.begin(file)
    try append(0..<20, to: writer, ids[0])
    var movie = try GrowingMovie(path: path)
    // Fragments of a quarter of a second; the last one has not been written yet.
    let first = movie.frameCount
    #expect((7...20).contains(first))
    try expectFrames(movie)
    #expect(movie.frameRate == .fps29_97)
    try append(20..<60, to: writer, ids[0])
    #expect(movie.frameCount == first)
    try movie.readOn()
    #expect(movie.frameCount > first + 30)
    #expect(abs(movie.duration - Double(movie.frameCount) * 1001 / 30000) < 1e-9)
    try expectFrames(movie)
    // The movie is completed in place, and the frames stay where they are.
    _ = try writer.finish()
    try expectFrames(movie)
    try movie.readOn()
    #expect(movie.frameCount == 60)
    try expectFrames(movie)
    let error = #expect(throws: QuickTimeError.self) { _ = try movie.frame(60) }
    #expect(error?.code == .invalidArgument)
    #expect(try GrowingMovie(path: path).frameCount == 60)
  }

  @Test func reading_neither_locks_nor_changes_the_file() throws {
    let take = Take(audio: nil)
    let file = try PosixMovieFile(path: path, mode: .create)
    let (writer, ids) = try take.begin(file)
    try append(0..<30, to: writer, ids[0])
    let before = try Data(contentsOf: folder.url("take.mov"))
    var movie = try GrowingMovie(path: path)
    _ = try movie.frame(3)
    try movie.readOn()
    #expect(try Data(contentsOf: folder.url("take.mov")) == before)
    #expect(file.isBeingWritten == false, "only the writer locks the file")
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))
        == folder.path("take.mov")
    }
    withExtendedLifetime((writer, movie)) {}
    #expect(open.count <= 2, "only the writer's two descriptors are open")
  }

  @Test func a_replaced_movie_is_read_from_its_beginning() throws {
    try Take(frameCount: 40, audio: nil).record(into: PosixMovieFile(path: path, mode: .create))
    var movie = try GrowingMovie(path: path)
    #expect(movie.frameCount == 40)
    try FileManager.default.removeItem(at: folder.url("take.mov"))
    try Take(frameCount: 10, audio: nil).record(into: PosixMovieFile(path: path, mode: .create))
    try movie.readOn()
    #expect(movie.frameCount == 10)
    try FileManager.default.removeItem(at: folder.url("take.mov"))
    let error = #expect(throws: QuickTimeError.self) { try movie.readOn() }
    #expect(error?.code == .notFound)
  }

  @Test func an_overwritten_frame_is_reported_as_damaged() throws {
    try Take(frameCount: 10, audio: nil).record(into: PosixMovieFile(path: path, mode: .create))
    let movie = try GrowingMovie(path: path)
    let sample = try #require(try MovieIndex(path: path).videoTrack?.samples[4])
    let handle = try FileHandle(forUpdating: folder.url("take.mov"))
    try handle.seek(toOffset: sample.offset)
    try handle.write(contentsOf: [UInt8](repeating: 0, count: Int(sample.size)))
    try handle.close()
    let error = #expect(throws: QuickTimeError.self) { _ = try movie.frame(4) }
    #expect(error?.code == .damaged)
    #expect(try movie.frame(5).bytes.isEmpty == false)
  }
}
