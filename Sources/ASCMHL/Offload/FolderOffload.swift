import Dispatch
public import FoundationEssentials
import Glibc
import MediaCore
import Synchronization

/// Copies a folder, such as a card's, to several disks at once: each file is read once, written to
/// every disk, and read back from each. Every copy gets an ASC MHL manifest.
///
/// Nothing is overwritten. An existing file is compared instead of copied, so an interrupted offload can be run again
/// and continues with what is missing. The card's own manifests are copied, and the new one is their next
/// generation.
public struct FolderOffload: Sendable {
  /// The folder to copy.
  public let source: URL
  /// The folders that receive the copies.
  public let destinations: [URL]
  /// The name of each copy in its destination: the source's, unless set.
  public var name: String
  /// True to create missing destinations. Otherwise a missing one is refused: most often its disk
  /// is not mounted, and the copy would go to the system disk.
  public var createsDestinations = false
  /// The tool version that the manifests name.
  package var toolVersion = "0.1.0"
  /// Returns the time in seconds since 1970.
  package var now: @Sendable () -> Double = { Date().timeIntervalSince1970 }
  /// Returns the system calls to use for a folder.
  package var calls: @Sendable (String) -> any FolderCalls = { _ in SystemFolderCalls() }

  /// An offload of a folder into `NAME` in each destination.
  public init(of source: URL, to destinations: [URL]) {
    self.source = source
    self.destinations = destinations
    let path = source.absoluteURL.standardizedFileURL.path
    name = path.pathParts().last.map(String.init) ?? "root"
  }

  /// Copies, and returns when everything is done.
  ///
  /// - Parameters:
  ///   - isCancelled: Asked before each piece. When it returns true, the current file is abandoned,
  ///     and the manifests list the files copied so far.
  ///   - progress: Called for each piece, several times a second.
  /// - Throws: ``ASCMHLError`` if the source cannot be read at all, or if a destination is missing,
  ///   is named twice, or is inside the source. Later failures are in the report.
  public func run(
    isCancelled: @Sendable () -> Bool = { false },
    progress: (@Sendable (OffloadProgress) -> Void)? = nil
  ) throws(ASCMHLError) -> OffloadReport {
    let card = try CopyFolder(Self.path(source), calls: calls(Self.path(source)))
    let places = try checkedPlaces(card)
    let listing = try FolderListing(card)
    var report = OffloadReport(
      source: card.path, fileCount: listing.files.count,
      byteCount: listing.files.reduce(Int64(0)) { $0.addingSaturating($1.size) },
      refused: listing.others)
    let history = try MHLHistory(card)
    report.notes = notes(places, listing)
    if let note = history.noteOfUnknownFormats(listing.files) { report.notes.append(note) }
    report.refused += history.problems
    var writers: [CopyWriter] = []
    var copies: [FileFacts] = [try card.facts()]
    for place in places {
      let folder = try folder(in: place)
      let facts = try folder.facts()
      guard !copies.contains(where: { Self.areSame($0, facts) }) else {
        throw ASCMHLError(
          .invalidPath,
          "\(folder.path): is the same as another folder, through a mount; name each once")
      }
      copies.append(facts)
      writers.append(CopyWriter(folder, of: listing, oneOf: places.count))
    }
    let run = OffloadRun(
      card: card, listing: listing, writers: writers, history: history, offload: self,
      total: report.byteCount, progress: progress)
    run.copy(isCancelled: isCancelled, into: &report)
    return report
  }

  /// Does the same on a separate thread.
  public func run(
    isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: (@Sendable (OffloadProgress) -> Void)? = nil
  ) async throws(ASCMHLError) -> OffloadReport {
    let result = await withCheckedContinuation { continuation in
      DispatchQueue(label: "offload", qos: .userInitiated).async {
        continuation.resume(
          returning: Result { () throws(ASCMHLError) -> OffloadReport in
            try run(isCancelled: isCancelled, progress: progress)
          })
      }
    }
    return try result.get()
  }

  private static func path(_ url: URL) -> String {
    var path = url.absoluteURL.standardizedFileURL.path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  private func folder(in place: String) throws(ASCMHLError) -> CopyFolder {
    if createsDestinations, mkdir(place, 0o777) != 0, errno != EEXIST { try makeFolders(place) }
    let parent = try CopyFolder(place, calls: calls(place))
    try parent.makeFolder(name)
    guard try parent.facts(name)?.isFolder == true else {
      throw ASCMHLError(
        .invalidPath,
        "\(place)/\(name): is a file or a link; move it away, or give the copy another name")
    }
    return try CopyFolder(place + "/" + name, calls: calls(place))
  }

  private func makeFolders(_ path: String) throws(ASCMHLError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw ASCMHLError(.ioFailed, "\(path): cannot be created: \(error)")
    }
  }

  /// The paths of the destinations, after checking that they are distinct folders outside the
  /// source.
  private func checkedPlaces(_ card: CopyFolder) throws(ASCMHLError) -> [String] {
    try MHLManifest.check(name)
    guard !name.isEmpty, name != ".", name != "..", !name.hasSlash else {
      throw ASCMHLError(.invalidPath, "'\(name)' is not a name for a folder")
    }
    let source = try card.facts()
    var known: [(path: String, facts: FileFacts)] = []
    for place in destinations.map(Self.path) {
      var status = stat()
      guard stat(place, &status) == 0 else {
        if createsDestinations, errno == ENOENT { continue }
        let disk = Disk(holding: place).map { " on \($0.description)" } ?? ""
        throw ASCMHLError(
          .fileNotFound,
          "\(place): no such folder; mount its disk, or allow it to be created\(disk)")
      }
      let facts = FileFacts(status)
      if let other = known.first(where: { Self.areSame($0.facts, facts) }) {
        throw ASCMHLError(
          .invalidPath,
          "\(place) and \(other.path) are the same folder, which would hold one copy; name each "
            + "folder once")
      }
      known.append((place, facts))
    }
    // The copy's own folder is checked too: `--from /media/card /media` would take the card itself
    // for its copy.
    for place in destinations.map(Self.path)
    where Self.isIn(source, place) || Self.isIn(source, place + "/" + name) {
      throw ASCMHLError(
        .invalidPath,
        "\(place)/\(name): is \(card.path) itself or in it; name a folder on another disk")
    }
    return destinations.map(Self.path)
  }

  private static func areSame(_ one: FileFacts, _ other: FileFacts) -> Bool {
    (one.device, one.inode) == (other.device, other.inode)
  }

  /// True if a path, as far as it exists, is the folder or inside it.
  private static func isIn(_ folder: FileFacts, _ path: String) -> Bool {
    var path = path
    while true {
      var status = stat()
      if stat(path, &status) == 0, areSame(FileFacts(status), folder) { return true }
      guard let resolved = realpath(path, nil) else {
        guard path != "/", path.hasSlash else { return false }
        path = path.parentPath
        continue
      }
      defer { free(resolved) }
      let real = String(cString: resolved)
      guard real != "/" else { return false }
      path = real.parentPath
    }
  }

  /// Notes that matter for trusting the copies.
  private func notes(_ places: [String], _ listing: FolderListing) -> [String] {
    var notes: [String] = []
    let disks = places.map { ($0, Disk(holding: $0)) }
    for (index, (place, disk)) in disks.enumerated() {
      for (other, second) in disks[..<index] {
        guard let disk, let second, disk.isSame(as: second) else { continue }
        notes.append(
          "\(other) and \(place) are on the same disk (\(disk.description)): lost together, they count "
            + "as one copy")
      }
      if let disk, let own = Disk(holding: Self.path(source)), disk.isSame(as: own) {
        notes.append("\(place) is on the same disk as \(Self.path(source))")
      }
    }
    for home in listing.homes where !home.isEmpty {
      notes.append(
        "\(home)\(MHLManifest.folderName): is copied unchanged; verifying the copy checks it")
    }
    return notes
  }
}
