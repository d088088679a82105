import Foundation
import MediaLibrary
import TestSupport
import Testing

/// `recordctl photo develop`: DNG files that `photo take` made become pictures that others read.
@Suite struct PhotoDevelopTests {
  private struct Failure: Error { let errors: String }

  private struct Document: Decodable { let photos: [Photo] }

  private struct Photo: Decodable {
    struct Note: Decodable { let kind: String, message: String }
    struct Histogram: Decodable { let counts: [[Int]] }
    let status: String
    let source: String
    let path: String?
    let width: Int?
    let height: Int?
    let notes: [Note]
    let settings: [String: Double]?
    let origins: [String: String]?
    let histogram: Histogram?
    let rawHistogram: Histogram?
  }

  /// A Bayer and a merged photo of the pattern's sensor, taken once.
  private static let photos: Result<(bayer: Data, proRAW: Data), any Error> = Result {
    let folder = try TemporaryFolder()
    func take(_ name: String, _ arguments: [String]) throws -> Data {
      let run = try Recordctl(Recordctl.photo + arguments + ["-o", name], in: folder.url)
      guard run.status == 0 else { throw Failure(errors: run.errors) }
      return try Data(contentsOf: folder.url(name))
    }
    return (
      try take("a.dng", ["--raw", "bayer", "--thumbnail", "none"]),
      try take("b.dng", ["--raw", "proraw", "--bracket", "-1,0"])
    )
  }

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let photos = try Self.photos.get()
    try photos.bayer.write(to: folder.url("a.dng"))
    try photos.proRAW.write(to: folder.url("b.dng"))
  }

  private func develop(
    _ arguments: String..., status: Int32 = 0, environment: [String: String] = [:],
    at location: SourceLocation = #_sourceLocation
  ) throws -> Recordctl {
    let run = try Recordctl(
      ["photo", "develop"] + arguments, environment: environment, in: folder.url)
    #expect(run.status == status, "\(arguments): \(run.errors)", sourceLocation: location)
    return run
  }

  private func photos(_ run: Recordctl) throws -> [Photo] {
    try JSONDecoder().decode(Document.self, from: Data(run.output.utf8)).photos
  }

  // MARK: Files

  @Test func what_is_taken_away_is_told_where_the_photo_fails_as_well() throws {
    let left = "z.png.2147483647.unfinished"
    try folder.write([1], left)
    try Data("no XMP".utf8).write(to: folder.url("a.xmp"))
    let run = try develop("a.dng", "--to", "png", status: 2)
    #expect(folder.contents.contains(left) == false)
    #expect(run.errors.contains("\(left), which an earlier run had not finished, was removed"))
    #expect(run.errors.contains("it is not XMP"))
  }

  @Test(.tags(.judges, .network), .enabled(if: PictureJudges.arePresent, PictureJudges.absence))
  func a_photo_becomes_a_picture_of_each_format_that_others_read() throws {
    let formats = ["jpeg": "jpg", "heic": "heic", "avif": "avif", "jxl": "jxl", "tiff": "tif"]
    var files: [String] = []
    for (name, ending) in formats.merging(["png": "png", "exr": "exr"], uniquingKeysWith: { $1 }) {
      let run = try develop("b.dng", "--to", name, "--size", "160", "--draft")
      #expect(run.output == "b.\(ending)\n")
      files.append(folder.path("b.\(ending)"))
    }
    for (path, finding) in zip(files, try PictureJudges.read(files)) {
      #expect(finding.width == 160 && finding.height == 120, "\(path)")
      #expect(finding.levels > 20, "\(path)")
    }
    // All show the same picture: means of light agree between the integers with the same curve.
    let means = try PictureJudges.read([folder.path("b.tif"), folder.path("b.png")]).map(\.mean)
    #expect(abs(means[0] - means[1]) < 1e-4)
  }

  @Test(.tags(.judges, .network), .enabled(if: PictureJudges.arePresent, PictureJudges.absence))
  func what_is_asked_for_shows_in_the_picture() throws {
    _ = try develop("a.dng", "--to", "png", "-o", "plain.png")
    _ = try develop("a.dng", "--to", "png", "-o", "bright.png", "--exposure", "+1")
    _ = try develop("a.dng", "--to", "png", "-o", "warm.png", "--white", "9000,0")
    _ = try develop("a.dng", "--to", "png", "-o", "wide.png", "--space", "display-p3")
    _ = try develop("a.dng", "--to", "heic", "-o", "pq.heic", "--hdr", "pq")
    _ = try develop("a.dng", "--to", "jpeg", "-o", "map.jpg", "--hdr", "gain-map")
    let map = folder.path("map.uhdr")
    try FileManager.default.moveItem(atPath: folder.path("map.jpg"), toPath: map)
    let names = ["plain.png", "bright.png", "warm.png", "wide.png", "pq.heic"].map(folder.path)
    let found = try PictureJudges.read(names + [map])
    #expect(found[1].mean > found[0].mean * 1.15, "\(found[1].mean), \(found[0].mean)")
    #expect(
      found[2].balance > found[0].balance * 1.05, "a light of 9000 K taken away leaves it warmer")
    #expect(found[3].profile != found[0].profile)
    #expect(found[4].nclx == [9, 16, 9, 1])
    #expect(found[5].width == found[0].width)
  }

  @Test func a_folder_is_developed_and_a_failing_photo_is_named_and_the_rest_done() throws {
    try FileManager.default.createDirectory(
      at: folder.url("in"), withIntermediateDirectories: false)
    for name in ["a.dng", "b.dng"] {
      try FileManager.default.moveItem(at: folder.url(name), to: folder.url("in/" + name))
    }
    let whole = try Data(contentsOf: folder.url("in/a.dng"))
    try whole.prefix(whole.count / 2).write(to: folder.url("in/aa.dng"))
    try FileManager.default.createDirectory(
      at: folder.url("out"), withIntermediateDirectories: false)
    let run = try develop(
      "in", "-o", "out", "--size", "64", "--draft", "--jobs", "2", status: 1)
    #expect(run.errors.contains("in/aa.dng: "), "\(run.errors)")
    let made = try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).sorted()
    #expect(made == ["a.jpg", "b.jpg"])
    let again = try develop(
      "in", "-o", "out", "--size", "64", "--skip-existing", "--json", status: 1)
    #expect(try photos(again).map(\.status) == ["skipped", "failed", "skipped"])
  }

  @Test func an_older_picture_is_refused_or_skipped_or_overwritten_as_told() throws {
    try Data("old".utf8).write(to: folder.url("a.jpg"))
    let refused = try develop("a.dng", "--size", "64", "--draft", status: 2)
    #expect(refused.errors.contains("a.jpg exists already"), "\(refused.errors)")
    #expect(try Data(contentsOf: folder.url("a.jpg")) == Data("old".utf8))
    let skipped = try develop("a.dng", "--skip-existing", "--json")
    #expect(try photos(skipped).map(\.status) == ["skipped"])
    _ = try develop("a.dng", "--size", "64", "--draft", "--overwrite")
    #expect(try Data(contentsOf: folder.url("a.jpg")).starts(with: [0xFF, 0xD8]))
    #expect(folder.contents == ["a.dng", "a.jpg", "b.dng"], "nothing half-written is left")
  }

  @Test func what_cannot_be_is_refused_before_anything_is_made() throws {
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

  @Test func a_histogram_counts_each_pixel_in_text_and_in_json() throws {
    let text = try develop("a.dng", "--size", "64", "--histogram").output
    for name in ["sensor red", "sensor green", "picture blue"] { #expect(text.contains(name)) }
    let run = try develop("a.dng", "--size", "64", "--histogram", "--overwrite", "--json")
    let photo = try #require(try photos(run).first)
    let pixels = try #require(photo.width) * #require(photo.height)
    #expect(photo.histogram?.counts.map { $0.reduce(0, +) } == [pixels, pixels, pixels])
    let sensor = try #require(photo.rawHistogram?.counts.map { $0.reduce(0, +) })
    #expect(sensor.count == 3 && sensor[1] == 2 * sensor[0] && sensor[0] == sensor[2])
  }

  // MARK: Settings

  private func sidecar(_ attributes: String) -> Data {
    Data(
      """
      <?xml version="1.0"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
       xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
       xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
       xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4" \(attributes)/></rdf:RDF></x:xmpmeta>
      """.utf8)
  }

  @Test func options_come_before_the_sidecar_and_that_before_the_preset() throws {
    try Data("[light]\nexposure = 0.5\nboost = 0.5\n[detail]\nsharpness = 0.2\n".utf8)
      .write(to: folder.url("mine.toml"))
    try sidecar(#"crs:Exposure2012="+0.25" crs:Sharpness="75""#).write(to: folder.url("a.xmp"))
    let run = try develop(
      "a.dng", "--preset", "./mine.toml", "--exposure", "-1", "--size", "64", "--json")
    let photo = try #require(try photos(run).first)
    #expect(photo.settings == ["exposure": -1, "sharpness": 0.5, "boost": 0.5])
    #expect(
      photo.origins == ["exposure": "option", "sharpness": "sidecar", "boost": "preset"])
    let without = try develop(
      "a.dng", "--preset", "./mine.toml", "--no-sidecar", "--size", "64", "--json", "--overwrite")
    #expect(
      try photos(without).first?.settings == ["exposure": 0.5, "sharpness": 0.2, "boost": 0.5])
  }

  @Test func settings_without_a_counterpart_are_named_and_kept() throws {
    try sidecar(#"crs:Exposure2012="+0.50" crs:Dehaze="+31" crs:GrainAmount="0""#)
      .write(to: folder.url("a.xmp"))
    let run = try develop("a.dng", "--size", "64", "--white", "5600,+5", "--write-sidecar")
    #expect(
      run.errors.contains("Dehaze = +31") && !run.errors.contains("Grain"), "\(run.errors)")
    let written = try String(contentsOf: folder.url("a.xmp"), encoding: .utf8)
    for part in [
      #"crs:Dehaze="+31""#, #"crs:GrainAmount="0""#, #"xmp:Rating="4""#, #"crs:Temperature="5600""#,
      #"crs:Tint="+5""#, #"crs:Exposure2012="+0.50""#, #"crs:WhiteBalance="Custom""#,
    ] { #expect(written.contains(part), "\(part) in \(written)") }
    let again = try develop("a.dng", "--size", "64", "--overwrite", "--json")
    #expect(
      try photos(again).first?.settings == ["exposure": 0.5, "temperature": 5600, "tint": 5])
  }

  /// The settings that were left out would be in the next picture, and not in this one.
  @Test func a_sidecar_is_not_written_where_it_is_not_heeded() throws {
    try sidecar(#"crs:Saturation="+30""#).write(to: folder.url("a.xmp"))
    let before = try folder.bytes("a.xmp")
    let run = try develop("a.dng", "--no-sidecar", "--write-sidecar", "--exposure", "1", status: 2)
    for option in ["--no-sidecar", "--write-sidecar"] { #expect(run.errors.contains(option)) }
    #expect(try folder.bytes("a.xmp") == before && folder.contents == ["a.dng", "a.xmp", "b.dng"])
  }

  @Test func a_sidecar_that_is_no_xmp_fails_its_photo_with_the_remedy() throws {
    try Data("<x:xmpmeta".utf8).write(to: folder.url("a.xmp"))
    let run = try develop("a.dng", "--size", "64", status: 2)
    #expect(run.errors.contains("a.xmp: it is not XMP"), "\(run.errors)")
    _ = try develop("a.dng", "--size", "64", "--no-sidecar")
  }

  @Test func a_camera_profile_is_named_or_told_to_be_missing() throws {
    let run = try develop("a.dng", "--size", "64", "--profile", "Vivid")
    #expect(run.errors.contains("no camera profile Vivid"), "\(run.errors)")
    let missing = try develop("a.dng", "--size", "64", "--profile", "none.dcp", status: 2)
    #expect(missing.errors.contains("none.dcp cannot be read"), "\(missing.errors)")
  }

  @Test func a_preset_decides_the_form_of_the_file_unless_an_option_does() throws {
    let run = try develop("a.dng", "--preset", "web", "--size", "100", "--json")
    let photo = try #require(try photos(run).first)
    #expect(photo.width == 100 && photo.path?.hasSuffix("a.jpg") == true)
    #expect(photo.origins?["sharpness"] == "preset")
  }

  // MARK: The library and the camera

  @Test func photos_of_a_library_are_developed_where_the_output_says() throws {
    let saved = try Recordctl(
      ["library", "import", "a.dng", "-L", folder.path("Library")], in: folder.url)
    #expect(saved.status == 0, "\(saved.errors)")
    _ = try develop(
      "--album", "raw", "-L", "Library", "--size", "64", "--draft", status: 2)
    let run = try develop(
      "--album", "raw", "-L", folder.path("Library"), "-o", "out-{name}", "--size", "64", "--draft")
    #expect(run.output.contains("out-a.jpg"), "\(run.output)")
    #expect(folder.contents.contains("out-a.jpg"))
    #expect(try Recordctl(["library", "verify", "-L", folder.path("Library")]).status == 0)
  }

  @Test func an_edit_is_kept_beside_the_original_and_can_be_reverted() throws {
    let library = folder.path("Library")
    #expect(
      try Recordctl(["library", "import", "a.dng", "-L", library], in: folder.url).status == 0)
    func asset() throws -> Asset {
      let photos = PhotoLibrary(at: URL(filePath: library))
      return try #require(try photos.fetchAssets(in: .raw).firstObject)
    }
    let id = try asset().localIdentifier
    _ = try develop("--asset", id, "-L", library, "--keep", "--size", "64", "--exposure", "1")
    #expect(try asset().resources.map(\.type) == [.photo, .fullSizePhoto, .adjustmentData])
    // The edit goes on from where it was.
    let run = try develop(
      "--asset", id, "-L", library, "--keep", "--size", "64", "--white", "5000", "--json")
    let photo = try #require(try photos(run).first)
    let document = try #require(try run.json() as? [String: Any])
    #expect(document["warnings"] as? [String] == [])
    #expect(photo.settings == ["exposure": 1, "temperature": 5000, "tint": 0])
    #expect(photo.path == (try asset().resources.first { $0.type == .fullSizePhoto }?.fileURL.path))
    #expect(
      try Data(contentsOf: try #require(asset().fileURL)) == (try Self.photos.get().bayer))
    let reverted = try Recordctl(["library", "revert", id, "-L", library])
    #expect(reverted.status == 0 && reverted.output == "1 asset reverted\n", "\(reverted.errors)")
    #expect(try asset().resources.map(\.type) == [.photo])
    #expect(try Recordctl(["library", "verify", "-L", library]).status == 0)
  }

  /// Ratings, keywords and settings that have no counterpart are in each later picture.
  @Test func an_edit_keeps_all_that_the_photos_xmp_says() throws {
    let library = folder.path("Library")
    try sidecar(#"crs:Exposure2012="+0.25" crs:Dehaze="+31""#).write(to: folder.url("a.xmp"))
    let photos = PhotoLibrary(at: URL(filePath: library))
    let imported = try Recordctl(
      ["library", "import", "a.dng", "-L", library], in: folder.url)
    #expect(imported.status == 0, "\(imported.errors)")
    func asset() throws -> Asset { try #require(try photos.fetchAssets(in: .raw).firstObject) }
    func text(_ type: AssetResourceType) throws -> String {
      let resource = try asset().resources.first { $0.type == type }
      return String(decoding: try Data(contentsOf: try #require(resource).fileURL), as: UTF8.self)
    }
    try #require(try asset().resources.map(\.type) == [.photo, .companion])
    let companion = try text(.companion)
    let id = try asset().localIdentifier
    for exposure in ["1", "2"] {
      let run = try develop(
        "--asset", id, "-L", library, "--keep", "--size", "64", "--exposure", exposure)
      // Nobody finds what was in the folder for a moment.
      #expect(run.errors.contains("Dehaze") && !run.errors.contains("recordctl-"), "\(run.errors)")
      let names = try asset().resources.filter { $0.type == .fullSizePhoto }.map(\.originalFilename)
      #expect(names == ["a.jpg"])
      for type in [AssetResourceType.adjustmentData, .fullSizePhoto] {
        let kept = try text(type)
        for part in [#"xmp:Rating="4""#, #"crs:Dehaze="+31""#, "\(exposure).00\""] {
          #expect(kept.contains(part), "\(type): \(part)")
        }
      }
    }
    #expect(try Recordctl(["library", "revert", id, "-L", library]).status == 0)
    #expect(try asset().resources.map(\.type) == [.photo, .companion])
    #expect(try text(.companion) == companion)
    let back = try self.photos(
      try develop("--asset", id, "-L", library, "-o", "back.jpg", "--size", "64", "--json"))
    #expect(back.first?.settings == ["exposure": 0.25])
  }

  @Test func a_format_that_the_library_does_not_keep_is_refused_also_in_a_preset() throws {
    let library = folder.path("Library")
    #expect(
      try Recordctl(["library", "import", "a.dng", "-L", library], in: folder.url).status == 0)
    let run = try develop(
      "--album", "raw", "-L", library, "--keep", "--preset", "edit", status: 2)
    #expect(run.errors.contains("a library keeps edits as jpeg, jpeg-hdr or heic"), "\(run.errors)")
    let taken = try Recordctl(
      Recordctl.photo + [
        "--raw", "bayer", "-o", "d.dng", "--develop-preset", "edit", "--library", library,
      ], in: folder.url)
    #expect(taken.status == 2, "\(taken.errors)")
    #expect(taken.errors.contains("a library takes jpeg, jpeg-hdr or heic"), "\(taken.errors)")
    let assets = try PhotoLibrary(at: URL(filePath: library)).fetchAssets().allObjects()
    #expect(assets.map { $0.resources.count } == [1])
    #expect(!folder.contents.contains("d.dng"))
    let plain = try develop(
      "--album", "raw", "-L", library, "--keep", "--preset", "edit", "--to", "jpeg", "--size", "64")
    #expect(plain.output.hasSuffix(".jpg\n"), "\(plain.errors)")
  }

  /// In the library's folder the edit of one photo may lie beside another of its name.
  @Test func an_edit_is_of_its_own_photo_alone_whatever_its_name() throws {
    let library = folder.path("Library")
    _ = try folder.makeFolder("second")
    var other = try Data(contentsOf: folder.url("a.dng"))
    other += Data([0])
    try other.write(to: folder.url("second/a.dng"))
    let run = try Recordctl(
      ["library", "import", "a.dng", "second", "-L", library], in: folder.url)
    #expect(run.status == 0, "\(run.errors)")
    let photos = PhotoLibrary(at: URL(filePath: library))
    let assets = try photos.fetchAssets(in: .raw).allObjects()
    try #require(assets.count == 2)
    let named = Dictionary(
      uniqueKeysWithValues: assets.map { ($0.fileURL?.lastPathComponent ?? "", $0) })
    let first = try #require(named["a.dng"]).localIdentifier
    let second = try #require(named["a-2.dng"]).localIdentifier
    for exposure in ["1", "3"] {
      _ = try develop(
        "--asset", first, "-L", library, "--keep", "--size", "64", "--exposure", exposure)
    }
    let untouched = try self.photos(
      try develop("--asset", second, "-L", library, "-o", "b.jpg", "--size", "64", "--json"))
    #expect(untouched.first?.settings?["exposure"] ?? 0 == 0)
    // A sheet shows the edit.
    func sheet(_ name: String, _ options: String...) throws -> Data {
      let run = try Recordctl(
        ["photo", "sheet", "--asset", first, "-L", library, "-o", name] + options, in: folder.url)
      #expect(run.status == 0, "\(run.errors)")
      return try Data(contentsOf: folder.url(name))
    }
    #expect(try sheet("edited.jpg") != sheet("plain.jpg", "--no-sidecar"))
  }

  @Test func a_taken_photo_is_developed_at_once() throws {
    let run = try Recordctl(
      Recordctl.photo + [
        "--raw", "bayer", "-o", "c.dng", "--develop", "jpeg", "--develop-preset", "web",
      ], in: folder.url)
    #expect(run.status == 0, "\(run.errors)")
    #expect(folder.contents.filter { $0.hasPrefix("c.") } == ["c.dng", "c.jpg"])
    #expect(run.output.contains("c.dng") && run.output.contains("c.jpg"), "\(run.output)")
    let both = try Recordctl(
      Recordctl.photo + ["--raw", "bayer", "--processed", "jpeg", "--develop", "jpeg"],
      in: folder.url)
    #expect(both.status == 2)
  }

  @Test func a_picture_that_is_there_is_told_before_a_photo_is_taken() throws {
    for (name, options) in [("c.jpg", []), ("c-2.jpg", ["--count", "2"])] {
      try folder.write([1], name)
      let run = try Recordctl(
        Recordctl.photo + ["--raw", "bayer", "-o", "c.dng", "--develop", "jpeg"] + options,
        in: folder.url)
      #expect(run.status == 2)
      #expect(
        run.errors.contains("\(name) exists; choose another name or give --overwrite"),
        "\(run.errors)")
      #expect(!run.errors.contains("--skip-existing"))
    }
    #expect(folder.contents == ["a.dng", "b.dng", "c-2.jpg", "c.jpg"], "nothing was taken")
  }
}
