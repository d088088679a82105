import Foundation
import MediaCore
import Monitor
import Takes
import TestSupport
import Testing

@testable import RecorderControl
@testable import TakeReports

/// The output of `--json` and the sidecars, validated against the schemas in `docs/schema` with the Python package
/// jsonschema.
@Suite(.tags(.judges, .network), .serialized) struct SchemaTests {
  private static let schemas = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../docs/schema").standardized
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func path(_ name: String) -> String { folder.path(name) }

  /// Prints one line for each document: its kind, or what is wrong with it.
  private static let judge = """
    import json, pathlib, sys
    from jsonschema import Draft202012Validator
    from referencing import Registry, Resource

    folder = pathlib.Path(sys.argv[1])
    schemas = {path.stem: json.loads(path.read_text()) for path in folder.glob("*.json")}
    registry = Registry().with_resources(
        (f"{name}.json", Resource.from_contents(schema)) for name, schema in schemas.items())
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
    for path in sys.argv[2:]:
        text = pathlib.Path(path).read_text()
        try:
            documents = [json.loads(text)]
        except json.JSONDecodeError:
            documents = [json.loads(line) for line in text.splitlines()]
        for document in documents:
            kind = document["schema"].removeprefix("prores-recorder/")
            validator = Draft202012Validator(schemas[kind], registry=registry)
            errors = list(validator.iter_errors(document))
            print("\\n".join(f"{path}: {e.json_path}: {e.message[:300]}" for e in errors) or kind)
    """

  /// Expects that the files hold documents of exactly these kinds, each valid against its schema.
  func expect(
    _ kinds: Set<DocumentKind>, in files: [String], at location: SourceLocation = #_sourceLocation
  ) throws {
    let python: PythonEnvironment
    do {
      python = try PythonEnvironment("jsonschema-1", packages: ["jsonschema==4.23.0"])
    } catch {
      try Test.cancel("\(error)")
    }
    let script = path("judge.py")
    try Self.judge.write(toFile: script, atomically: true, encoding: .utf8)
    let result = try python.run([script, Self.schemas.path] + files)
    let lines = Set(result.output.split(separator: "\n").map(String.init))
    #expect(lines == Set(kinds.map(\.rawValue)), sourceLocation: location)
  }

  /// Runs a verb with `--json` and saves its output.
  func run(
    _ arguments: String..., status: Int32 = 0, environment: [String: String] = [:],
    at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    let run = try Recordctl(
      arguments + ["--json"], environment: environment, in: folder.url)
    #expect(run.status == status, "\(arguments): \(run.errors)", sourceLocation: location)
    let file = path("\(UUID().uuidString).out")
    try run.output.write(toFile: file, atomically: true, encoding: .utf8)
    return file
  }

  func record(
    _ name: String, _ device: String = "pattern:noise?pace=none", _ more: String...,
    size: String = "640x360", status: Int32 = 0
  ) throws -> String {
    let run = try Recordctl(
      [
        "record", "--device", device, "--size", size, "--rate", "25", "--codec", "proxy",
        "--duration", "12f", "-o", path(name), "--json",
      ] + more, in: folder.url)
    #expect(run.status == status, "\(run.errors)")
    let file = path("\(name).out")
    try run.output.write(toFile: file, atomically: true, encoding: .utf8)
    return file
  }

  @Test func document_kinds_and_schemas_correspond() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.schemas.path)
      .filter { $0.hasSuffix(".json") && $0 != "common.json" }
    #expect(Set(files) == Set(DocumentKind.allCases.map { "\($0.rawValue).json" }))
    for kind in DocumentKind.allCases {
      let file = Self.schemas.appending(path: "\(kind.rawValue).json")
      let schema = try #require(
        JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
      let properties = try #require(schema["properties"] as? [String: [String: Any]])
      #expect(properties["schema"]?["const"] as? String == kind.schema)
      #expect(properties["version"]?["const"] as? Int == DocumentKind.version)
    }
  }

  @Test func schemas_reject_undocumented_keys() throws {
    var objects = 0
    func check(_ value: Any, _ place: String) {
      if let list = value as? [Any] { for item in list { check(item, place) } }
      guard let object = value as? [String: Any] else { return }
      if object["type"] as? String == "object" {
        objects += 1
        // An object without declared keys maps names to values of one type.
        let isClosed =
          object["properties"] != nil
          ? object["additionalProperties"] as? Bool == false
          : object["additionalProperties"] is [String: Any]
        #expect(isClosed, "\(place)")
      }
      for (key, item) in object { check(item, "\(place).\(key)") }
    }
    for file in try FileManager.default.contentsOfDirectory(atPath: Self.schemas.path)
    where file.hasSuffix(".json") {
      let data = try Data(contentsOf: Self.schemas.appending(path: file))
      check(try JSONSerialization.jsonObject(with: data), file)
    }
    #expect(objects > 50)
  }

  @Test func device_preset_and_benchmark_documents_match_their_schemas() throws {
    try "[video]\nsise = 1\n".write(
      toFile: path("broken.toml"), atomically: true, encoding: .utf8)
    try FileManager.default.createDirectory(
      atPath: path("config/recordctl/presets"), withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      atPath: path("broken.toml"), toPath: path("config/recordctl/presets/broken.toml"))
    let files = [
      try run("devices"), try run("formats", "pattern"), try run("formats", "tone"),
      try run("formats", "pattern:raw"),
      try run("presets", "list", environment: ["XDG_CONFIG_HOME": path("config")]),
      try folder.write(SharedCheck.get().run.output, "check.out").path,
      try run("check", "--device", "pattern", "--size", "321x240", status: 2),
      try run(
        "bench", "--codec", "proxy", "--size", "64x64", "--encoder", "native", "--seconds", "1"),
      try run("formats", "nothing", status: 2),
    ]
    try expect(
      [.devices, .formats, .presets, .check, .benchmark, .error], in: files)
  }

  @Test func photo_documents_match_their_schemas() throws {
    let photo = Array(Recordctl.photo.dropFirst())
    let taken = try Recordctl(
      ["photo", "take"] + photo + [
        "--raw", "bayer", "--processed", "jpeg", "-o", path("p"), "--json",
      ])
    #expect(taken.status == 0, "\(taken.errors)")
    try taken.output.write(toFile: path("photos.out"), atomically: true, encoding: .utf8)
    let developed = try Recordctl(
      ["photo", "take"] + photo + [
        "--raw", "bayer", "--develop", "jpeg", "-o", path("d.dng"), "--json",
      ])
    #expect(developed.status == 0, "\(developed.errors)")
    try developed.output.write(toFile: path("developed.out"), atomically: true, encoding: .utf8)
    try expect(
      [.photos, .photoFile, .imageFile],
      in: [
        path("photos.out"), path("developed.out"), try run("photo", "info", "p.dng"),
        try run("photo", "info", "p.jpg"),
      ])
  }

  @Test func development_documents_match_their_schemas() throws {
    let photo = Array(Recordctl.photo.dropFirst())
    #expect(
      try Recordctl(["photo", "take"] + photo + ["--raw", "bayer", "-o", path("p.dng")]).status == 0
    )
    try "no photo".write(toFile: path("q.dng"), atomically: true, encoding: .utf8)
    try """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
     xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
     xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/" crs:Dehaze="+3" crs:Vibrance="+3"
     crs:HasCrop="True" crs:CropLeft="0.1" crs:CropTop="0" crs:CropRight="0.9" crs:CropBottom="0.8"
     crs:CropAngle="-1.5"
     xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="6"><crs:ToneCurvePV2012Red><rdf:Seq><rdf:li>0, 0</rdf:li><rdf:li>255, 240</rdf:li>
     </rdf:Seq></crs:ToneCurvePV2012Red></rdf:Description></rdf:RDF></x:xmpmeta>
    """.write(toFile: path("p.xmp"), atomically: true, encoding: .utf8)
    try expect(
      [.development, .contactSheet],
      in: [
        try run(
          "photo", "develop", "p.dng", "--size", "80", "--histogram", "--exposure", "1",
          "--white", "5600,+5", "--preset", "web"),
        try run("photo", "develop", "p.dng", "q.dng", "--skip-existing", status: 1),
        try run("photo", "sheet", "p.dng", "q.dng", "--thumbnail", "64", "-o", "s.html", status: 1),
      ])
  }

  @Test func control_socket_lines_match_their_schemas() throws {
    let commands: [RecorderCommand] = [
      .status, .stop, .split, .quit, .retire, .mark("x"), .standBy(true), .preset("a"),
      .events(true),
      .acknowledge(3), .start(TakeSlate(name: "a", reel: "b", scene: "c", take: 4), nil),
      .start(TakeSlate(), .date(unixTime: 1_795_426_200)), .start(TakeSlate(), .init("09:30:00")),
      .monitor(.init(pictureRate: 15, scopes: .all, levels: true, alarms: true)),
    ]
    var lines = try commands.map { try CommandMessage($0, id: 1).line() }
    var reply = RecorderReply(status: .example, take: .init(number: 1, path: "a.mov"))
    (reply.id, reply.command, reply.notes) = (1, "start", ["a note"])
    reply.marker = RecordingReport.Marker(
      note: "x", frame: 3, timecode: "01:00:00:03", seconds: 0.12)
    lines.append(try MessageLine.bytes(.recorderReply, reply))
    lines.append(
      try MessageLine.bytes(.recorderReply, RecorderReply(ControlError(.invalidState, "no"))))
    lines += try RecorderEvent.Kind.allCases.map {
      try MessageLine.bytes(.recorderEvent, RecorderEvent.example($0, reply.marker))
    }
    let chroma = [UInt16](repeating: 512, count: 32)
    let preview = try PreviewFrame(
      width: 8, height: 8, color: .bt709, luma: chroma + chroma, cb: chroma, cr: chroma)
    let parcel = FrameParcel(
      preview, VideoScopes(preview), number: 1, timecode: "01:00:00:03", captureTime: 1)
    lines.append(try #require(parcel.parts(for: .all)).line)
    try Data(lines.flatMap(\.self)).write(to: URL(filePath: path("lines")))
    try expect([.recorderCommand, .recorderReply, .recorderEvent], in: [path("lines")])
  }
}

extension RecorderStatus {
  /// A status with every field set.
  fileprivate static var example: RecorderStatus {
    var progress = RecordingProgress()
    (progress.audioPeak, progress.channelPeaks) = (-20, [-20, nil])
    (progress.timecode, progress.path, progress.diskRate) = ("01:00:00;03", "a.mov", 1e8)
    progress.lostPlace = .init(path: "b/a.mov", isSecond: true, message: "gone")
    (progress.freeDiskSpace, progress.secondsLeft, progress.worstCaseSecondsLeft) = (1, 2, 3)
    return RecorderStatus(
      state: .armed, message: "x", take: .init(number: 1, path: "a.mov"),
      armed: .init(date: "2026-11-23T09:30:00Z", timecode: "09:30:00"), isStandingBy: true,
      isPaused: false, takesFinishing: 1, takesFinished: 2,
      source: .init(
        deviceID: "pattern", deviceName: "Pattern", format: "1920x1080", frameRate: "30000/1001",
        preset: "a", codec: "hq", hasSignal: true),
      progress: progress, disk: .init(freeSpace: 1, worstCaseSecondsLeft: 2),
      clock: ClockState(
        source: .chrony, isSynchronized: true, reference: "192.168.1.1", offset: -0.001,
        maximumError: 0.002), loudness: .example, processID: 1, number: 1)
  }
}

extension Loudness {
  /// Loudness with every field set.
  fileprivate static var example: Loudness {
    var loudness = Loudness(channels: 2, seconds: 4.1)
    (loudness.momentary, loudness.shortTerm, loudness.integrated) = (-23, -22.5, -23.12)
    (loudness.range, loudness.truePeak, loudness.take, loudness.lostFrames) = (5, -1.02, 1, 480)
    return loudness
  }
}

extension RecorderEvent {
  /// An event of this kind with every field set.
  fileprivate static func example(_ kind: Kind, _ marker: RecordingReport.Marker?) -> RecorderEvent
  {
    var event = RecorderEvent(kind)
    event.status = .example
    event.take = .init(number: 1, path: "a.mov")
    event.finished = .init(
      number: 1, path: "a.mov", outcome: .imperfect, movies: ["a.mov"], frameCount: 5, dropped: 1,
      repeated: 1, damaged: 0, duration: 0.2, startTimecode: "01:00:00:00", loudness: .example)
    event.loudness = .example
    event.marker = marker
    event.alarm = .init(name: .black, isPresent: true)
    event.levels = [.init(peak: -20, rms: -23, held: -6, clips: 1), .init()]
    event.message = "x"
    event.recorder = "0.1.0"
    return event
  }
}
