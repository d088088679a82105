import Foundation

/// An FFmpeg newer than Debian's, as a second judge of movies: the one named by `NEWER_FFMPEG`,
/// else that of the package imageio-ffmpeg.
package enum NewerFFmpeg {
  private static let version = "0.8.1"

  private static let result: Result<String, any Error> = Result {
    if let path = ProcessInfo.processInfo.environment["NEWER_FFMPEG"] { return try checked(path) }
    let environment = try PythonEnvironment(
      "imageio-ffmpeg-\(version)", packages: ["imageio-ffmpeg==\(version)"])
    let answer = try environment.run([
      "-c", "import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe(), end='')",
    ])
    guard answer.status == 0 else {
      throw PythonEnvironment.Unavailable(description: "imageio-ffmpeg: \(answer.output)")
    }
    return try checked(answer.output)
  }

  /// Its path; nil if it is unavailable.
  package static var path: String? { try? result.get() }

  /// Why it is unavailable.
  package static var absence: String {
    switch result {
    case .success: "a newer FFmpeg is installed"
    case .failure(let error): "no newer FFmpeg: \(error)"
    }
  }

  /// Accepts only an absolute path of a program, not an empty string or a folder.
  private static func checked(_ path: String) throws -> String {
    var isFolder: ObjCBool = false
    guard path.hasPrefix("/"),
      FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
      FileManager.default.isExecutableFile(atPath: path)
    else { throw PythonEnvironment.Unavailable(description: "'\(path)' is not a program") }
    return path
  }
}
