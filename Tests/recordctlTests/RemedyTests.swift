import Foundation
import TestSupport
import Testing

@testable import recordctl

/// The libraries' remedies, expressed as options of the command.
struct RemedyTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Sources").standardized

  @Test func every_phrase_occurs_in_a_library_message() throws {
    let files =
      FileManager.default.enumerator(atPath: Self.sources.path)?
      .compactMap { $0 as? String } ?? []
    let text = try files.filter { $0.hasSuffix(".swift") && !$0.hasPrefix("recordctl/") }
      .map { try String(contentsOf: Self.sources.appending(path: $0), encoding: .utf8) }
      .joined()
    for (phrase, _) in Remedies.phrases { #expect(text.contains(phrase), "\(phrase)") }
  }

  @Test(arguments: [
    "the container says 1-1-1; name the color if you know better",
    "it holds linear light; apply a look-up table, or name the color",
    "the PNG files' color (gamma 0.5) dropped: there is no code for it; name the color",
    "the OpenEXR files' chromaticities (0.7) dropped; name the color if there is a name for it",
  ])
  func a_message_about_an_unknown_color_names_the_option(message: String) {
    #expect(Remedies.spoken(message).contains("; --"))
    #expect(Remedies.spoken(message).contains("--color names"))
  }

  @Test func a_message_about_an_unknown_aspect_ratio_names_the_option() {
    let message = "the former is used; name the pixel aspect ratio if you know better"
    #expect(
      Remedies.spoken(message)
        == "the former is used; --sar names another if you know better")
  }

  @Test func a_remedy_names_the_verb_to_use() throws {
    let folder = try TemporaryFolder()
    try Recordctl(["record", "--device", "/dev/video987", "-o", folder.path("a.mov")])
      .expectRefusal(naming: "/dev/video987", "`recordctl devices`")
    try Recordctl(["record", "--device", "tone", "-o", folder.path("a.mov")])
      .expectRefusal(naming: "--audio")
    try Recordctl(["record", "--device", "pattern:raw", "-o", folder.path("a.mov")])
      .expectRefusal(naming: "`recordctl photo`")
    try Recordctl(["presets", "show", "1080p25-hp"])
      .expectRefusal(naming: "did you mean '1080p25-hq'?", "`recordctl presets`")
  }

  @Test(arguments: [
    (["record", "--codec", "hp"], "hq"), (["record", "--encoder", "nativ"], "native"),
    (["record", "--on-interruption", "slat"], "slate"),
    (["record", "--on-hangup", "finsh"], "finish"),
    (["record", "--device", "patern"], "pattern"),
    (["record", "--device", "pattern:brs"], "bars"),
    (["record", "--device", "pattern?pce=none"], "pace"),
    (["record", "--device", "tone?dorp=0.1"], "drop"),
    (["record", "--device", "pattern:raw?shke=1"], "shake"),
    (["record", "--preset", "1080p25-hp"], "1080p25-hq"),
    (["photo", "--raw", "bayr"], "bayer"), (["photo", "--processed", "jpg"], "jpeg"),
    (["photo", "--raw", "bayer", "--priority", "sped"], "speed"),
    (["photo", "--raw", "bayer", "--thumbnail", "ful"], "full"),
    (["library", "list", "--album", "prors"], "prores"),
    (["bench", "--codec", "prxy"], "proxy"), (["devics"], "devices"),
    (["devices", "--jsn"], "--json"),
    (["encode", "a.v210?size=64x64&rate=25&format=v21", "-o", "b.mov"], "v210"),
    (
      ["encode", "a.v210?size=64x64&rate=25&format=v210&fields=top", "-o", "b.mov"],
      "top-field-first"
    ),
  ])
  func a_misspelling_is_answered_with_a_suggestion(arguments: [String], meant: String) throws {
    let folder = try TemporaryFolder()
    _ = try folder.emptyFile("a.v210")
    let run = try Recordctl(arguments, in: folder.url)
    #expect(run.status == 2)
    #expect(run.errors.contains("did you mean '\(meant)'?"), "\(run.errors)")
  }
}
