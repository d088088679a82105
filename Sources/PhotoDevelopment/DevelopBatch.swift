import DNG
import Dispatch
import Foundation
import MediaCore
import PictureFiles
import RawDevelop
import Synchronization

/// Develops photos into files, a few at the same time; a photo that fails does not stop the others.
public struct DevelopBatch: Sendable {
  /// How far the work is.
  public struct Progress: Sendable, Hashable {
    /// Photos that are done, of whatever status.
    public let done: Int
    /// All photos.
    public let total: Int
    /// Seconds that the rest will take at the speed so far; nil before the first one is done.
    public let secondsLeft: Double?
    /// The photo that was done last.
    public let last: DevelopedPhoto?
  }

  /// The photos' files.
  public let sources: [String]
  /// What is made of each.
  public let recipe: DevelopRecipe
  /// What the pictures are called.
  public let name: PictureName
  /// Photos at the same time. Each one uses all processors where it can.
  public var jobs = 1
  /// True to leave out photos whose picture is there already.
  public let skipsExisting: Bool
  /// True to take the place of older pictures.
  public var replacesFiles = false
  /// Where XMP of photos is, by the photos' files; of others it is beside them.
  public var sidecars: [String: SidecarPlace] = [:]
  /// What an error for a picture that exists advises besides another name.
  public var remedyForExisting = "or skip or overwrite what exists"
  /// True to count how often values occur.
  public var makesHistograms = false
  /// True to have ``DevelopedPhoto/packet`` made.
  public var makesPackets = false

  /// A batch.
  ///
  /// - Parameters:
  ///   - sources: The photos' files.
  ///   - recipe: What is made of each.
  ///   - name: What the pictures are called.
  ///   - skipsExisting: True to leave out photos whose picture is there already.
  /// - Throws: ``PhotoDevelopmentError/Code/invalidArgument`` for one name for several photos, for one with the ending
  ///   of another format, and for names by which a picture that is there cannot be told from another photo's.
  public init(
    sources: [String], recipe: DevelopRecipe, name: PictureName, skipsExisting: Bool = false
  ) throws(PhotoDevelopmentError) {
    guard !name.isFixed || sources.count <= 1 else {
      throw PhotoDevelopmentError(
        .invalidArgument,
        "\(sources.count) photos want names of their own: add {name} or {number}, or name a folder")
    }
    try name.check(recipe.file.format)
    guard !skipsExisting || name.tellsPhoto else {
      throw PhotoDevelopmentError(
        .invalidArgument,
        "a picture whose name is without {name} may be another photo's, and cannot be skipped by it; add "
          + "{name} to the name")
    }
    (self.sources, self.recipe, self.name) = (sources, recipe, name)
    self.skipsExisting = skipsExisting
  }

  /// The first of the pictures that is there already, whatever is to become of it; nil for none, and where names
  /// depend on what is in the photos' files.
  public var presentPath: String? {
    guard !name.needsMetadata else { return nil }
    return sources.indices.lazy.map { path($0, PhotoMetadata()) }
      .first { FileManager.default.fileExists(atPath: $0) }
  }

  /// What the run shares between its threads.
  private final class Run: Sendable {
    let next = Atomic(0)
    let began = ContinuousClock.now
    let state: Mutex<State>
    struct State {
      var results: [DevelopedPhoto?]
      var done = 0
      var worked = 0
      /// Pictures' paths of this run. By their bytes: text that looks alike may name two files.
      var paths: Set<[UInt8]> = []
      /// Folders that were looked through for what earlier runs left behind.
      var folders: Set<String> = []
    }
    /// The photos themselves.
    let originals: Set<FileIdentity>

    init(_ sources: [String]) {
      state = Mutex(State(results: Array(repeating: nil, count: sources.count)))
      originals = Set(sources.compactMap { FileIdentity(path: $0) })
    }
  }

  /// Develops all photos; what became of each, in their order. Blocks the thread.
  ///
  /// - Parameters:
  ///   - isCanceled: Asked between and within photos; true ends the work.
  ///   - progress: Called on any thread, once at a time, after each photo.
  public func run(
    isCanceled: @escaping @Sendable () -> Bool = { false },
    progress: @Sendable (Progress) -> Void = { _ in }
  ) -> [DevelopedPhoto] {
    let run = Run(sources)
    DispatchQueue.concurrentPerform(iterations: min(max(jobs, 1), max(sources.count, 1))) { _ in
      while true {
        let index = run.next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < sources.count else { return }
        let result =
          isCanceled()
          ? DevelopedPhoto(.canceled, source: sources[index])
          : develop(index, run, isCanceled)
        run.state.withLock { state in
          state.results[index] = result
          state.done += 1
          if result.status != .skipped { state.worked += 1 }
          let seconds = (ContinuousClock.now - run.began) / .seconds(1)
          // What is skipped takes no time, and tells nothing of the rest.
          let left =
            state.worked == 0
            ? nil : seconds / Double(state.worked) * Double(sources.count - state.done)
          progress(
            Progress(done: state.done, total: sources.count, secondsLeft: left, last: result))
        }
      }
    }
    return run.state.withLock { $0.results.compactMap(\.self) }
  }

  private func develop(
    _ index: Int, _ run: Run, _ isCanceled: @escaping @Sendable () -> Bool
  ) -> DevelopedPhoto {
    let source = sources[index]
    var result = DevelopedPhoto(.failed, source: source)
    do throws(PhotoDevelopmentError) {
      try develop(index, into: &result, run, isCanceled)
    } catch {
      result.status = error.code == .canceled ? .canceled : .failed
      if result.status == .failed {
        result.error = ErrorSummary(code: error.code.name, message: error.message)
      }
    }
    return result
  }

  private func develop(
    _ index: Int, into result: inout DevelopedPhoto, _ run: Run,
    _ isCanceled: @escaping @Sendable () -> Bool
  ) throws(PhotoDevelopmentError) {
    let (source, began) = (sources[index], ContinuousClock.now)
    let developer = PhotoDeveloper(
      recipe: recipe, makesHistograms: makesHistograms, isCanceled: isCanceled)
    if !name.needsMetadata {
      guard try claim(path(index, PhotoMetadata()), run, &result) else { return }
    }
    let file = try PhotoDeveloper.open(source)
    let metadata = file.photoMetadata
    result.notes += recipe.notes
    if let note = metadata.carried.note { result.notes.append(DevelopNote(.metadataLeftOut, note)) }
    if name.needsMetadata {
      guard try claim(path(index, metadata), run, &result) else { return }
    }
    let path = result.path ?? path(index, metadata)
    try prepareFolders(for: path, run, &result)
    let (heeded, kept) = try sidecar(of: file, &result)
    let content = try developer.picture(of: file, metadata, heeded, into: &result)
    let settings = result.settings ?? PhotoAdjustment()
    try write(
      content, to: path,
      sidecar: recipe.writesSidecars ? settings.packet(over: kept?.packet) : nil, &result,
      isCanceled)
    if makesPackets {
      // Whoever did not want the settings of the XMP does not get them with the next picture either.
      result.packet = settings.packet(over: kept?.packet, replacing: !recipe.readsSidecars).text
    }
    result.width = content.picture.width
    result.height = content.picture.height
    result.seconds = (ContinuousClock.now - began) / .seconds(1)
    result.status = .developed
  }

  /// Makes the picture's folder, and takes away what earlier runs left where this one writes.
  private func prepareFolders(
    for path: String, _ run: Run, _ result: inout DevelopedPhoto
  ) throws(PhotoDevelopmentError) {
    do throws(PictureFileError) {
      try WholeFile.makeFolder(of: path)
    } catch { throw PhotoDevelopmentError(error) }
    removeLeftovers(beside: path, run, &result)
    if recipe.writesSidecars {
      removeLeftovers(beside: PhotoSidecar.path(of: result.source), run, &result)
    }
  }

  /// The photo's XMP: what is heeded of it, and what the one that is written or given back keeps of it.
  private func sidecar(
    of file: DNGFile, _ result: inout DevelopedPhoto
  ) throws(PhotoDevelopmentError) -> (heeded: PhotoSidecar?, kept: PhotoSidecar?) {
    let place = sidecars[result.source] ?? .beside
    var present: PhotoSidecar?
    // One that is written keeps what it had, whether it is heeded or not.
    if recipe.readsSidecars || recipe.writesSidecars {
      present = try PhotoSidecar(of: result.source, file, place)
      if let remark = PhotoSidecar.remark(on: result.source, place) {
        result.notes.append(DevelopNote(.settingsLeftOut, remark))
      }
    }
    let heeded = recipe.readsSidecars ? present : nil
    // One that nobody is to heed stops nothing, however it is.
    if present == nil, makesPackets { present = try? PhotoSidecar(of: result.source, file, place) }
    return (heeded, present)
  }

  /// Writes a picture and what its photo's sidecar is to be. The picture gets its name last: whoever finds it
  /// there, and skips it, finds the settings as well.
  private func write(
    _ content: PictureContent, to path: String, sidecar: XMPDocument?,
    _ result: inout DevelopedPhoto, _ isCanceled: @escaping @Sendable () -> Bool
  ) throws(PhotoDevelopmentError) {
    var writer = PictureFileWriter(recipe.file)
    writer.isCanceled = isCanceled
    do throws(PictureFileError) {
      let written = try writer.write(content, to: path, replacing: replacesFiles) {
        () throws(PictureFileError) in
        guard let sidecar else { return }
        result.sidecar = try PhotoSidecar.write(sidecar, of: result.source)
      }
      result.byteCount = written.byteCount
      // How many bits a file has was asked for.
      result.notes += written.notes.filter { $0.kind != .fewerBits }.map { DevelopNote($0) }
    } catch { throw PhotoDevelopmentError(error) }
  }

  /// Takes away, once in each folder, pictures that a killed run had not finished.
  private func removeLeftovers(beside path: String, _ run: Run, _ result: inout DevelopedPhoto) {
    let folder = URL(filePath: path).deletingLastPathComponent().path
    guard run.state.withLock({ $0.folders.insert(folder).inserted }) else { return }
    let endings = Set(PictureFileFormat.allCases.flatMap(\.fileExtensions) + ["xmp"])
    for name in WholeFile.removeLeftovers(in: folder, endings: endings) {
      result.notes.append(
        DevelopNote(
          .leftoversRemoved, "\(folder)/\(name), which an earlier run had not finished, was removed"
        ))
    }
  }

  private func path(_ index: Int, _ metadata: PhotoMetadata) -> String {
    name.path(
      of: sources[index], number: index + 1, metadata: metadata, format: recipe.file.format)
  }

  /// Takes a path for a photo, as its result tells; false where there is a picture to leave as it is.
  private func claim(
    _ path: String, _ run: Run, _ result: inout DevelopedPhoto
  ) throws(PhotoDevelopmentError) -> Bool {
    result.path = path
    let isFree = run.state.withLock {
      $0.paths.insert(Array(URL(filePath: path).standardizedFileURL.path.utf8)).inserted
    }
    guard isFree else {
      throw PhotoDevelopmentError(
        .invalidArgument, "\(path) is the name of another photo's picture; add {number} to the name"
      )
    }
    guard FileManager.default.fileExists(atPath: path) else { return true }
    guard FileIdentity(path: path).map({ !run.originals.contains($0) }) ?? true else {
      throw PhotoDevelopmentError(
        .invalidArgument, "\(path) is one of the photos to develop; choose another name")
    }
    guard !replacesFiles else { return true }
    guard skipsExisting else {
      throw PhotoDevelopmentError(
        .fileFailed,
        "\(path) exists already; choose another name, \(remedyForExisting)")
    }
    result.status = .skipped
    return false
  }
}
