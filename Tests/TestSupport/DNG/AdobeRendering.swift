package import Foundation

/// The differences between renderings of DNG files and those of Adobe's DNG SDK, on a scale of
/// 65535.
package struct AdobeRendering {
  /// The mean of all differences.
  package let mean: Double
  /// The limit that 99.9 % of them stay below.
  package let most: Double
  /// The largest.
  package let all: Double

  /// A file, and our rendering of it.
  package struct Request {
    package var file: URL
    /// Our samples: red, green and blue interleaved, in the machine's byte order.
    package var ours: URL
    package var width: Int
    package var height: Int
    /// The last part of a name `dng_space_…`.
    package var space = "sRGB"
    /// Floats instead of 16-bit integers.
    package var isFloat = false
    package var exposure: Double?
    package var shadows: Double?
    package var white: SIMD2<Double>?
    /// The number of pixels ignored at each edge.
    package var margin = 0
    /// True to compare means of eight by eight pixels, because mosaics are interpolated in
    /// different ways.
    package var comparesBlocks = false

    package init(file: URL, ours: URL, width: Int, height: Int) {
      (self.file, self.ours, self.width, self.height) = (file, ours, width, height)
    }
  }

  /// Why a file was not compared.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// Renders files with the SDK and compares them, all in one process; each has its own result.
  package static func compare(_ requests: [Request]) throws -> [Result<AdobeRendering, Failure>] {
    var lines = ""
    for request in requests {
      var fields: [String: Any] = [
        "file": request.file.path, "ours": request.ours.path, "width": request.width,
        "height": request.height, "space": request.space, "margin": request.margin,
        "format": request.isFloat ? "floats" : "words", "blocks": request.comparesBlocks,
      ]
      fields["exposure"] = request.exposure
      fields["shadows"] = request.shadows
      fields["x"] = request.white?.x
      fields["y"] = request.white?.y
      lines +=
        String(decoding: try JSONSerialization.data(withJSONObject: fields), as: UTF8.self) + "\n"
    }
    guard let script = Bundle.module.path(forResource: "render_dng", ofType: "py") else {
      throw Failure(description: "the script is missing")
    }
    let answer = try Command.run(
      try DNGJudges.python.get(), [script], input: Data(lines.utf8))
    let answers = answer.output.split(separator: "\n").compactMap {
      try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
    guard answers.count == requests.count else { throw Failure(description: answer.output) }
    return answers.map { answer in
      guard let mean = answer["mean"] as? Double, let most = answer["most"] as? Double,
        let all = answer["all"] as? Double
      else { return .failure(Failure(description: "\(answer["error"] ?? "no answer")")) }
      return .success(AdobeRendering(mean: mean, most: most, all: all))
    }
  }
}
