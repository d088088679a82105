public import ASCMHL
import MediaCore

extension OffloadReport {
  /// The result of ``PhotoLibrary/offload(_:to:and:deletes:createsFolders:progress:)``, in the form
  /// of a card's offload.
  public init(of reports: [ExportReport], from library: String) {
    let counts = reports.map { $0.files.count + $0.failures.count { !$0.asset.isEmpty } }
    let sizes = reports.map { $0.files.reduce(Int64(0)) { $0.addingSaturating($1.size) } }
    self.init(
      source: library, fileCount: counts.max() ?? 0, byteCount: sizes.max() ?? 0, refused: [])
    wasInterrupted = reports.contains(where: \.wasInterrupted)
    destinations = reports.map { report in
      Destination(
        folder: report.destination, disk: report.disk,
        files: report.files.map {
          File(
            path: $0.path, size: $0.size, xxh64: $0.xxh64, c4: $0.c4, wasPresent: $0.wasPresent)
        },
        failures: report.failures.map {
          Failure(path: $0.path, code: $0.code, message: $0.message)
        },
        manifest: report.manifest)
    }
  }
}
