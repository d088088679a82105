import Foundation
import MediaCore
import PhotoDevelopment
import TestSupport
import Testing

/// Presets of the program and of the user, and mistakes in them.
@Suite struct DevelopPresetTests {
  @Test func the_presets_of_the_program_are_read_and_make_recipes() throws {
    let folder = try TemporaryFolder()
    let library = DevelopPresetLibrary(userFolder: folder.path("none"))
    #expect(library.names == ["edit", "hdr", "web"])
    for name in library.names {
      let preset = try library.preset(named: name)
      #expect(preset.summary != nil && preset.name == name)
      _ = try DevelopRecipe(preset: preset)
    }
  }

  @Test func a_preset_of_the_user_hides_one_of_the_program() throws {
    let folder = try TemporaryFolder()
    try Data("summary = \"Mine\"".utf8).write(to: folder.url("web.toml"))
    let library = DevelopPresetLibrary(userFolder: folder.path(""))
    #expect(try library.preset(named: "web").summary == "Mine")
    #expect(library.names.filter { $0 == "web" }.count == 1)
    let error = #expect(throws: PhotoDevelopmentError.self) { try library.preset(named: "wbe") }
    #expect(error?.code == .invalidPreset && error?.message.contains("web") == true)
  }

  @Test(
    arguments: [
      ("[light]\nexposure = \"bright\"", "exposure"), ("[light]\nexposure = 30", "-20 to 20"),
      ("[light]\nexposre = 1", "exposure"), ("[light]\nwhite = \"warm\"", "kelvins"),
      ("[file]\nformat = \"jpg\"", "jpeg"), ("[file]\nbit-depth = 9.5", "bit-depth"),
      ("[file]\nsize = \"0x4\"", "size"), ("light = 3", "table"), ("[light", ":1:"),
      ("[file]\nhdr = \"dolby\"", "pq"), ("nonsense = 1", "unknown key"),
    ])
  func a_wrong_preset_is_refused_with_the_remedy(text: String, word: String) {
    let error = #expect(throws: PhotoDevelopmentError.self) {
      try DevelopPreset(text, name: "p", path: "p.toml")
    }
    #expect(error?.code == .invalidPreset)
    #expect(
      error?.message.hasPrefix("p.toml") == true && error?.message.contains(word) == true,
      "\(error?.message ?? "")")
  }
}
