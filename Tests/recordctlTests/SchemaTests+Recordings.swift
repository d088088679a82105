import Foundation
import MediaCore
import TestSupport
import Testing

/// Recordings and what is made from them: sidecars, conversions, copies and libraries.
extension SchemaTests {
  @Test(.enabled(if: StorageTools.isPresent, StorageTools.absence))
  func object_storage_documents_match_their_schemas() throws {
    let server = try MotoServer(bucket: "takes")
    let variables = server.environment.merging(["XDG_STATE_HOME": path("state")]) { $1 }
    try folder.write("one", "job/one.txt")
    try folder.write("two", "job/.two.txt")
    let files = [
      try run(
        "record", "--device", "pattern:noise?pace=none", "--size", "640x360", "--rate", "25",
        "--codec", "proxy", "--duration", "5f", "-o", path("a.mov"), "--upload", "s3://gone",
        environment: variables),
      try run("upload", "a.mov", "job", "s3://takes", environment: variables),
      try run(
        "upload", "job", "s3://takes", "--remove-when-verified", environment: variables),
      try run("fetch", "s3://takes/a.mov", "-o", "back", environment: variables),
      try run("verify", "a.mov", "--copy", "s3://takes", environment: variables),
    ]
    try server.boto("s3.put_object(Bucket='takes', Key='a.mov', Body=b'other')")
    try expect(
      [.recording, .upload, .fetch, .copyVerification],
      in: files + [
        try run("upload", "a.mov", "s3://takes", status: 1, environment: variables),
        try run("fetch", "s3://takes/a.mov", "-o", "back", status: 1, environment: variables),
        try run("verify", "a.mov", "--copy", "s3://takes", status: 1, environment: variables),
      ])
  }

  @Test func recordings_and_sidecars_match_their_schemas() throws {
    let faulty = "pattern:bars?pace=none&drop=0.3&damage=0.3"
    let files = [
      try record("a.mov", "pattern:noise?pace=none", "--reel", "A1", "--scene", "2", "--take", "3"),
      try record("cut.mov", "pattern:noise?pace=none", "--segment", "5f"),
      try record("faulty.mov", faulty, status: 3),
      try record(
        "gone.mov", "pattern:bars?unplug=150", "--duration", "500f", "--on-interruption", "stop",
        status: 4),
      try run("encode", "a.mov", "-o", "lt.mov", "--codec", "lt"),
      try run("encode", "a.mov", "missing.mov", "--output-folder", "many", status: 1),
      try run("verify", "a.mov"), try run("verify", "faulty.mov"),
      try run("verify", "a.mov", "--quick"),
      try run("recover", "a.mov"),
    ]
    let sidecars = folder.contents.filter { $0.hasSuffix(".mov.json") }.map(path)
    #expect(sidecars.count == 7, "\(folder.contents)")
    try expect(
      [.recording, .sidecar, .encoding, .encodings, .verification, .recovery],
      in: files + sidecars)
  }

  @Test func documents_of_conversions_in_parts_match_their_schemas() throws {
    _ = try record("a.mov")
    let plan = try run("encode", "plan", "a.mov", "-o", "job", "--parts", "2", "--restart", "6")
    // Folders of another machine's workers: one that wrote nothing for two days, and one that may be running.
    for name in ["old", "new"] {
      let left = path("job/parts/.work-000001-\(name)-1-there-1-a")
      try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: false)
      guard name == "old" else { continue }
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -172_800)], ofItemAtPath: left)
    }
    let index = try #require(
      FileManager.default.contentsOfDirectory(atPath: path("job/index")).first)
    let files = [
      plan, try run("encode", "status", "job"), try run("encode", "part", "job", "0-1"),
      try run("encode", "join", "job"), try run("encode", "join", "job", "--remove-parts"),
      try run("encode", "status", "job"), try run("encode", "part", "job", "1"),
      path("job/plan.json"), path("job/index/" + index), path("job/parts/000001/part.json"),
    ]
    try expect([.encodePlan, .encodeIndex, .encodePart, .encodeStatus, .encodeJoin], in: files)
  }

  @Test func documents_of_an_interlaced_take_agree() throws {
    func json(_ file: String) throws -> [String: Any] {
      try #require(
        JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: file)))
          as? [String: Any])
    }
    try "[video]\nscan = \"top-field-first\"\n".write(
      toFile: path("i.toml"), atomically: true, encoding: .utf8)
    let recording = try json(
      record("i.mov", "pattern:noise?pace=none", "--preset", path("i.toml"), size: "1920x1080"))
    let movie = try #require(recording["movie"] as? [String: Any])
    let video = try #require(try json(run("verify", "i.mov"))["video"] as? [String: Any])
    let sidecar = try #require(try json(path("i.mov.json"))["recording"] as? [String: Any])
    let kept = try #require(sidecar["movie"] as? [String: Any])
    #expect(movie["fieldOrder"] as? String == "topFieldFirst")
    for key in [
      "fieldOrder", "color", "codec", "codecName", "frameRate", "width", "height", "frameCount",
      "duration",
    ] {
      let value = try #require(movie[key], "\(key)")
      #expect("\(video[key] ?? "")" == "\(value)", "\(key)")
      #expect("\(kept[key] ?? "")" == "\(value)", "\(key)")
    }
  }

  @Test func library_documents_match_their_schemas() throws {
    _ = try record("a.mov")
    _ = try record("b.mov")
    try folder.writeProgram("#!/bin/sh\ncat >\(path("asset.out"))\n", "hook")
    try "[library]\nhooks = [\"\(path("hook"))\"]\n".write(
      toFile: path("hooked.toml"), atomically: true, encoding: .utf8)
    let library = ["--library", path("lib")]
    func verb(_ words: String..., status: Int32 = 0) throws -> String {
      let run = try Recordctl(
        ["library"] + words + library + ["--json"], environment: ["HOME": path("home")],
        in: folder.url)
      #expect(run.status == status, "\(words): \(run.errors)")
      let file = path("\(UUID().uuidString).out")
      try run.output.write(toFile: file, atomically: true, encoding: .utf8)
      return file
    }
    var files = [
      try record(
        "saved.mov", "pattern:noise?pace=none", "--preset", path("hooked.toml"), "--library",
        path("lib")),
      try verb("import", "a.mov", "b.mov", "hook", "missing.mov", status: 1),
      try verb("import", "a.mov"), try verb("list"), try verb("albums"),
      try verb("search", "proxy"), try verb("verify"), try verb("rebuild"),
      try verb("export", "--album", "library", "-o", "copy", "--create"),
      try run("library", "verify", "--copy", path("copy")), try verb("offload", "off", "--create"),
      try verb("offload", "--from", path("copy"), "card", "--create", "--import"),
    ]
    let list =
      try JSONSerialization.jsonObject(
        with: Data(contentsOf: URL(filePath: files[3]))) as? [String: Any]
    let assets = try #require(list?["assets"] as? [[String: Any]])
    let id = try #require(assets.first?["identifier"] as? String)
    files += [
      try verb("favorite", id), try verb("delete", id), try verb("restore", id),
      try run("library", "trust", "--list"), path("asset.out"),
    ]
    try expect(
      [
        .recording, .libraryImport, .assets, .albums, .libraryVerification, .libraryRebuild,
        .libraryExport, .copyVerification, .libraryOffload, .cardOffload, .libraryChange,
        .trustedLibraries, .asset,
      ], in: files)
  }
}
