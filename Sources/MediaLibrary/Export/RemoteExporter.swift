import ASCMHL
import MediaCore
import ObjectStorage

/// Copies assets to object storage, with a manifest of them.
struct RemoteExporter {
  let core: LibraryCore
  let copy: RemoteCopy
  /// Stops the export, even within a file.
  var cancellation: Cancellation?
  /// Called with the number of files and bytes done.
  var progress: (@Sendable (Int, Int64) -> Void)?

  /// Checks that the stores can be used, and differ.
  ///
  /// - Throws: ``MediaLibraryError``.
  static func check(
    _ copies: [RemoteCopy], unless cancellation: Cancellation
  ) throws(MediaLibraryError) {
    for (index, copy) in copies.enumerated() {
      if copies[..<index].contains(where: { $0.address == copy.address }) {
        throw MediaLibraryError(
          .invalidPath, "\(copy.address): would hold only one copy; name each address once")
      }
      do throws(ObjectStorageError) {
        try copy.check(isCancelled: { cancellation.isCancelled })
      } catch { throw MediaLibraryError(error) }
    }
  }

  /// Copies all files of the assets, until cancelled.
  func run(_ assets: [AssetRecord]) throws(MediaLibraryError) -> ExportReport {
    let folder: CopyFolder
    do throws(ASCMHLError) { folder = try CopyFolder(core.layout.root) } catch {
      throw MediaLibraryError(error)
    }
    let places = AssetExporter(core: core, folder: core.layout.root, options: ExportOptions())
    var items: [RemoteCopy.Item] = []
    var owners: [(asset: String, path: String)] = []
    var taken: Set<String> = []
    var seen: Set<String> = []
    for asset in assets where seen.insert(asset.id).inserted {
      for (resource, path) in zip(asset.resources, places.places(asset, &taken)) {
        items.append(
          RemoteCopy.Item(
            path: path,
            source: .init(
              resource.path, in: folder, size: resource.size, modified: resource.modified),
            xxh64: resource.hash, trustsHash: true))
        owners.append((asset.id, resource.path))
      }
    }
    do throws(ObjectStorageError) {
      let outcome = try copy.run(
        items, isCancelled: { [cancellation] in cancellation?.isCancelled == true },
        progress: progress ?? { _, _ in })
      return report(outcome, items, owners)
    } catch { throw MediaLibraryError(error) }
  }

  private func report(
    _ outcome: RemoteCopy.Outcome, _ items: [RemoteCopy.Item],
    _ owners: [(asset: String, path: String)]
  ) -> ExportReport {
    var report = ExportReport(destination: copy.address.description, disk: nil)
    report.files = outcome.entries.map { entry in
      .init(
        asset: owners[entry.item].asset, path: items[entry.item].path, size: entry.size,
        xxh64: entry.xxh64, c4: entry.c4, wasPresent: entry.wasPresent)
    }
    report.failures = outcome.failures.map { failure in
      .init(
        asset: owners[failure.item].asset, path: owners[failure.item].path,
        code: failure.error.code.name, message: failure.error.message)
    }
    if let error = outcome.manifestFailure {
      report.failures.append(
        .init(
          asset: "", path: MHLManifest.folderName, code: error.code.name, message: error.message))
    }
    (report.manifest, report.notes) = (outcome.manifest, outcome.notes)
    report.wasInterrupted = outcome.wasInterrupted
    return report
  }
}

extension MediaLibraryError {
  /// The error as one of the library.
  init(_ error: ObjectStorageError) {
    let code: Code =
      switch error.code {
      case .bucketNotFound: .bucketNotFound
      case .objectNotFound: .fileNotFound
      case .invalidCredentials, .accessDenied, .untrustedServer: .accessDenied
      case .invalidArgument, .unsupported: .invalidArgument
      case .objectExists, .verificationFailed: .verificationFailed
      case .interrupted: .interrupted
      case _ where error.isWorthRetrying: .unreachable
      default: .ioFailed
      }
    self.init(code, from: error)
  }
}
