import CaptureDevices
import DNG
import Foundation
import ImageFiles
import MediaCore
import RawDevelop
import Synchronization
import TestSupport
import Testing

@testable import RawPhoto

/// JPEG and HEIC beside raw photos, and a session's files.
@Suite(.serialized) struct ProcessedPhotoTests {
  private func ramp() -> Rendering {
    let (width, height) = (1024, 64)
    return Rendering(
      width: width, height: height,
      pixels: (0..<3 * width * height).map { UInt16(($0 / 3 % width) * 64) })
  }

  private func session(
    _ folder: TemporaryFolder, _ change: (inout PhotoSession.Request) -> Void
  ) throws -> PhotoSession {
    var request = PhotoSession.Request(deviceID: "pattern:raw?pace=none")
    request.dimensions = VideoDimensions(width: 640, height: 480)
    request.thumbnail = .none
    request.output = folder.path("shot")
    change(&request)
    return try PhotoSession(request)
  }

  @Test func invalid_proraw_compression_is_refused_before_capture() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: RawPhotoError.self) {
      try session(folder) { request in
        request.raw = .proraw
        request.compression.quality = 0
      }
    }
    #expect(error?.code == .invalidArgument && error?.message.contains("quality") == true)
    // A JPEG photo accepts that quality.
    #expect(throws: Never.self) {
      try session(folder) { request in
        (request.raw, request.processed) = (.bayer, .jpeg)
        request.compression.quality = 0
      }
    }
  }

  @Test func a_10_bit_heic_has_more_than_8_bits_of_tones() throws {
    var metadata = PhotoMetadata()
    metadata.model = "Camera"
    let file = try ramp().encoded(
      ProcessedPhotoFormat(codec: .hevc, quality: 1, bitDepth: 10), metadata, isThorough: false,
      isCanceled: { false })
    let summary = try ImageFileSummary(file)
    #expect(summary.bitDepth == 10 && summary.camera == "Camera")
    #expect(summary.colors == "1-13-6" && summary.profile == "sRGB" && summary.hasEXIF)
    // The encoder's input; judges check that the codec keeps it.
    let scene = KnownScene(width: 304, height: 232)
    let rendering = try LinearNegative(merging: [scene.frame(seed: 1)]).rendering()
    #expect(Set(rendering.pixels).count > 4096)
  }

  @Test(
    .tags(.judges), .enabled(if: Judges.find("exiftool") != nil, "exiftool is not installed"),
    arguments: [PhotoSession.ProcessedKind.jpeg, .heic])
  func exiftool_finds_all_tags_in_the_companion(_ kind: PhotoSession.ProcessedKind) async throws {
    let folder = try TemporaryFolder()
    let session = try session(folder) { $0.processed = kind }
    let files = try await session.takeAll()
    let path = try #require(files.first?.first?.path)
    let found = try Judges.run(
      "exiftool", ["-s", "-n", "-a", "-all", "-validate", "-warning", path]
    ).output
    let lines = found.split(separator: "\n").filter { $0.hasPrefix("Warning") }
    #expect(lines.isEmpty, "\(found)")
    for tag in [
      "ColorSpace", "ExifVersion", "ExposureTime", "DateTimeOriginal", "ISO", "Make", "Model",
      "ProfileDescription",
    ] { #expect(found.contains("\n\(tag) "), "\(tag)") }
  }

  @Test func the_raw_photo_is_written_before_its_companion() async throws {
    let folder = try TemporaryFolder()
    let session = try session(folder) { request in
      request.raw = .bayer
      request.processed = .heic
      request.count = 2
    }
    let steps = Mutex<[PhotoSession.Step]>([])
    let files = try await session.takeAll(onStep: { step in steps.withLock { $0.append(step) } })
    #expect(files.map { $0.map(\.isRAW) } == [[true, false], [true, false]])
    let paths = [1, 2].flatMap { number in
      ["dng", "heic"].map { folder.path("shot-\(number).\($0)") }
    }
    #expect(
      steps.withLock { $0 } == [
        .exposing(capture: 1), .processing(exposure: 1), .writing(path: paths[0]),
        .writing(path: paths[1]), .exposing(capture: 2), .processing(exposure: 2),
        .writing(path: paths[2]), .writing(path: paths[3]),
      ])
  }

  @Test func a_resting_sensor_exposes_nothing_until_woken() async throws {
    let driver = SyntheticSensorDriver()
    let format = try #require(try driver.formats().first { $0.dimensions.width == 640 })
    let stream = try driver.openStream(CaptureStreamRequest(format: format))
    let frames = Counter()
    let lost = Mutex<[MediaTime]>([])
    driver.setResting(true)
    try stream.start { event in
      switch event {
      case .sample: frames.add()
      case .lost(_, _, let time): lost.withLock { $0.append(time) }
      default: break
      }
    }
    try await Task.sleep(for: .milliseconds(150))
    #expect(frames.value == 0)
    let woken = MediaTime(value: MonotonicClock.now, timescale: 1_000_000_000)
    driver.setResting(false)
    try await eventually("frames") { frames.value > 1 }
    // After its rest, a busy machine may lose some.
    #expect(lost.withLock { $0.allSatisfy { $0 >= woken } })
    stream.stop()
  }

  @Test func a_canceled_session_keeps_only_complete_files() async throws {
    let folder = try TemporaryFolder()
    let session = try session(folder) { request in
      request.raw = .bayer
      request.processed = .heic
      request.count = 50
    }
    let task = Mutex<Task<[[PhotoFileSummary]], any Error>?>(nil)
    let started = Task {
      try await session.takeAll(onStep: { step in
        // The second photo's companion is being made.
        if case .writing(let path) = step, path.hasSuffix("shot-2.dng") {
          task.withLock { $0?.cancel() }
        }
      })
    }
    task.withLock { $0 = started }
    let error = await #expect(throws: RawPhotoError.self) { try await started.value }
    #expect(error?.code == .canceled)
    let names = session.files.flatMap(\.self).map { URL(filePath: $0.path).lastPathComponent }
    #expect(names == ["shot-1.dng", "shot-1.heic", "shot-2.dng"])
    #expect(folder.contents.sorted() == names.sorted())
  }
}
