package import Foundation
package import Testing

/// Decoders of other projects: imagecodecs (libultrahdr, libavif, libjxl, libpng, libjpeg-turbo,
/// lcms2), libheif, tifffile and OpenEXR, through Python packages in an environment of their own.
package enum ImageJudges {
  package static let python: Result<PythonEnvironment, any Error> = Result {
    try PythonEnvironment(
      "picture-judges-1",
      packages: [
        "imagecodecs==2026.3.6", "tifffile==2026.3.3", "pillow-heif==1.8.1", "OpenEXR==3.5.3",
        "numpy",
      ])
  }

  package static var arePresent: Bool { (try? python.get()) != nil }

  package static var absence: Comment {
    switch python {
    case .success: "the image judges are installed"
    case .failure(let error): "no judges of pictures: \(error)"
    }
  }

  /// What a judge found in a file.
  package struct Finding: Decodable {
    package let width: Int
    package let height: Int
    package let type: String
    /// The number of distinct values of green.
    package let levels: Int
    package let profile: Data?
    /// Primaries, transfer, matrix and range.
    package let nclx: [Int]?
    /// Red, green, blue, white and the number 0.5 as XYZ, by lcms2.
    package let xyz: [Double]?
    package let header: [String: String]?
    /// Interleaved; integers are scaled to 0...1.
    package var pixels: [Float] = []

    /// The mean of all numbers.
    package var mean: Float { pixels.reduce(0, +) / Float(max(pixels.count, 1)) }

    /// How much more red there is than blue.
    package var balance: Float {
      let sums = pixels.indices.reduce(into: SIMD3<Float>()) { $0[$1 % 3] += pixels[$1] }
      return sums.x / sums.z
    }

    private enum CodingKeys: CodingKey {
      case width, height, type, levels, profile, nclx, xyz, header
    }
  }

  /// Decodes some files.
  package static func read(_ paths: [String]) throws -> [Finding] {
    let script = try #require(Bundle.module.path(forResource: "judge_pictures", ofType: "py"))
    let answer = try python.get().run([script] + paths)
    #expect(answer.status == 0, "\(answer.errors)")
    let lines = answer.output.split(separator: "\n")
    try #require(lines.count == paths.count)
    return try zip(lines, paths).map { line, path in
      var finding = try JSONDecoder().decode(Finding.self, from: Data(line.utf8))
      finding.pixels = try Data(contentsOf: URL(filePath: path + ".f32")).withUnsafeBytes {
        Array($0.bindMemory(to: Float.self))
      }
      return finding
    }
  }

  /// A file's tags by exiftool, with their groups.
  package static func tags(_ path: String) throws -> [String: String] {
    let result = try Judges.run("exiftool", ["-j", "-G1", "-n", "-struct", path])
    let list = try JSONSerialization.jsonObject(with: result.data) as? [[String: Any]]
    return (list?.first ?? [:]).mapValues { "\($0)" }
  }

  package static let exiftoolIsPresent = Judges.find("exiftool") != nil
}
