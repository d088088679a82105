import Foundation
import TestSupport
import Testing

/// The files that `recordctl photo` writes, and those it leaves alone.
@Suite struct PhotoNameTests {
  private func take(_ folder: TemporaryFolder, _ arguments: [String]) throws -> Recordctl {
    try Recordctl(
      Recordctl.photo + ["--raw", "bayer", "--thumbnail", "none"] + arguments,
      in: folder.url)
  }

  @Test func an_existing_photo_stays_unless_overwriting_is_requested() throws {
    let folder = try TemporaryFolder()
    let old = try folder.emptyFile("shot-2.jpg")
    let two = ["--processed", "jpeg", "--count", "2", "-o", "shot.dng"]
    let refused = try take(folder, two)
    #expect(refused.status == 2)
    #expect(
      refused.errors.contains("shot-2.jpg exists; choose another name or give --overwrite"),
      "\(refused.errors)")
    #expect(folder.contents == ["shot-2.jpg"], "nothing was taken")
    let replaced = try take(folder, two + ["--overwrite"])
    #expect(replaced.status == 0, "\(replaced.errors)")
    #expect(folder.contents == ["shot-1.dng", "shot-1.jpg", "shot-2.dng", "shot-2.jpg"])
    #expect(try Data(contentsOf: old).count > 1000)
  }

  @Test func ineffective_options_are_reported() throws {
    let folder = try TemporaryFolder()
    let options = ["--bit-depth", "10", "--quality", "0.5", "-o", "shot.dng", "--json"]
    let run = try take(folder, options)
    #expect(run.status == 0)
    let photo = try #require(try run.objects("photos")?.first)
    let warnings = photo["warnings"] as? [String] ?? []
    for option in ["--bit-depth", "--quality"] {
      #expect(run.errors.contains("\(option) is ignored"), "\(run.errors)")
      #expect(warnings.contains { $0.hasPrefix("\(option) is ignored") }, "\(warnings)")
    }
    let both = try take(folder, ["--quality", "0.5", "--processed", "jpeg", "-o", "two.dng"])
    #expect(both.status == 0 && !both.errors.contains("ignored"), "\(both.errors)")
    #expect(both.errors.contains("--quality applies only to the JPEG photo"), "\(both.errors)")
    let ten = try take(folder, ["--bit-depth", "10", "--processed", "heic", "-o", "ten.dng"])
    #expect(ten.errors.contains("--bit-depth applies only to the HEIC photo"), "\(ten.errors)")
    let info = try Recordctl(["photo", "info", "ten.heic"], in: folder.url)
    #expect(info.output.contains("3 x 10 bits"), "\(info.output)\(info.errors)")
    let twelve = try take(folder, ["--bit-depth", "12", "--processed", "heic", "-o", "x.dng"])
    #expect(twelve.status == 2 && twelve.errors.contains("8 or 10 bits"), "\(twelve.errors)")
    for said in [run, both, ten] {
      let lines = said.errors.split(separator: "\n")
      #expect(lines.allSatisfy { $0.hasPrefix("recordctl: ") }, "\(said.errors)")
    }
  }

  @Test(arguments: [
    (["--quality", "0.5", "--bit-depth", "12"], "--bit-depth is ignored: below --quality 1"),
    (
      ["--quality", "0.5", "--bit-depth", "12", "--processed", "heic"],
      "--bit-depth applies only to the HEIC photo, which has 10: below --quality 1"
    ),
    (["--quality", "0.5", "--bit-depth", "8"], nil),
    (["--quality", "0.5", "--bit-depth", "12", "--jpeg-xl"], nil),
    (["--quality", "1", "--processed", "jpeg"], "--quality 1 makes ProRAW lossless"),
    (["--bit-depth", "9", "--processed", "jpeg"], "--bit-depth applies to the ProRAW photo"),
  ])
  func options_without_effect_on_a_merged_photo_are_reported(options: [String], words: String?)
    throws
  {
    let folder = try TemporaryFolder()
    let run = try Recordctl(
      Recordctl.photo + ["--raw", "proraw", "--bracket", "0", "--thumbnail", "none", "-o", "a.dng"]
        + options, in: folder.url)
    #expect(run.status == 0, "\(run.errors)")
    guard let words else { return #expect(run.errors.isEmpty, "\(run.errors)") }
    #expect(run.errors.hasPrefix("recordctl: \(words)"), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
  }

  @Test func photos_named_by_time_never_collide() throws {
    let folder = try TemporaryFolder()
    for count in 1...3 {
      let run = try take(folder, [])
      #expect(run.status == 0, "\(run.errors)")
      #expect(folder.contents.count == count)
    }
  }

  @Test(arguments: [
    (["--processed", "jpeg", "-o", "x.png"], "x.png ends in .png, and the photo's file in .jpg"),
    (
      ["--raw", "bayer", "--develop", "jpeg", "-o", "x.png"],
      "the name ends in .png, but the images are jpeg"
    ),
    (["--raw", "bayer", "-o", ""], "an empty path"),
  ])
  func an_extension_of_another_format_is_refused(
    options: [String], words: String
  ) throws {
    let folder = try TemporaryFolder()
    let run = try Recordctl(Recordctl.photo + options, in: folder.url)
    #expect(run.status == 2 && run.errors.contains(words), "\(run.errors)")
    #expect(folder.contents.isEmpty, "nothing was taken")
  }

  @Test(arguments: [
    (["--raw", "bayer", "--processed", "jpeg", "-o", "x.JPG"], ["x.JPG", "x.dng"]),
    (["--raw", "bayer", "--develop", "tiff", "-o", "x.tiff"], ["x.dng", "x.tiff"]),
  ])
  func a_file_name_is_kept_as_given(options: [String], names: [String]) throws {
    let folder = try TemporaryFolder()
    let run = try Recordctl(Recordctl.photo + options, in: folder.url)
    #expect(run.status == 0 && folder.contents == names, "\(run.errors)")
  }

  @Test func a_missing_folder_is_created_for_photos_named_by_time() throws {
    let folder = try TemporaryFolder()
    let run = try take(folder, ["-o", "made/"])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("made"))
    #expect(run.status == 0 && names.count == 1, "\(run.errors)")
    #expect(names.first?.hasPrefix("photo-") == true && names.first?.hasSuffix(".dng") == true)
  }
}
