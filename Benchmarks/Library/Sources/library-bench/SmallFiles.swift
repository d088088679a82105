import Foundation
import MediaCore
import QuickTime

/// Small files with different contents: four images for each ProRes movie.
struct SmallFiles {
  private let folder: URL
  private let movie: [UInt8]

  init(in folder: URL) throws {
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "model.mov")
    let writer = try MovieWriter(
      file: PosixMovieFile(path: file.path, mode: .create), configuration: .init())
    let track = try writer.addVideoTrack(
      VideoTrackDescription(
        codec: .proRes422HQ, dimensions: VideoDimensions(width: 1920, height: 1080),
        frameRate: .fps25))
    try writer.start()
    let frame = [UInt8](repeating: 1, count: 4000)
    try frame.withUnsafeBytes { try writer.appendVideo($0, to: track, duration: 1000) }
    _ = try writer.finish()
    movie = try [UInt8](Data(contentsOf: file))
    try FileManager.default.removeItem(at: file)
  }

  /// A folder with the files of these numbers, each of at least `size` bytes.
  func make(_ numbers: Range<Int>, size: Int = 0) throws -> URL {
    let part = folder.appending(path: "part-\(numbers.lowerBound)-\(size)")
    try FileManager.default.createDirectory(at: part, withIntermediateDirectories: true)
    for number in numbers {
      let isMovie = number % 5 == 0
      let name = "A\(100 + number / 1000)C\(1000 + number % 1000)_R2EC.\(isMovie ? "mov" : "png")"
      try Data(isMovie ? movieFile(number, size) : image(number, size))
        .write(to: part.appending(path: name))
    }
    return part
  }

  /// The movie with an added atom that readers ignore.
  private func movieFile(_ number: Int, _ size: Int) -> [UInt8] {
    let padding = max(8, size - movie.count - 8)
    return movie + big(8 + padding) + [UInt8]("free".utf8) + filler(number, padding)
  }

  private func image(_ number: Int, _ size: Int) -> [UInt8] {
    let header: [UInt8] =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + [UInt8]("IHDR".utf8)
      + big(1000 + number % 3000) + big(1000) + [8, 2, 0, 0, 0]
    return header + filler(number, max(16, size - header.count))
  }

  private func filler(_ number: Int, _ count: Int) -> [UInt8] {
    let text = [UInt8]("\(number) ".utf8)
    return (0..<count).map { text[$0 % text.count] }
  }

  private func big(_ number: Int) -> [UInt8] {
    (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}
