import AVFoundationCompat
import AssetReader
import TestSupport
import Testing

/// The documentation's program, run as a reader would.
@Suite(.timeLimit(.minutes(10))) struct ExampleTests {
  @Test func the_technote_recorder_saves_two_valid_movies() throws {
    let folder = try TemporaryFolder()
    let library = folder.url("Library")
    let program = URL(filePath: Bundle.main.bundlePath).appending(path: "technote-recorder")
    try #require(FileManager.default.isExecutableFile(atPath: program.path))
    let process = Process()
    process.executableURL = program
    process.arguments = [folder.url.path, "pattern:bars"]
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["RECORDCTL_LIBRARY": library.path, "XDG_CONFIG_HOME": folder.url.path]) { $1 }
    let log = folder.url("output.txt")
    try Data().write(to: log)
    let output = try FileHandle(forWritingTo: log)
    process.standardOutput = output
    try process.run()
    process.waitForExit()
    try output.close()
    let text = try String(contentsOf: log, encoding: .utf8)
    #expect(process.terminationStatus == 0)
    #expect(text == "saved movie-file-output.mov\nsaved asset-writer.mov\n")

    let photos = PhotoLibrary(at: library)
    let assets = try photos.fetchAssets(in: .proRes).allObjects()
    #expect(assets.map(\.originalFilename) == ["movie-file-output.mov", "asset-writer.mov"])
    for asset in assets {
      #expect(asset.badges == ["ProRes"] && asset.facts.codec == "apcn")
      #expect(asset.pixelWidth == 1280 && asset.facts.frameRate == "25")
      let movie = folder.url(asset.originalFilename)
      let resource = try #require(asset.resources.first)
      #expect(
        try Data(contentsOf: movie) == Data(contentsOf: resource.fileURL),
        "the asset has the movie's bytes")
      let report = try StrictDecoder(path: movie.path).run()
      #expect(report.isClean, "\(report.firstError?.message ?? "")")
      let frames = try #require(report.tracks.first { $0.track.mediaType == .video }).sampleCount
      #expect(asset.facts.frameCount.map { Int64($0) } == frames)
      // The output's limit is two seconds; the writer gets 50 frames, and gaps between them are
      // filled.
      if movie.lastPathComponent == "movie-file-output.mov" {
        #expect(frames == 50)
      } else {
        #expect(frames >= 50)
      }
    }
  }
}
