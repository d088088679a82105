package import Foundation
import Testing

/// The sample files of Adobe's DNG SDK, which come with the sources of the package dngpy.
package enum AdobeSamples {
  /// The files, in the order of their names.
  package static func files() throws -> [URL] {
    let folder = try PythonEnvironment.sources(
      "adobe-samples-1", of: "dngpy==0.1.3", files: "*/sample_files/*.dng", depth: 3)
    return try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "dng" }.sorted { $0.path < $1.path }
  }
}
