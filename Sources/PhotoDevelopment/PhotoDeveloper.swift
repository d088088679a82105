import DNG
import Foundation
import ImageFiles
import MediaCore
import RawDevelop

/// Develops single photos by a recipe.
struct PhotoDeveloper: Sendable {
  let recipe: DevelopRecipe
  /// True to compute histograms.
  var makesHistograms = false
  /// Called between steps; returning true cancels the work.
  var isCanceled: @Sendable () -> Bool = { false }

  /// Reads a photo's file.
  ///
  /// - Throws: ``PhotoDevelopmentError`` if it is not a regular file or not a DNG file.
  static func open(_ path: String) throws(PhotoDevelopmentError) -> DNGFile {
    // Messages show the path as given.
    let bytes = try RegularFile.bytes(of: path, byteLimit: DNGFile.byteLimit) { message, errno in
      // Directory listings return invalid UTF-8 in names as U+FFFD.
      let isIllegible =
        path.contains("\u{FFFD}") && !FileManager.default.fileExists(atPath: path)
      return PhotoDevelopmentError(
        .fileFailed,
        isIllegible
          ? "\(path) has a name that is not UTF-8, so the file cannot be found; rename it"
          : message, errno: errno)
    }
    do throws(DNGError) { return try DNGFile(bytes) } catch { throw PhotoDevelopmentError(error) }
  }

  /// Develops a photo; the settings used and what was left out are stored in `result`.
  ///
  /// - Throws: ``PhotoDevelopmentError`` with the developer's error codes.
  func image(
    of file: DNGFile, _ metadata: PhotoMetadata, _ sidecar: PhotoSidecar?,
    into result: inout DevelopedPhoto
  ) throws(PhotoDevelopmentError) -> ImageContent {
    let found = sidecar.map { CameraRawSettings($0.packet) }
    let (settings, origins) = recipe.adjustment(sidecar: found?.adjustment)
    result.settings = settings
    result.origins = origins
    if let sidecar, let found {
      result.sidecar = sidecar.path
      result.note(
        .settingsOmitted, "\(sidecar.path) asks for unsupported settings", found.unknown)
    }
    do throws(RawDevelopError) {
      var filter = try RAWFilter(file)
      for left in settings.apply(to: &filter, profiles: recipe.profiles) {
        result.notes.append(DevelopNote(.settingsOmitted, left))
      }
      result.noteCrop(of: filter, isReplaced: settings.crop != nil)
      result.noteGuesses(of: filter, isDraft: recipe.isDraft)
      if recipe.isDraft {
        result.note(.settingsOmitted, "a draft ignores", settings.detailNames)
      }
      result.noteOmissions(of: file, filter)
      let check = SampleCheck(file)
      filter.isCanceled = isCanceled
      filter.samplesObserver = { samples, role in check.look(at: samples, of: role) }
      var content = try recipe.develop(filter, metadata)
      result.note(check)
      content.xmp = Self.finished(sidecar?.packet, settings)
      if filter.isWhiteSupported {
        result.white = DevelopedPhoto.White(
          temperature: Double(filter.neutralTemperature), tint: Double(filter.neutralTint))
      }
      if makesHistograms {
        result.rawHistogram = try filter.linearHistogram()
        result.histogram = content.image.histogram()
      }
      return content
    } catch { throw PhotoDevelopmentError(error) }
  }

  /// The XMP of the finished image: the photo's own plus the settings used, marked as already applied.
  private static func finished(_ packet: XMPDocument?, _ settings: PhotoAdjustment) -> String? {
    guard packet != nil || !settings.isEmpty else { return nil }
    var packet = packet ?? XMPDocument()
    CameraRawSettings.write(settings, to: &packet, keepsUnusable: false)
    packet[.cameraRaw, "AlreadyApplied"] = "True"
    if packet[.tiff, "Orientation"] != nil { packet[.tiff, "Orientation"] = "1" }
    return packet.text
  }
}
