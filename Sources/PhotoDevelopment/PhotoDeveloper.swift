import DNG
import Foundation
import MediaCore
import PictureFiles
import RawDevelop
import Synchronization

/// Makes pictures of single photos by a recipe.
struct PhotoDeveloper: Sendable {
  let recipe: DevelopRecipe
  /// True to count how often values occur.
  var makesHistograms = false
  /// Asked between steps; true ends the work.
  var isCanceled: @Sendable () -> Bool = { false }

  /// Reads a photo's file.
  ///
  /// - Throws: ``PhotoDevelopmentError`` for what is no file, or no DNG file.
  static func open(_ path: String) throws(PhotoDevelopmentError) -> DNGFile {
    // Messages have the path as it was given.
    let bytes = try RegularFile.bytes(of: path, byteLimit: DNGFile.byteLimit) { message, errno in
      PhotoDevelopmentError(.fileFailed, message, errno: errno)
    }
    do throws(DNGError) { return try DNGFile(bytes) } catch { throw PhotoDevelopmentError(error) }
  }

  /// Develops a photo; what was used and left out goes into `result`.
  ///
  /// - Throws: ``PhotoDevelopmentError`` with the developer's codes.
  func picture(
    of file: DNGFile, _ metadata: PhotoMetadata, _ sidecar: PhotoSidecar?,
    into result: inout DevelopedPhoto
  ) throws(PhotoDevelopmentError) -> PictureContent {
    let found = sidecar.map { CameraRawSettings($0.packet) }
    let (settings, origins) = recipe.adjustment(sidecar: found?.adjustment)
    result.settings = settings
    result.origins = origins
    if let sidecar, let found {
      result.sidecar = sidecar.path
      result.note(
        .settingsLeftOut, "\(sidecar.path) asks for what has no counterpart here", found.unknown)
    }
    do throws(RawDevelopError) {
      var filter = try RAWFilter(file)
      for left in settings.apply(to: &filter, profiles: recipe.profiles) {
        result.notes.append(DevelopNote(.settingsLeftOut, left))
      }
      if settings.crop == nil, let crop = filter.userCrop {
        let sides = [crop.left, crop.top, crop.right, crop.bottom]
        result.note(
          .settingsLeftOut, "all of the photo is kept, and the camera's own crop left out",
          sides.map { $0.text(significantDigits: 4) })
      }
      if let area = filter.unusableUserCrop {
        let numbers = area.prefix(4).map { $0.text(significantDigits: 4) }
        result.note(
          .settingsLeftOut, "the camera's own crop is no part of the photo, and left out",
          numbers.isEmpty ? ["no numbers"] : numbers + (area.count > 4 ? ["…"] : []))
      }
      result.note(
        .settingsLeftOut, "parts of camera profiles that make no sense are left out",
        filter.profilePartsLeftOut)
      result.note(
        .usualValueTaken, "fractions with a denominator of 0 count as 0", filter.zeroDenominators)
      if let depth = filter.spreadBitDepth {
        result.notes.append(
          DevelopNote(
            .usualValueTaken,
            "the levels of the JPEG XL picture are taken to be of its \(depth)-bit codes, where DNG counts in "
              + "16 bits"))
      }
      if let guess = filter.whiteGuess {
        result.notes.append(DevelopNote(.usualValueTaken, guess))
      }
      if filter.isNoiseGuessed, !recipe.isDraft {
        result.notes.append(
          DevelopNote(
            .usualValueTaken,
            "the photo does not tell its noise: as much as usual cameras have at low speeds is reduced"
          ))
      }
      if recipe.isDraft {
        result.note(.settingsLeftOut, "a draft leaves out", settings.detailNames)
      }
      result.note(
        .correctionsLeftOut, "optional corrections of the file are left out",
        filter.correctionsLeftOut)
      for (index, picture) in file.pictures.filter({ $0.role == .enhanced }).enumerated() {
        result.notes.append(
          DevelopNote(enhanced: picture, isDeveloped: index == 0 && filter.isEnhanced))
      }
      result.note(
        .pictureLeftOut, "other pictures of the file cannot be used, and are left out",
        file.picturesLeftOut)
      let check = SampleCheck(file)
      filter.isCanceled = isCanceled
      filter.samplesObserver = { samples, role in check.look(at: samples, of: role) }
      var content = try recipe.develop(filter, metadata)
      let count = check.notFiniteCount
      if count > 0 {
        let samples = count == 1 ? "1 sample is not a" : "\(count) samples are not"
        result.notes.append(
          DevelopNote(
            .usualValueTaken,
            "\(samples) finite number\(count == 1 ? "" : "s"): infinity counts as white, and all else as "
              + "black"))
      }
      if check.disagreesWithDigest {
        result.notes.append(
          DevelopNote(
            .digestDisagrees,
            "the samples of \(result.source) do not agree with the digest in the file: it is damaged, or "
              + "was changed"))
      }
      content.xmp = Self.finished(sidecar?.packet, settings)
      if filter.isWhiteSupported {
        result.white = DevelopedPhoto.White(
          temperature: Double(filter.neutralTemperature), tint: Double(filter.neutralTint))
      }
      if makesHistograms {
        result.rawHistogram = try filter.linearHistogram()
        result.histogram = content.picture.histogram()
      }
      return content
    } catch { throw PhotoDevelopmentError(error) }
  }

  /// The XMP of the finished picture: the photo's own, with the settings used, which are in the pixels.
  private static func finished(_ packet: XMPDocument?, _ settings: PhotoAdjustment) -> String? {
    guard packet != nil || !settings.isEmpty else { return nil }
    var packet = packet ?? XMPDocument()
    CameraRawSettings.write(settings, to: &packet, keepsUnusable: false)
    packet[.cameraRaw, "AlreadyApplied"] = "True"
    if packet[.tiff, "Orientation"] != nil { packet[.tiff, "Orientation"] = "1" }
    return packet.text
  }
}

/// Looks at the samples of a photo as they are decoded for its picture, once: a picture may be rendered several
/// times.
private final class SampleCheck: Sendable {
  private struct Findings {
    /// Samples that are infinite or no numbers.
    let notFiniteCount: Int
    /// True where they are not those that the file's digest is of. A file without a digest, or with one that is not
    /// understood, agrees.
    let disagreesWithDigest: Bool
  }

  private let file: DNGFile
  private let findings = Mutex<Findings?>(nil)

  init(_ file: DNGFile) { self.file = file }

  /// Takes count and digest; the digest is of the sensor's samples.
  func look(at samples: DNGSamples, of role: DNGFile.Role) {
    findings.withLock { findings in
      guard findings == nil else { return }
      findings = Findings(
        notFiniteCount: Self.notFiniteCount(samples),
        disagreesWithDigest: role == .raw && (try? file.verifyDigest(of: samples)) == false)
    }
  }

  private static func notFiniteCount(_ samples: DNGSamples) -> Int {
    guard case .floats(let image) = samples else { return 0 }
    return image.samples.withUnsafeBufferPointer { samples in
      var count = 0
      for sample in samples where !sample.isFinite { count += 1 }
      return count
    }
  }

  var notFiniteCount: Int { findings.withLock { $0?.notFiniteCount ?? 0 } }

  var disagreesWithDigest: Bool { findings.withLock { $0?.disagreesWithDigest ?? false } }
}

extension DevelopNote {
  /// Tells of a picture that was made of the sensor's, and which of both is developed.
  fileprivate init(enhanced picture: DNGFile.Picture, isDeveloped: Bool) {
    let made =
      "the one of \(picture.width)x\(picture.height) that was made of it"
      + (picture.enhancement.map { " by \($0)" } ?? "")
    self.init(
      isDeveloped ? .enhancedPictureDeveloped : .enhancedPictureLeftOut,
      isDeveloped
        ? "in the place of the sensor's picture, \(made) is developed"
        : "the sensor's picture is developed, and not \(made)")
  }
}

extension DevelopedPhoto {
  /// Notes what was left out, where anything was.
  fileprivate mutating func note(_ kind: DevelopNote.Kind, _ message: String, _ names: [String]) {
    guard !names.isEmpty else { return }
    notes.append(DevelopNote(kind, "\(message): " + names.joined(separator: ", ")))
  }
}
