import Foundation
import TestSupport
import Testing

@testable import recordctl

/// `recordctl photo develop`: DNG files from `photo take` become images that other programs read.
@Suite struct PhotoDevelopTests {
  private let rig: PhotoDevelopRig
  private var folder: TemporaryFolder { rig.folder }

  init() throws { rig = try PhotoDevelopRig() }

  // MARK: Files

  @Test func removed_leftovers_are_reported_even_if_the_photo_fails() throws {
    let left = "z.png.2147483647.unfinished"
    try folder.write([1], left)
    try Data("no XMP".utf8).write(to: folder.url("a.xmp"))
    let run = try rig.develop("a.dng", "--to", "png", status: 2)
    #expect(folder.contents.contains(left) == false)
    #expect(run.errors.contains("\(left), left unfinished by an earlier run, was removed"))
    #expect(run.errors.contains("it is not XMP"))
  }

  @Test(.tags(.judges, .network), .enabled(if: ImageJudges.arePresent, ImageJudges.absence))
  func a_photo_is_developed_to_every_format() throws {
    let formats = ["jpeg": "jpg", "heic": "heic", "avif": "avif", "jxl": "jxl", "tiff": "tif"]
    var files: [String] = []
    for (name, ending) in formats.merging(["png": "png", "exr": "exr"], uniquingKeysWith: { $1 }) {
      let run = try rig.develop("b.dng", "--to", name, "--size", "160", "--draft")
      #expect(run.output == "b.\(ending)\n")
      files.append(folder.path("b.\(ending)"))
    }
    for (path, finding) in zip(files, try ImageJudges.read(files)) {
      #expect(finding.width == 160 && finding.height == 120, "\(path)")
      #expect(finding.levels > 20, "\(path)")
    }
    // All formats show the same image: the two integer formats have the same curve, so their mean values agree.
    let means = try ImageJudges.read([folder.path("b.tif"), folder.path("b.png")]).map(\.mean)
    #expect(abs(means[0] - means[1]) < 1e-4)
  }

  @Test(.tags(.judges, .network), .enabled(if: ImageJudges.arePresent, ImageJudges.absence))
  func requested_settings_affect_the_developed_image() throws {
    _ = try rig.develop("a.dng", "--to", "png", "-o", "plain.png")
    _ = try rig.develop("a.dng", "--to", "png", "-o", "bright.png", "--exposure", "+1")
    _ = try rig.develop("a.dng", "--to", "png", "-o", "warm.png", "--white", "9000,0")
    _ = try rig.develop("a.dng", "--to", "png", "-o", "wide.png", "--space", "display-p3")
    _ = try rig.develop("a.dng", "--to", "heic", "-o", "pq.heic", "--hdr", "pq")
    _ = try rig.develop("a.dng", "--to", "jpeg", "-o", "map.jpg", "--hdr", "gain-map")
    let map = folder.path("map.uhdr")
    try FileManager.default.moveItem(atPath: folder.path("map.jpg"), toPath: map)
    let names = ["plain.png", "bright.png", "warm.png", "wide.png", "pq.heic"].map(folder.path)
    let found = try ImageJudges.read(names + [map])
    #expect(found[1].mean > found[0].mean * 1.15, "\(found[1].mean), \(found[0].mean)")
    #expect(
      found[2].balance > found[0].balance * 1.05, "correcting for light of 9000 K makes it warmer")
    #expect(found[3].profile != found[0].profile)
    #expect(found[4].nclx == [9, 16, 9, 1])
    #expect(found[5].width == found[0].width)
  }

  @Test func a_failing_photo_is_named_and_the_rest_are_developed() throws {
    try FileManager.default.createDirectory(
      at: folder.url("in"), withIntermediateDirectories: false)
    for name in ["a.dng", "b.dng"] {
      try FileManager.default.moveItem(at: folder.url(name), to: folder.url("in/" + name))
    }
    let whole = try Data(contentsOf: folder.url("in/a.dng"))
    try whole.prefix(whole.count / 2).write(to: folder.url("in/aa.dng"))
    try FileManager.default.createDirectory(
      at: folder.url("out"), withIntermediateDirectories: false)
    let run = try rig.develop(
      "in", "-o", "out", "--size", "64", "--draft", "--jobs", "2", status: 1)
    #expect(run.errors.contains("in/aa.dng: "), "\(run.errors)")
    let made = try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).sorted()
    #expect(made == ["a.jpg", "b.jpg"])
    let again = try rig.develop(
      "in", "-o", "out", "--size", "64", "--skip-existing", "--json", status: 1)
    #expect(try rig.photos(again).map(\.status) == ["skipped", "failed", "skipped"])
  }

  @Test func an_existing_image_is_refused_skipped_or_overwritten() throws {
    try Data("old".utf8).write(to: folder.url("a.jpg"))
    let refused = try rig.develop("a.dng", "--size", "64", "--draft", status: 2)
    #expect(refused.errors.contains("a.jpg exists already"), "\(refused.errors)")
    #expect(try Data(contentsOf: folder.url("a.jpg")) == Data("old".utf8))
    let skipped = try rig.develop("a.dng", "--skip-existing", "--json")
    #expect(try rig.photos(skipped).map(\.status) == ["skipped"])
    _ = try rig.develop("a.dng", "--size", "64", "--draft", "--overwrite")
    #expect(try Data(contentsOf: folder.url("a.jpg")).starts(with: [0xFF, 0xD8]))
    #expect(folder.contents == ["a.dng", "a.jpg", "b.dng"], "nothing half-written is left")
  }

  @Test func invalid_develop_arguments_are_refused_before_any_output() throws {
    let cases: [[String]] = [
      ["missing.dng"], ["a.dng", "--to", "jpeg", "--hdr", "pq"], ["a.dng", "--white", "warm"],
      ["a.dng", "--to", "heic", "--bit-depth", "12"], ["a.dng", "--preset", "wbe"], [],
      ["a.dng", "b.dng", "-o", "one.jpg"], ["a.dng", "--skip-existing", "--overwrite"],
      ["a.dng", "--library", "Library"], ["/dev/zero"], ["a.dng", "-o", "{nmae}.jpg"],
    ]
    for arguments in cases {
      let run = try Recordctl(["photo", "develop"] + arguments, in: folder.url)
      #expect(run.status == 2 && !run.errors.isEmpty, "\(arguments): \(run.errors)")
    }
    #expect(folder.contents == ["a.dng", "b.dng"])
  }

  @Test func a_histogram_counts_every_pixel() throws {
    let text = try rig.develop("a.dng", "--size", "64", "--histogram").output
    for name in ["sensor red", "sensor green", "image blue"] { #expect(text.contains(name)) }
    let run = try rig.develop("a.dng", "--size", "64", "--histogram", "--overwrite", "--json")
    let photo = try #require(try rig.photos(run).first)
    let pixels = try #require(photo.width) * #require(photo.height)
    #expect(photo.histogram?.counts.map { $0.reduce(0, +) } == [pixels, pixels, pixels])
    let sensor = try #require(photo.rawHistogram?.counts.map { $0.reduce(0, +) })
    #expect(sensor.count == 3 && sensor[1] == 2 * sensor[0] && sensor[0] == sensor[2])
  }

  // MARK: Settings

  @Test func options_override_the_sidecar_which_overrides_the_preset() throws {
    try Data("[light]\nexposure = 0.5\nboost = 0.5\n[detail]\nsharpness = 0.2\n".utf8)
      .write(to: folder.url("mine.toml"))
    try rig.sidecar(#"crs:Exposure2012="+0.25" crs:Sharpness="75""#).write(to: folder.url("a.xmp"))
    let run = try rig.develop(
      "a.dng", "--preset", "./mine.toml", "--exposure", "-1", "--size", "64", "--json")
    let photo = try #require(try rig.photos(run).first)
    #expect(photo.settings == ["exposure": -1, "sharpness": 0.5, "boost": 0.5])
    #expect(
      photo.origins == ["exposure": "option", "sharpness": "sidecar", "boost": "preset"])
    let without = try rig.develop(
      "a.dng", "--preset", "./mine.toml", "--no-sidecar", "--size", "64", "--json", "--overwrite")
    #expect(
      try rig.photos(without).first?.settings == ["exposure": 0.5, "sharpness": 0.2, "boost": 0.5])
  }

  @Test func unsupported_sidecar_settings_are_named_and_kept() throws {
    try rig.sidecar(#"crs:Exposure2012="+0.50" crs:Dehaze="+31" crs:GrainAmount="0""#)
      .write(to: folder.url("a.xmp"))
    let run = try rig.develop("a.dng", "--size", "64", "--white", "5600,+5", "--write-sidecar")
    #expect(
      run.errors.contains("Dehaze = +31") && !run.errors.contains("Grain"), "\(run.errors)")
    let written = try String(contentsOf: folder.url("a.xmp"), encoding: .utf8)
    for part in [
      #"crs:Dehaze="+31""#, #"crs:GrainAmount="0""#, #"xmp:Rating="4""#, #"crs:Temperature="5600""#,
      #"crs:Tint="+5""#, #"crs:Exposure2012="+0.50""#, #"crs:WhiteBalance="Custom""#,
    ] { #expect(written.contains(part), "\(part) in \(written)") }
    let again = try rig.develop("a.dng", "--size", "64", "--overwrite", "--json")
    #expect(
      try rig.photos(again).first?.settings == ["exposure": 0.5, "temperature": 5600, "tint": 5])
  }

  /// Otherwise the settings ignored for this photo would apply to the next one.
  @Test func an_ignored_sidecar_is_not_written() throws {
    try rig.sidecar(#"crs:Saturation="+30""#).write(to: folder.url("a.xmp"))
    let before = try folder.bytes("a.xmp")
    let run = try rig.develop(
      "a.dng", "--no-sidecar", "--write-sidecar", "--exposure", "1", status: 2)
    for option in ["--no-sidecar", "--write-sidecar"] { #expect(run.errors.contains(option)) }
    #expect(try folder.bytes("a.xmp") == before && folder.contents == ["a.dng", "a.xmp", "b.dng"])
  }

  @Test func an_invalid_xmp_sidecar_fails_its_photo() throws {
    try Data("<x:xmpmeta".utf8).write(to: folder.url("a.xmp"))
    let run = try rig.develop("a.dng", "--size", "64", status: 2)
    #expect(run.errors.contains("a.xmp: it is not XMP"), "\(run.errors)")
    _ = try rig.develop("a.dng", "--size", "64", "--no-sidecar")
  }

  /// A message that already begins with the photo's path, as given, does not repeat the path.
  @Test(arguments: ["develop", "sheet"]) func a_failed_photo_is_named_once(
    verb: String
  ) throws {
    var bytes = try folder.bytes("a.dng")
    // Change the Software entry into an XMP entry of bytes.
    let place = try #require(
      (0..<bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual([0x31, 1, 2, 0]) })
    bytes.replaceSubrange(place..<place + 4, with: [0xBC, 2, 1, 0])
    try folder.write(bytes, "a.dng")
    try #require(mkfifo(folder.path("p.dng"), 0o600) == 0)
    let run = try Recordctl(
      ["photo", verb, "a.dng", "p.dng", "-o", verb == "sheet" ? "s.html" : "made/"], in: folder.url)
    #expect(run.status == 1)
    for reported in ["a.dng: it is not XMP", "p.dng is not a regular file"] {
      #expect(run.errors.contains("recordctl: \(reported)"), "\(run.errors)")
    }
  }

  /// Messages may begin with such words: "its samples", "a profile".
  @Test(arguments: [
    ("a", "a preview is damaged", "a: a preview is damaged"),
    ("its", "its: it is not XMP", "its: it is not XMP"),
    ("a.dng", "a.dng is not a regular file", "a.dng is not a regular file"),
    ("card/a", "card/a is not a regular file", "card/a is not a regular file"),
  ])
  func photos_named_like_words_are_named_in_messages(
    path: String, message: String, reported: String
  ) {
    #expect(DevelopText.named(message, of: path) == reported)
  }

  @Test func missing_camera_profiles_are_reported() throws {
    let run = try rig.develop("a.dng", "--size", "64", "--profile", "Vivid")
    #expect(run.errors.contains("no camera profile Vivid"), "\(run.errors)")
    let missing = try rig.develop("a.dng", "--size", "64", "--profile", "none.dcp", status: 2)
    #expect(missing.errors.contains("none.dcp cannot be read"), "\(missing.errors)")
  }

  @Test func a_preset_sets_the_file_format_unless_an_option_does() throws {
    let run = try rig.develop("a.dng", "--preset", "web", "--size", "100", "--json")
    let photo = try #require(try rig.photos(run).first)
    #expect(photo.width == 100 && photo.path?.hasSuffix("a.jpg") == true)
    #expect(photo.origins?["sharpness"] == "preset")
  }
}
