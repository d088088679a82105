import Foundation

/// What Adobe's DNG SDK makes of a file.
package struct AdobeRendering {
  package let width: Int
  package let height: Int
  /// Red, green and blue in turn; integers are 0 to 65535.
  package let samples: [Float]

  /// A file to be rendered.
  package struct Request {
    package var file: [UInt8]
    /// The end of a name of `dng_space_…`.
    package var space = "sRGB"
    /// Floats instead of 16-bit integers.
    package var isFloat = false
    package var exposure: Double?
    package var shadows: Double?
    package var white: SIMD2<Double>?

    package init(file: [UInt8]) { self.file = file }
  }

  /// Why a file was not rendered.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// Renders files; each with its own result, in one process.
  package static func render(_ requests: [Request]) throws -> [Result<AdobeRendering, Failure>] {
    let folder = try TemporaryFolder()
    var lines = ""
    for (index, request) in requests.enumerated() {
      let file = try folder.write(request.file, "\(index).dng")
      var fields: [String: Any] = [
        "file": file.path, "output": folder.path("\(index).samples"), "space": request.space,
        "format": request.isFloat ? "floats" : "words",
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
    return zip(requests, answers).enumerated().map { index, pair in
      let (request, answer) = pair
      guard let width = answer["width"] as? Int, let height = answer["height"] as? Int,
        let data = try? Data(contentsOf: folder.url("\(index).samples"))
      else { return .failure(Failure(description: "\(answer["error"] ?? "no answer")")) }
      let samples = data.withUnsafeBytes { bytes in
        request.isFloat
          ? Array(bytes.bindMemory(to: Float.self))
          : bytes.bindMemory(to: UInt16.self).map { Float($0) }
      }
      return .success(AdobeRendering(width: width, height: height, samples: samples))
    }
  }
}
