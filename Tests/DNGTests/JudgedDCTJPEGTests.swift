import Foundation
import MediaCore
import TestSupport
import Testing

@testable import DNG

/// DCT JPEGs compared with libjpeg-turbo 3, which reads and writes 12 bits, through Python's imagecodecs.
@Suite struct JudgedDCTJPEGTests {
  /// Encodes the jobs that have samples, and decodes each file without converting its colors.
  private static let script = """
    import json, sys
    import imagecodecs, numpy
    folder = sys.argv[1]
    for job in json.load(open(folder + "/jobs.json")):
        path = folder + "/" + job["name"]
        color = {1: "grayscale", 3: job["color"], 4: "cmyk"}[job["components"]]
        if job["encodes"]:
            shape = (job["rows"], job["columns"], job["components"])[:2 if job["components"] == 1 else 3]
            samples = numpy.fromfile(path + ".raw", "<u2").reshape(shape)
            if job["precision"] == 8:
                samples = samples.astype("u1")
            options = {}
            if job["components"] == 3:
                options = {"colorspace": "rgb", "outcolorspace": color, "subsampling": "444"}
            data = imagecodecs.jpeg8_encode(
                samples, level=job["level"], bitspersample=job["precision"], optimize=job["isOptimized"],
                **options)
            open(path + ".jpg", "wb").write(data)
        data = open(path + ".jpg", "rb").read()
        pixels = imagecodecs.jpeg8_decode(data, colorspace=color, outcolorspace=color)
        pixels.astype("<u2").tofile(path + ".ref")
    """

  private struct Job: Encodable {
    var name: String
    var columns: Int
    var rows: Int
    var components: Int
    var precision = 12
    var level = 0
    var isOptimized = false
    var color = "rgb"
    var encodes = true
  }

  @Test(.tags(.judges, .network), .enabled(if: ImageJudges.arePresent, ImageJudges.absence))
  func files_from_libjpeg_turbo_decode_as_in_libjpeg_turbo() throws {
    let folder = try TemporaryFolder()
    var jobs: [Job] = []
    for kind in LosslessJPEGTests.kinds {
      for (columns, rows) in [(1, 1), (64, 40), (75, 61)] {
        for level in [20, 75, 95, 100] {
          for (components, precision) in [(1, 12), (1, 8), (3, 12)] {
            let samples = LosslessJPEGTests.samples(
              kind, columns * rows * components, precision: precision, seed: UInt64(level))
            let job = Job(
              name: "\(jobs.count)", columns: columns, rows: rows, components: components,
              precision: precision, level: level, isOptimized: jobs.count % 2 == 0,
              color: jobs.count % 4 < 2 ? "rgb" : "ycbcr")
            try samples.withUnsafeBytes { try Data($0).write(to: folder.url(job.name + ".raw")) }
            jobs.append(job)
          }
        }
      }
    }
    try ask(jobs, folder)
  }

  @Test(.tags(.judges, .network), .enabled(if: ImageJudges.arePresent, ImageJudges.absence))
  func other_jpeg_forms_decode_as_in_libjpeg_turbo() throws {
    let folder = try TemporaryFolder()
    var jobs: [Job] = []
    for components in [1, 3, 4] {
      for interval in [0, 1, 7] {
        for isInterleaved in [true, false] {
          let mosaic = LosslessJPEGTests.samples(
            "smooth", 75 * 30 * components, precision: 12, seed: UInt64(interval))
          var example = ExampleDCTJPEG(
            mosaic, columns: 75, rows: 30, components: components,
            steps: (0..<64).map { interval == 7 ? 1 + 5 * $0 : 1 })
          (example.restartInterval, example.isInterleaved) = (interval, isInterleaved)
          let job = Job(
            name: "\(jobs.count)", columns: 75, rows: 30, components: components, encodes: false)
          try Data(example.file()).write(to: folder.url(job.name + ".jpg"))
          jobs.append(job)
        }
      }
    }
    try ask(jobs, folder)
  }

  /// Compares our samples with the judge's.
  private func ask(_ jobs: [Job], _ folder: TemporaryFolder) throws {
    try JSONEncoder().encode(jobs).write(to: folder.url("jobs.json"))
    let answer = try ImageJudges.python.get().run(["-c", Self.script, folder.path])
    try #require(answer.status == 0, "\(answer.failures)")
    for job in jobs {
      let file = [UInt8](try Data(contentsOf: folder.url(job.name + ".jpg")))
      let expected = try Data(contentsOf: folder.url(job.name + ".ref")).withUnsafeBytes {
        Array($0.bindMemory(to: UInt16.self))
      }
      let image = try DCTJPEGDecoder.decode(file[...], sampleLimit: expected.count)
      #expect(image.isYCbCr == (job.components == 3 && (job.color == "ycbcr" || !job.encodes)))
      try #require(image.samples.count == expected.count)
      let greatest = zip(image.samples, expected).map { abs(Int($0) - Int($1)) }.max()
      #expect(greatest ?? 0 <= 1, "\(job)")
    }
  }
}
