import Foundation

/// An FFmpeg newer than Debian's, as a second judge of movies: the one that `NEWER_FFMPEG` names, else
/// the one that the package imageio-ffmpeg brings.
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

  /// Its path; nil where it could not be had.
  package static var path: String? { try? result.get() }

  /// Why there is none.
  package static var absence: String {
    switch result {
    case .success: "a newer FFmpeg is there"
    case .failure(let error): "no newer FFmpeg: \(error)"
    }
  }

  /// A path that is a program and nothing else: not empty, not a folder.
  private static func checked(_ path: String) throws -> String {
    var isFolder: ObjCBool = false
    guard path.hasPrefix("/"),
      FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
      FileManager.default.isExecutableFile(atPath: path)
    else { throw PythonEnvironment.Unavailable(description: "'\(path)' is not a program") }
    return path
  }
}
