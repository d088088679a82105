import DNG
import Dispatch
import Foundation
import ImageFiles
import MediaCore
import RawDevelop
import Synchronization

/// Develops photos to image files, several at a time; a failing photo does not stop the others.
public struct DevelopBatch: Sendable {
  /// The progress of a batch.
  public struct Progress: Sendable, Hashable {
    /// The number of photos finished, whatever their status.
    public let done: Int
    /// The number of all photos.
    public let total: Int
    /// Estimated seconds left at the speed so far; nil before the first photo is finished.
    public let secondsLeft: Double?
    /// The photo finished last.
    public let last: DevelopedPhoto?
  }

  /// The photos' files.
  public let sources: [String]
  /// How each photo is developed.
  public let recipe: DevelopRecipe
  /// The names of the images.
  public let name: ImageName
  /// The number of photos developed at the same time. Each uses all processors if it can.
  public var jobs = 1
  /// True to skip photos whose image already exists.
  public let skipsExisting: Bool
  /// True to replace existing images.
  public var replacesFiles = false
  /// The locations of the photos' XMP, by photo path; by default, XMP is next to the photo.
  public var sidecars: [String: SidecarPlace] = [:]
  /// What an error about an existing image suggests besides another name.
  public var remedyForExisting = "or skip or overwrite what exists"
  /// True to compute histograms.
  public var makesHistograms = false
  /// True to produce ``DevelopedPhoto/packet``.
  public var makesPackets = false

  ///
  /// - Parameters:
  ///   - sources: The photos' files.
  ///   - recipe: How each photo is developed.
  ///   - name: The names of the images.
  ///   - skipsExisting: True to skip photos whose image already exists.
  /// - Throws: ``PhotoDevelopmentError/Code/invalidArgument`` if several photos would share one name, if the name
  ///   has another format's extension, and if photos are to be skipped by names that do not identify their photo.
  public init(
    sources: [String], recipe: DevelopRecipe, name: ImageName, skipsExisting: Bool = false
  ) throws(PhotoDevelopmentError) {
    guard !name.isFixed || sources.count <= 1 else {
      throw PhotoDevelopmentError(
        .invalidArgument,
        "\(sources.count) photos need different names: add {name} or {number}, or name a folder")
    }
    try name.check(recipe.file.format)
    guard !skipsExisting || name.tellsPhoto else {
      throw PhotoDevelopmentError(
        .invalidArgument,
        "an image whose name lacks {name} may belong to another photo, so none can be skipped; add "
          + "{name} to the name")
    }
    (self.sources, self.recipe, self.name) = (sources, recipe, name)
    self.skipsExisting = skipsExisting
  }

  /// The first image that already exists, whether it would be skipped or replaced; nil if there is none, and if names
  /// depend on the contents of the photos' files.
  public var presentPath: String? {
    guard !name.needsMetadata else { return nil }
    return sources.indices.lazy.map { path($0, PhotoMetadata()) }
      .first { FileManager.default.fileExists(atPath: $0) }
  }

  /// State shared by the threads of a run.
  private final class Run: Sendable {
    let next = Atomic(0)
    let began = ContinuousClock.now
    let state: Mutex<State>
    struct State {
      var results: [DevelopedPhoto?]
      var done = 0
      var worked = 0
      /// The paths of this run's images, as bytes, because texts that look alike may name different files.
      var paths: Set<[UInt8]> = []
      /// Folders already searched for leftovers of earlier runs.
      var folders: Set<String> = []
    }
    /// The identities of the photos' files.
    let originals: Set<FileIdentity>

    init(_ sources: [String]) {
      state = Mutex(State(results: Array(repeating: nil, count: sources.count)))
      originals = Set(sources.compactMap { FileIdentity(path: $0) })
    }
  }

  /// Develops all photos and returns their results in order. Blocks the thread.
  ///
  /// - Parameters:
  ///   - isCanceled: Called between and within photos; returning true cancels the work.
  ///   - progress: Called after each photo, on any thread but never concurrently.
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
          // Skipped photos take no time, so they do not count.
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
    if let note = metadata.carried.note { result.notes.append(DevelopNote(.metadataOmitted, note)) }
    if name.needsMetadata {
      guard try claim(path(index, metadata), run, &result) else { return }
    }
    let path = result.path ?? path(index, metadata)
    try prepareFolders(for: path, run, &result)
    let (heeded, kept) = try sidecar(of: file, &result)
    let content = try developer.image(of: file, metadata, heeded, into: &result)
    let settings = result.settings ?? PhotoAdjustment()
    try write(
      content, to: path,
      sidecar: recipe.writesSidecars ? settings.packet(over: kept?.packet) : nil, &result,
      isCanceled)
    if makesPackets {
      // If the XMP's settings are ignored, the packet for the next time omits them, too.
      result.packet = settings.packet(over: kept?.packet, replacing: !recipe.readsSidecars).text
    }
    result.width = content.image.width
    result.height = content.image.height
    result.seconds = (ContinuousClock.now - began) / .seconds(1)
    result.status = .developed
  }

  /// Creates the image's folder, and removes leftovers of earlier runs from folders written to.
  private func prepareFolders(
    for path: String, _ run: Run, _ result: inout DevelopedPhoto
  ) throws(PhotoDevelopmentError) {
    do throws(ImageFileError) {
      try WholeFile.makeFolder(of: path)
    } catch { throw PhotoDevelopmentError(error) }
    removeLeftovers(beside: path, run, &result)
    if recipe.writesSidecars {
      removeLeftovers(beside: PhotoSidecar.path(of: result.source), run, &result)
    }
  }

  /// The photo's XMP: the settings to apply, and the XMP that a written or returned packet is based on.
  private func sidecar(
    of file: DNGFile, _ result: inout DevelopedPhoto
  ) throws(PhotoDevelopmentError) -> (heeded: PhotoSidecar?, kept: PhotoSidecar?) {
    let place = sidecars[result.source] ?? .beside
    var present: PhotoSidecar?
    // A sidecar to be written keeps its other contents, whether its settings are applied or not.
    if recipe.readsSidecars || recipe.writesSidecars {
      present = try PhotoSidecar(of: result.source, file, place)
      if let remark = PhotoSidecar.remark(on: result.source, place) {
        result.notes.append(DevelopNote(.settingsOmitted, remark))
      }
    }
    let heeded = recipe.readsSidecars ? present : nil
    // An unreadable sidecar does not matter if it is to be ignored.
    if present == nil, makesPackets { present = try? PhotoSidecar(of: result.source, file, place) }
    return (heeded, present)
  }

  /// Writes an image and its photo's sidecar. The image is renamed last, so that if it exists, and is skipped
  /// next time, the settings exist as well.
  private func write(
    _ content: ImageContent, to path: String, sidecar: XMPDocument?,
    _ result: inout DevelopedPhoto, _ isCanceled: @escaping @Sendable () -> Bool
  ) throws(PhotoDevelopmentError) {
    var writer = ImageFileWriter(recipe.file)
    writer.isCanceled = isCanceled
    do throws(ImageFileError) {
      let written = try writer.write(content, to: path, replacing: replacesFiles) {
        () throws(ImageFileError) in
        guard let sidecar else { return }
        result.sidecar = try PhotoSidecar.write(sidecar, of: result.source)
      }
      result.byteCount = written.byteCount
      // The depth was requested, so it is not worth a note.
      result.notes += written.notes.filter { $0.kind != .fewerBits }.map { DevelopNote($0) }
    } catch { throw PhotoDevelopmentError(error) }
  }

  /// Removes the unfinished images of killed runs, once per folder.
  private func removeLeftovers(beside path: String, _ run: Run, _ result: inout DevelopedPhoto) {
    let folder = URL(filePath: path).deletingLastPathComponent().path
    guard run.state.withLock({ $0.folders.insert(folder).inserted }) else { return }
    let endings = Set(ImageFileFormat.allCases.flatMap(\.fileExtensions) + ["xmp"])
    for name in WholeFile.removeLeftovers(in: folder, endings: endings) {
      result.notes.append(
        DevelopNote(
          .leftoversRemoved, "\(folder)/\(name), left unfinished by an earlier run, was removed"
        ))
    }
  }

  private func path(_ index: Int, _ metadata: PhotoMetadata) -> String {
    name.path(
      of: sources[index], number: index + 1, metadata: metadata, format: recipe.file.format)
  }

  /// Claims a path for a photo and records it in the result; false if an existing image is to be kept.
  private func claim(
    _ path: String, _ run: Run, _ result: inout DevelopedPhoto
  ) throws(PhotoDevelopmentError) -> Bool {
    result.path = path
    let isFree = run.state.withLock {
      $0.paths.insert(Array(URL(filePath: path).standardizedFileURL.path.utf8)).inserted
    }
    guard isFree else {
      throw PhotoDevelopmentError(
        .invalidArgument,
        "\(path) is also the name of another photo's image; add {number} to the name"
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
