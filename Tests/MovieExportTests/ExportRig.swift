import AssetReader
import AssetWriter
import MediaCore
import MovieExport
import TestSupport

/// Conversions to ProRes 422 LT.
struct ExportRig {
  let folder: TemporaryFolder

  /// Converts to `whole.mov`.
  func encode(
    _ input: String, editing edit: (inout AssetExportSession) -> Void = { _ in }
  ) async throws -> AssetExportSession.Outcome {
    var session = AssetExportSession(
      location: try AssetLocation(input), outputPath: folder.path("whole.mov"))
    session.codec = .proRes422LT
    session.overwritePolicy = .replace
    edit(&session)
    return try await session.export()
  }
}
