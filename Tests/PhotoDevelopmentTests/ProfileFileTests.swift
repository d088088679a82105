import DNG
import Foundation
import ImageFiles
import MediaCore
import RawDevelop
import TIFF
import TestSupport
import Testing

@testable import PhotoDevelopment

/// Camera profiles from `.dcp` files.
@Suite struct ProfileFileTests {
  private let folder: TemporaryFolder
  private let photo: String

  init() throws {
    folder = try TemporaryFolder()
    let mosaic = try RawImage(
      width: 64, height: 48, bitDepth: 12, samples: (0..<64 * 48).map { 800 + UInt16($0 % 64) })
    let bytes = try BayerNegative(
      mosaic: mosaic, pattern: .rggb, calibration: .assumed(model: "Camera", bitDepth: 12)
    ).dngFileData()
    photo = try folder.write(bytes, "a.dng").path
  }

  /// A profile with a curve that makes images darker.
  private func profile(_ name: String?, camera: String?) throws -> String {
    var profile = TIFFDirectory()
    if let name { profile[.profileName] = .ascii(name) }
    if let camera { profile[.uniqueCameraModel] = .ascii(camera) }
    profile[.colorMatrix1] = .signedRationals([1, 0, 0, 0, 1, 0, 0, 0, 1].map { .init($0) })
    profile[.calibrationIlluminant1] = .short(21)
    profile[.profileToneCurve] = .floats([0, 0, 0.5, 0.1, 1, 1])
    var bytes = try TIFFWriter.serialize(profile)
    (bytes[2], bytes[3]) = (0x52, 0x43)
    return try folder.write(bytes, "dark.dcp").path
  }

  private func develop(_ profile: CameraProfile?) throws -> (light: Double, notes: [String]) {
    var options = DevelopOptions()
    options.format = .png
    options.adjustment.profile = profile?.name
    var recipe = try DevelopRecipe(options)
    recipe.profiles = profile.map { [$0] } ?? []
    var batch = try DevelopBatch(
      sources: [photo], recipe: recipe, name: ImageName(folder.path("a.png")))
    batch.replacesFiles = true
    batch.makesHistograms = true
    let result = try #require(batch.run().first)
    #expect(result.status == .developed, "\(result.error?.message ?? "")")
    let counts = try #require(result.histogram?.counts[1])
    let sum = counts.enumerated().reduce(0) { $0 + $1.offset * $1.element }
    return (Double(sum) / Double(counts.reduce(0, +)), result.notes.map(\.message))
  }

  @Test func a_profile_from_a_file_sets_the_look() throws {
    let plain = try develop(nil)
    let dark = try develop(try CameraProfile(contentsOf: profile("Dark", camera: "Camera")))
    #expect(dark.light < 0.7 * plain.light, "\(dark.light), \(plain.light)")
    #expect(dark.notes.isEmpty)
    let unnamed = try CameraProfile(contentsOf: profile(nil, camera: nil))
    #expect(unnamed.name == "dark")
    #expect(try develop(unnamed).light == dark.light)
  }

  @Test func a_profile_for_another_camera_is_ignored_and_reported() throws {
    let plain = try develop(nil)
    let other = try develop(try CameraProfile(contentsOf: profile("Dark", camera: "Other")))
    #expect(other.light == plain.light)
    #expect(other.notes == ["the camera profile Dark is for Other, but the photo is from Camera"])
  }

  @Test func files_that_are_not_profiles_give_clear_errors() throws {
    #expect {
      try CameraProfile(contentsOf: photo)
    } throws: { ($0 as? PhotoDevelopmentError)?.message.contains(photo) == true }
    #expect(throws: PhotoDevelopmentError.self) { try CameraProfile(contentsOf: "/dev/null") }
    #expect(throws: PhotoDevelopmentError.self) {
      try CameraProfile(contentsOf: folder.path("none.dcp"))
    }
  }
}
