import Foundation
import MediaLibrary

/// The assets that a library verb prints with `--json`.
struct AssetDocument: Decodable {
  let assets: [AssetSummary]

  init(_ run: Recordctl) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(run.output.utf8))
  }
}
