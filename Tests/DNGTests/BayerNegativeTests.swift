import Foundation
import MediaCore
import TIFF
import TestSupport
import Testing

@testable import DNG

@Suite struct BayerNegativeTests {
  /// A mosaic with edges, gradients and noise.
  static func mosaic(width: Int, height: Int, depth: Int, seed: UInt64 = 1) throws -> RawImage {
    var random = SeededGenerator(seed: seed)
    let greatest = (1 << depth) - 1
    let samples = (0..<width * height).map { index -> UInt16 in
      let (x, y) = (index % width, index / width)
      let base = greatest * (x + 2 * y) / max(width + 2 * height, 1)
      let step = (x / 16 + y / 16) % 3 == 0 ? greatest / 8 : 0
      let noise = Int.random(in: -max(greatest / 64, 1)...max(greatest / 64, 1), using: &random)
      return UInt16(min(max(base + step + noise, 0), greatest))
    }
    return try RawImage(width: width, height: height, bitDepth: depth, samples: samples)
  }

  static var metadata: PhotoMetadata {
    var metadata = PhotoMetadata()
    metadata.make = "Example"
    metadata.model = "Sensor One"
    metadata.exposureTime = 1.0 / 125
    metadata.isoSpeed = 200
    metadata.fNumber = 2.8
    metadata.exposureBias = -2
    metadata.date = Date(timeIntervalSince1970: 1_700_000_000.25)
    metadata.timeZone = TimeZone(secondsFromGMT: 3600) ?? .gmt
    metadata.orientation = .right
    metadata.location = .init(latitude: -33.5, longitude: 151.25, altitude: 12)
    return metadata
  }

  static func calibration(_ depth: Int) -> SensorCalibration {
    var facts = SensorCalibration.assumed(model: "Example Sensor One", bitDepth: depth)
    facts.blackLevel = [1, 2, 2, 3].map { $0 * Double(1 << (depth - 8)) }
    facts.noise = NoiseModel(scale: 1e-4, offset: 1e-7)
    facts.neutral = [0.5, 1, 0.75]
    facts.isCalibrated = true
    return facts
  }

  /// In binary, twelve degrees and six minutes come out slightly low.
  @Test func angles_never_have_sixty_minutes_or_seconds() throws {
    for (degrees, parts) in [
      (12.1, [12.0, 6, 0]), (-33.5, [33, 30, 0]), (59.999_999_999_99, [60, 0, 0]),
      (151.251, [151, 15, 3.6]),
    ] {
      var metadata = PhotoMetadata()
      metadata.location = .init(latitude: degrees, longitude: degrees)
      var root = TIFFDirectory()
      metadata.addTIFFEntries(to: &root)
      let gps = try #require(root.linked[.gpsIFD])
      #expect(gps.numbers(.gpsLatitude) == parts && gps.numbers(.gpsLongitude) == parts)
    }
  }

  @Test(.tags(.judges, .network), .enabled(if: DNGJudges.arePresent, DNGJudges.absence))
  func adobes_sdk_and_libraw_read_every_sample() throws {
    var questions: [DNGJudges.Question] = []
    for depth in [8, 10, 12, 14, 16] {
      for (pattern, size) in zip(
        BayerPattern.allCases, [(301, 277), (512, 256), (64, 47), (259, 600)])
      {
        let mosaic = try Self.mosaic(width: size.0, height: size.1, depth: depth)
        let negative = try BayerNegative(
          mosaic: mosaic, pattern: pattern, calibration: Self.calibration(depth), gain: 2,
          metadata: Self.metadata)
        questions.append(
          .init(
            file: try negative.dngFileData(), samples: mosaic.samples, width: size.0,
            height: size.1, pattern: pattern.rawValue))
      }
    }
    let complaints = try DNGJudges.complaints(questions)
    #expect(complaints.isEmpty, "\(complaints.joined(separator: "; "))")
  }

  @Test(arguments: [8, 10, 12, 14, 16])
  func our_reader_reads_every_sample(depth: Int) throws {
    for (width, height) in [(2, 2), (3, 9), (17, 33), (256, 256), (301, 277)] {
      let mosaic = try Self.mosaic(width: width, height: height, depth: depth)
      let negative = try BayerNegative(
        mosaic: mosaic, pattern: .gbrg, calibration: Self.calibration(depth))
      let file = try DNGFile(negative.dngFileData())
      let raw = try file.rawImage()
      #expect(try file.decodePixels(of: raw) == mosaic)
      #expect(try file.verifyDigest() == true)
    }
  }

  @Test func a_changed_sample_fails_the_digest() throws {
    let mosaic = try Self.mosaic(width: 64, height: 64, depth: 12)
    var bytes = try BayerNegative(
      mosaic: mosaic, pattern: .rggb, calibration: Self.calibration(12)
    ).dngFileData()
    let raw = try DNGFile(bytes).rawImage()
    // Inside the scan of the only tile, away from its end.
    let middle = raw.layout.offsets[0] + raw.layout.byteCounts[0] / 2
    bytes[middle] ^= 0x10
    let verdict = try? DNGFile(bytes).verifyDigest()
    #expect(verdict != true)
  }

  @Test(.tags(.judges), .enabled(if: Judges.find("exiftool") != nil, "exiftool is missing"))
  func exiftool_reads_the_metadata_and_levels() throws {
    let mosaic = try Self.mosaic(width: 64, height: 48, depth: 12)
    let bytes = try BayerNegative(
      mosaic: mosaic, pattern: .grbg, calibration: Self.calibration(12), metadata: Self.metadata
    ).dngFileData()
    let folder = try TemporaryFolder()
    let path = try folder.write(bytes, "a.dng")
    let answer = try Judges.run(
      "exiftool", ["-s", "-n", "-a", "-all", "-validate", "-warning", path.path])
    #expect(answer.status == 0)
    let values = Dictionary(
      answer.output.split(separator: "\n").compactMap { line -> (String, String)? in
        let parts = line.split(separator: ":", maxSplits: 1)
        return parts.count == 2
          ? (
            parts[0].trimmingCharacters(in: .whitespaces),
            parts[1].trimmingCharacters(in: .whitespaces)
          ) : nil
      }, uniquingKeysWith: { first, _ in first })
    #expect(values["Make"] == "Example")
    #expect(values["Orientation"] == "6")
    #expect(values["ExposureTime"] == "0.008")
    #expect(values["ISO"] == "200")
    #expect(values["ExposureCompensation"] == "-2")
    #expect(values["DateTimeOriginal"] == "2023:11:14 23:13:20")
    #expect(values["OffsetTimeOriginal"] == "+01:00")
    #expect(values["GPSLatitude"]?.hasSuffix("33.5") == true && values["GPSLatitudeRef"] == "S")
    #expect(values["UniqueCameraModel"] == "Example Sensor One")
    #expect(values["CFAPattern2"] == "1 0 2 1")
    #expect(values["WhiteLevel"] == "4095")
    #expect(values["BlackLevel"] == "16 32 32 48")
    #expect(values["NoiseProfile"]?.hasPrefix("0.0001") == true)
    #expect(values["Warning"] == nil, "\(values["Warning"] ?? "")")
  }

  @Test(
    .tags(.judges), .enabled(if: Judges.find("dcraw") != nil, "dcraw is missing"),
    arguments: [10, 12, 14, 16])
  func dcraw_unpacks_the_same_samples(depth: Int) throws {
    let mosaic = try Self.mosaic(width: 300, height: 270, depth: depth)
    let bytes = try BayerNegative(
      mosaic: mosaic, pattern: .rggb,
      calibration: .assumed(model: "Example", bitDepth: depth)
    ).dngFileData()
    let folder = try TemporaryFolder()
    let path = try folder.write(bytes, "a.dng")
    // -E: the sensor's samples unchanged, as a 16-bit gray image.
    let answer = try Judges.run("dcraw", ["-E", "-4", "-c", path.path])
    #expect(answer.status == 0)
    let pixels = answer.data.suffix(300 * 270 * 2)
    let samples = stride(from: pixels.startIndex, to: pixels.endIndex, by: 2).map {
      UInt16(pixels[$0]) << 8 | UInt16(pixels[$0 + 1])
    }
    #expect(samples == mosaic.samples)
  }

  @Test func an_invalid_calibration_is_refused() throws {
    let mosaic = try Self.mosaic(width: 16, height: 16, depth: 12)
    var black = Self.calibration(12)
    black.blackLevel = [5000, 0, 0, 0]
    var matrix = Self.calibration(12)
    matrix.profiles[0].colorMatrix = [Double](repeating: 0, count: 9)
    for facts in [black, matrix] {
      let negative = try BayerNegative(mosaic: mosaic, pattern: .rggb, calibration: facts)
      do {
        _ = try negative.dngFileData()
        Issue.record("the calibration was accepted")
      } catch {
        #expect(error.code == .invalidCalibration)
      }
    }
  }

  @Test func files_with_flipped_bytes_are_read_or_refused() throws {
    let mosaic = try Self.mosaic(width: 40, height: 30, depth: 12)
    let bytes = try BayerNegative(
      mosaic: mosaic, pattern: .rggb, calibration: Self.calibration(12), metadata: Self.metadata
    ).dngFileData()
    var random = SeededGenerator(seed: 77)
    for round in 0..<4000 {
      var broken = bytes
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        // Most changes hit the directories, where damage does most.
        let end = round % 3 == 0 ? broken.count : min(900, broken.count)
        broken[Int.random(in: 0..<end, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if round % 5 == 0 { broken.removeLast(Int.random(in: 0..<broken.count, using: &random)) }
      guard let file = try? DNGFile(broken), let raw = try? file.rawImage() else { continue }
      _ = try? file.decodePixels(of: raw)
    }
  }
}
