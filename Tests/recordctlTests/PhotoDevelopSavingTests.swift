import Foundation
import MediaLibrary
import TestSupport
import Testing

/// `recordctl photo develop` with photos in a library, and photos developed as they are taken.
@Suite struct PhotoDevelopSavingTests {
  private let rig: PhotoDevelopRig
  private var folder: TemporaryFolder { rig.folder }

  init() throws { rig = try PhotoDevelopRig() }

  @Test func library_photos_are_developed_to_the_requested_output() throws {
    let saved = try Recordctl(
      ["library", "import", "a.dng", "-L", folder.path("Library")], in: folder.url)
    #expect(saved.status == 0, "\(saved.errors)")
    _ = try rig.develop(
      "--album", "raw", "-L", "Library", "--size", "64", "--draft", status: 2)
    let run = try rig.develop(
      "--album", "raw", "-L", folder.path("Library"), "-o", "out-{name}", "--size", "64", "--draft")
    #expect(run.output.contains("out-a.jpg"), "\(run.output)")
    #expect(folder.contents.contains("out-a.jpg"))
    #expect(try Recordctl(["library", "verify", "-L", folder.path("Library")]).status == 0)
  }

  @Test func assets_without_a_dng_file_are_reported() throws {
    let library = folder.path("Library")
    _ = try rig.develop("a.dng", "-o", "c.jpg", "--size", "64", "--draft")
    let saved = try Recordctl(
      ["library", "import", "b.dng", "c.jpg", "-L", library], in: folder.url)
    #expect(saved.status == 0, "\(saved.errors)")
    let reported = "1 asset of the album Photos without a DNG file is left out"
    let run = try rig.develop(
      "--album", "photos", "-L", library, "-o", "out/", "--size", "64", "--draft", "--json")
    #expect(run.errors.contains("recordctl: \(reported)\n"), "\(run.errors)")
    let document = try #require(try run.json() as? [String: Any])
    #expect(document["warnings"] as? [String] == [reported])
    let page = try Recordctl(
      ["photo", "sheet", "--album", "photos", "-L", library, "-o", "page.html", "--json"],
      in: folder.url)
    #expect(page.status == 0 && page.errors.contains("recordctl: \(reported)\n"), "\(page.errors)")
    #expect(try page.objects("notes")?.first?["message"] as? String == reported)
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
    _ = try rig.develop("--asset", id, "-L", library, "--keep", "--size", "64", "--exposure", "1")
    #expect(try asset().resources.map(\.type) == [.photo, .fullSizePhoto, .adjustmentData])
    // The second edit starts from the first.
    let run = try rig.develop(
      "--asset", id, "-L", library, "--keep", "--size", "64", "--white", "5000", "--json")
    let photo = try #require(try rig.photos(run).first)
    let document = try #require(try run.json() as? [String: Any])
    #expect(document["warnings"] as? [String] == [])
    #expect(photo.settings == ["exposure": 1, "temperature": 5000, "tint": 0])
    #expect(photo.path == (try asset().resources.first { $0.type == .fullSizePhoto }?.fileURL.path))
    #expect(
      try Data(contentsOf: try #require(asset().fileURL))
        == (try PhotoDevelopRig.photos.get().bayer))
    let reverted = try Recordctl(["library", "revert", id, "-L", library])
    #expect(reverted.status == 0 && reverted.output == "1 asset reverted\n", "\(reverted.errors)")
    #expect(try asset().resources.map(\.type) == [.photo])
    #expect(try Recordctl(["library", "verify", "-L", library]).status == 0)
  }

  /// Another process holds the library's lock, so the signal comes while this edit waits.
  @Test func a_signal_while_saving_an_edit_leaves_no_temporary_folder() throws {
    let library = folder.path("Library")
    #expect(
      try Recordctl(["library", "import", "a.dng", "-L", library], in: folder.url).status == 0)
    let (temporary, messages) = (try folder.makeFolder("temporary").path, folder.path("messages"))
    let child = try Child(
      ["photo", "develop", "--album", "raw", "-L", library, "--keep"], errors: .file(messages),
      environment: ["TMPDIR": temporary])
    func names() throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: temporary)
    }
    try waitUntil("the folder exists") { try !names().isEmpty }
    let lock = open(library + "/.medialibrary/lock", O_RDWR | O_CLOEXEC)
    try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
    try waitUntil("the image is ready for the library") {
      try names().contains { $0.hasSuffix("/a.jpg") }
    }
    child.send(SIGTERM)
    try waitUntil("the signal is reported") {
      try String(contentsOfFile: messages, encoding: .utf8).contains("saving the edits")
    }
    close(lock)
    #expect(child.wait() == .exited(0))
    #expect(try names().isEmpty)
    let asset = try PhotoLibrary(at: URL(filePath: library)).fetchAssets(in: .raw).firstObject
    #expect(asset?.resources.map(\.type) == [.photo, .fullSizePhoto, .adjustmentData])
  }

  /// The new image keeps ratings, keywords and settings without an equivalent.
  @Test func an_edit_keeps_the_xmp_of_its_photo() throws {
    let library = folder.path("Library")
    try rig.sidecar(#"crs:Exposure2012="+0.25" crs:Dehaze="+31""#).write(to: folder.url("a.xmp"))
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
      let run = try rig.develop(
        "--asset", id, "-L", library, "--keep", "--size", "64", "--exposure", exposure)
      // The message must not name the temporary folder, which is gone by then.
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
    let back = try rig.photos(
      try rig.develop("--asset", id, "-L", library, "-o", "back.jpg", "--size", "64", "--json"))
    #expect(back.first?.settings == ["exposure": 0.25])
  }

  @Test func formats_unsupported_by_the_library_are_refused_even_in_presets() throws {
    let library = folder.path("Library")
    #expect(
      try Recordctl(["library", "import", "a.dng", "-L", library], in: folder.url).status == 0)
    let run = try rig.develop(
      "--album", "raw", "-L", library, "--keep", "--preset", "edit", status: 2)
    #expect(run.errors.contains("a library keeps edits as jpeg, jpeg-hdr or heic"), "\(run.errors)")
    let taken = try Recordctl(
      Recordctl.photo + [
        "--raw", "bayer", "-o", "d.dng", "--develop-preset", "edit", "--library", library,
      ], in: folder.url)
    #expect(taken.status == 2, "\(taken.errors)")
    #expect(taken.errors.contains("a library accepts jpeg, jpeg-hdr or heic"), "\(taken.errors)")
    let assets = try PhotoLibrary(at: URL(filePath: library)).fetchAssets().allObjects()
    #expect(assets.map { $0.resources.count } == [1])
    #expect(!folder.contents.contains("d.dng"))
    let plain = try rig.develop(
      "--album", "raw", "-L", library, "--keep", "--preset", "edit", "--to", "jpeg", "--size", "64")
    #expect(plain.output.hasSuffix(".jpg\n"), "\(plain.errors)")
  }

  /// In the library's folder, the edit of one photo may lie beside another photo of the same name.
  @Test func an_edit_applies_only_to_its_own_photo() throws {
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
      _ = try rig.develop(
        "--asset", first, "-L", library, "--keep", "--size", "64", "--exposure", exposure)
    }
    let untouched = try rig.photos(
      try rig.develop("--asset", second, "-L", library, "-o", "b.jpg", "--size", "64", "--json"))
    #expect(untouched.first?.settings?["exposure"] ?? 0 == 0)
    func sheet(_ name: String, _ options: String...) throws -> Data {
      let run = try Recordctl(
        ["photo", "sheet", "--asset", first, "-L", library, "-o", name] + options, in: folder.url)
      #expect(run.status == 0, "\(run.errors)")
      return try Data(contentsOf: folder.url(name))
    }
    #expect(try sheet("edited.jpg") != sheet("plain.jpg", "--no-sidecar"))
  }

  @Test func a_photo_is_developed_right_after_capture() throws {
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

  @Test func an_existing_output_is_reported_before_taking_a_photo() throws {
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
