import ArgumentParser
import TestSupport
import Testing

@testable import recordctl

/// The messages for wrong usage.
@Suite struct MessageTests {
  /// Every verb and every option with invalid values; nothing is run. Parsing a line takes a fortieth of a second
  /// here. So unless all tests run, each option is tried with one value, only at the first verb that has it; every
  /// fourth option is also tried without a value; and verbs get in turn an extra word or an unknown option. Unless
  /// the run is extended, half of these are tried.
  @Test(.tags(.slow)) func every_invalid_value_is_refused_in_one_line() throws {
    let isThorough = TestRun.isThorough
    let share = TestRun.isExtended ? 1 : 2
    let values = ["nonsense~", "-5", ""] + (isThorough ? ["-5~", "-0.5", "0", "1e999"] : [])
    var answers = 0
    var known: Set<String> = []
    for (number, (path, command)) in try CommandHelp.read().all().enumerated() {
      let arguments = command.arguments ?? []
      var base = path
      for argument in arguments where !argument.isOptional {
        base += argument.kind == "positional" ? ["x"] : [argument.spelling, "x"].compactMap(\.self)
      }
      // The message may name another missing argument first; it is read only once because parsing is slow.
      lazy var lacking = answer(to: base)
      for option in arguments where option.kind == "option" {
        let name = try #require(option.spelling)
        let isNew = known.insert("\(name) \(option.abstract ?? "")").inserted
        guard isThorough || isNew && known.count % share == 0 else { continue }
        let few = values[known.count % values.count]
        for value in isThorough && isNew ? values : [few] {
          guard let line = answer(to: base + [name, value]) else { continue }
          answers += 1
          check(line, value)
          let starts = ["\(name): ", "\(name) needs ", "missing "]
          guard !starts.contains(where: { line.hasPrefix($0) }) else { continue }
          let other = lacking
          #expect(line == other, "\(path) \(line)")
        }
        guard isThorough || known.count % (4 * share) == 0 else { continue }
        let lonely = try #require(answer(to: path + [name]))
        check(lonely, name)
      }
      if isThorough || number % (2 * share) == 0 {
        check(try #require(answer(to: base + ["--nonsense~"])), "--nonsense~")
      }
      // Not every verb takes a file or a name.
      if isThorough || number % (2 * share) == 1,
        let line = answer(to: base + ["nonsense~", "more~"])
      {
        check(line, "nonsense~")
      }
    }
    #expect(answers > 60 / share)
  }

  private func answer(to arguments: [String]) -> String? {
    do {
      _ = try recordctl.Recordctl.parseAsRoot(NegativeValues.joined(arguments))
      return nil
    } catch {
      return UsageMessage(
        recordctl.Recordctl.message(for: error), arguments: arguments,
        root: recordctl.Recordctl.self
      ).text
    }
  }

  private func check(_ line: String, _ value: String) {
    #expect(!line.contains { $0.isNewline }, "\(line)")
    for fault in [
      "is no ", "are no ", "; ;", " ;", "has ;", ": ;", "::", ", ,", "The value", "is invalid for",
    ] {
      #expect(!line.contains(fault), "\(line)")
    }
    #expect(line.last.map { !" ;:,".contains($0) } == true, "\(line)")
    if value.count > 4 { #expect(line.split(separator: value).count <= 2, "\(line)") }
  }

  @Test(arguments: [
    (["rec"], "unknown verb 'rec' (did you mean 'record'?); `recordctl --help` lists the verbs"),
    (
      ["library", "lst"],
      "unknown verb 'lst' (did you mean 'list'?); `recordctl library --help` lists the verbs"
    ),
    (
      ["record", "--codec", "h264"],
      "--codec: unknown codec 'h264'; choose one of proxy, lt, 422, hq, 4444, xq"
    ),
    (
      ["record", "--duration", "-5s"],
      "--duration: '-5s' must be positive; write 10, 10s, 1m30s, 2h, or 300f for frames, "
        + "at most 8784h, a year"
    ),
    (
      ["record", "--duration", "9000h"],
      "--duration: invalid duration '9000h'; write 10, 10s, 1m30s, 2h, or 300f for frames, "
        + "at most 8784h, a year"
    ),
    (
      ["record", "--segment", "9000h"],
      "--segment: invalid segment length '9000h'; write 10m, 300f for frames, or 4GB; "
        + "a time is at most 8784h, a year"
    ),
    (["record", "--duration", "--json"], "--duration needs a value"),
    (
      ["photo", "--raw", "baye"],
      "--raw: unknown kind of RAW photo 'baye' (did you mean 'bayer'?); choose one of bayer, proraw"
    ),
    (
      ["photo", "--count", "-3"],
      "--count: '-3' must be positive; write an integer from 1 to 10000"
    ),
    (["devices", "--jsn"], "unknown option '--jsn' (did you mean '--json'?)"),
    (
      ["record", "--preset", "1080p25hq"],
      "unknown preset '1080p25hq' (did you mean '1080p25-hq'?); choose one listed by `recordctl "
        + "presets`, or give a file's path with a / or .toml"
    ),
    (
      ["record", "--device", "pattren:bars"],
      "unknown device 'pattren:bars' (did you mean 'pattern:bars'?); an identifier begins with one "
        + "of v4l2, alsa, file, pattern, tone"
    ),
    (
      ["formats", "pattern:brs"],
      "unknown pattern 'brs' (did you mean 'bars'?); choose one of bars, zoneplate, noise, ramp, "
        + "clock"
    ),
    (
      ["encode", "a.mov", "-o", "b.mov", "--fitting", "fill"],
      "--fitting and --filter need --size"
    ),
    (
      [
        "encode", "a.mov", "-o", "b.mov", "--size", "64x64", "--fitting", "crop", "--filter",
        "point",
      ], "--fitting crop does not scale; leave --filter out"
    ),
    (
      [
        "encode", "a.mov", "-o", "b.mov", "--size", "64x64", "--fitting", "stretch", "--sar",
        "16:15",
      ], "--fitting stretch ignores the pixel aspect ratio; leave out --sar"
    ),
    (
      ["photo", "--processed", "jpeg", "--thumbnail", "none"],
      "--thumbnail is the preview in a RAW photo; add --raw, or leave --thumbnail out"
    ),
    (
      ["photo", "--raw", "proraw", "--bracket", "-2,0,2", "--priority", "quality"],
      "--bracket chooses the exposures, so --priority has no effect; give only one of them"
    ),
    (
      ["photo", "--raw", "bayer", "--bracket", "-2,0,2", "--priority", "speed"],
      "--bracket chooses the exposures, so --priority has no effect; give only one of them"
    ),
    (
      ["photo", "develop", "--album", "raw", "--keep", "--skip-existing"],
      "--skip-existing applies to files, but --keep replaces the asset's edit; leave "
        + "--skip-existing out"
    ),
    (
      ["photo", "develop", "--album", "raw", "--keep", "--overwrite"],
      "--overwrite applies to files, but --keep replaces the asset's edit; leave --overwrite out"
    ),
    (
      ["library", "trust", "--list", "--remove"],
      "--list and --remove exclude each other; give only one"
    ),
    (
      ["library", "offload", "/a", "--from", "/b", "--library", "/c"],
      "with --from, --library is for --import; add it, or leave --library out"
    ),
    (
      ["library", "offload", "s3://takes", "--create"],
      "--create creates folders, which object storage does not need; leave it out"
    ),
    (
      ["library", "verify", "--copy", "/a", "--library", "/b"],
      "--copy checks a folder against its manifests without a library; leave out --library"
    ),
    (
      ["encode", "plan", "a.mov", "-o", "job", "--parts", "4", "--part-duration", "10"],
      "--parts and --part-duration exclude each other; give only one"
    ),
    (
      ["encode", "a.mov", "--output-folder", "out", "--skip-existing", "--no-sidecar"],
      "--skip-existing reads from sidecars whether the source of a movie was complete; leave --no-sidecar out"
    ),
    (
      ["photo", "develop", "a.dng", "--draft", "--sharpness", "0.5"],
      "--draft skips what --sharpness does; give only one of them"
    ),
    (
      ["photo", "develop", "a.dng", "--to", "tiff", "--quality", "0.5"],
      "tiff is lossless; leave --quality out"
    ),
    (
      ["photo", "develop", "a.dng", "--to", "heic", "--hdr", "pq", "--space", "srgb"],
      "pq is always Rec. 2020; leave --space out"
    ),
    (
      ["bench", "--size", "1x1"],
      "--size: 1x1 has an odd width; 4:2:2 video comes in pairs of pixels, so use 2x1"
    ),
    (
      ["record", "--device", "pattern:raw"],
      "Synthetic sensor (pattern:raw) takes stills only; use `recordctl photo`"
    ),
    (
      ["record", "--device", "pattern", "--size", "1024x768"],
      "no format of Pattern generator (bars) (pattern:bars) fits 1024x768, 29.97 fps, progressive, "
        + "Apple ProRes 422 HQ, tier 1 or 2; its sizes are 1920x1080, 1280x720, 640x360, 3840x2160, "
        + "7680x4320, such as P210 1920x1080 up to 60, or choose a format listed by "
        + "`recordctl formats`"
    ),
  ])
  func messages_that_once_confused_users_are_clear(arguments: [String], message: String) throws {
    let run = try Recordctl(arguments)
    #expect(run.status == 2)
    #expect(run.errors == "recordctl: \(message)\n")
  }

  @Test func non_utf_8_arguments_are_refused() throws {
    let name = Array("caf".utf8) + [0xE9]
    let error = #expect(throws: ValidationError.self) {
      try ArgumentText.check([Array("encode".utf8), name + Array(".mov".utf8)])
    }
    #expect(
      error?.message
        == "'caf\u{FFFD}.mov' is not UTF-8, so the file cannot be found; rename it")
    try ArgumentText.check([Array("encode".utf8), Array("caf\u{E9}\u{FFFD}.mov".utf8), []])
    try ArgumentText.check([Array("---completion".utf8), name])
  }

  @Test func negative_numbers_belong_to_the_preceding_option() {
    #expect(
      NegativeValues.joined(["record", "--duration", "-5s", "-o", "x"])
        == ["record", "--duration=-5s", "-o", "x"])
    #expect(
      NegativeValues.joined(["--a", "-.5", "--", "--b", "-1"]) == ["--a=-.5", "--", "--b", "-1"])
    let completion = ["---completion", "record", "--", "--duration", "-5"]
    #expect(NegativeValues.joined(completion) == completion)
  }
}
