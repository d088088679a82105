import Foundation
import MediaCore

@testable import DNG
@testable import RawPhoto
@testable import TIFF

/// DNG files as `recordctl photo info --json` reads them, and the pixels of all their images.
struct NegativeSubject: Subject {
  let name = "dng"
  let share = 0.14
  private let seeds: [([UInt8], Mutation)]
  private let encoder = JSONEncoder()

  init(_ photos: PhotoSeeds) { seeds = photos.negatives.map { ($0, Mutation(tiff: $0)) } }

  func input(using random: inout SplitMix64) -> [UInt8] {
    guard let (bytes, mutation) = seeds.randomElement(using: &random) else { return [] }
    return mutation.apply(to: bytes, using: &random)
  }

  func read(_ input: [UInt8]) -> Bool {
    guard let file = try? DNGFile(input) else { return false }
    // The raw image is already decoded for the digest.
    for image in file.images where image.role != .raw {
      _ = try? file.decodePixels(of: image)
    }
    if file.root.entries[.newRawImageDigest] == nil, let raw = try? file.rawImage() {
      _ = try? file.decodePixels(of: raw)
    }
    guard let summary = try? DNGSummary(file) else { return false }
    guard (try? encoder.encode(summary)) != nil else {
      fatalError("a summary that is no JSON")
    }
    return true
  }
}

/// Lossless JPEG by itself, because most mutated DNG files are refused before that.
struct LosslessJPEGSubject: Subject {
  let name = "lossless jpeg"
  let share = 0.16
  private let seeds: [[UInt8]]

  init(_ photos: PhotoSeeds) { seeds = photos.lossless }

  func input(using random: inout SplitMix64) -> [UInt8] {
    guard let bytes = seeds.randomElement(using: &random) else { return [] }
    // The segments before the scan, and sometimes its codes.
    let scan = bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA } ?? 0
    let head = 0..<scan + 16
    return Mutation(places: [head, head, head, scan..<bytes.count], numberSizes: [1, 2])
      .apply(to: bytes, using: &random)
  }

  func read(_ input: [UInt8]) -> Bool {
    (try? LosslessJPEGDecoder.decode(input[...], sampleLimit: 8 * input.count)) != nil
  }
}

/// Sensor calibrations.
struct CalibrationSubject: Subject {
  let name = "calibration"
  let share = 0.03
  private static let seed = [UInt8](
    """
    model = "Example Camera 1"
    bit-depth = 12
    black-level = [64, 64, 64, 64]
    white-level = 4095
    neutral = [0.5, 1.0, 0.62]
    base-iso = 100
    noise = [1.0e-4, 6.0e-8]
    [[profile]]
    illuminant = "D65"
    color-matrix = [3.24, -1.54, -0.50, -0.97, 1.88, 0.04, 0.06, -0.20, 1.06]
    """.utf8)

  func input(using random: inout SplitMix64) -> [UInt8] {
    Mutation(whole: Self.seed).apply(to: Self.seed, using: &random)
  }

  func read(_ input: [UInt8]) -> Bool {
    (try? CalibrationFile.read(text: String(decoding: input, as: UTF8.self), name: "a.toml")) != nil
  }
}
