import MediaCore
import TestSupport
import Testing

@testable import RecorderService

/// Addresses and folders that a configuration may use only once.
struct ListeningPlacesTests {
  private func refusal(_ text: String) -> String {
    do {
      _ = try ServiceConfiguration(text: text, path: "serve.toml")
      return "accepted"
    } catch {
      return error.message
    }
  }

  @Test(
    arguments: [
      // The keys of channels a and b, and the key that is refused.
      ("hyperdeck = ':9993'", "hyperdeck = ':9993'", "hyperdeck"),
      ("hyperdeck = '0.0.0.0:9993'", "hyperdeck = '127.0.0.1:9993'", "hyperdeck"),
      ("hyperdeck = '127.0.0.1:9993'", "rest = '0.0.0.0:9993'", "rest"),
      ("hyperdeck = '[::]:9993'", "rest = ':9993'", "rest"),
      ("rest = '[::1]:9000'", "rest = '[0:0:0:0:0:0:0:1]:9000'", "rest"),
      ("osc = ':8000'", "osc = ':8000'", "osc"),
      ("osc = ':8000'", "osc = '0.0.0.0:8000'", "osc"),
      ("", "rest = '127.0.0.1:8500'", "rest"),
      ("", "hyperdeck = '0.0.0.0:8500'", "hyperdeck"),
      ("osc = ':9993'", "hyperdeck = ':9993'", nil),
      ("hyperdeck = ':0'\nrest = ':0'", "hyperdeck = ':0'\nosc = ':0'", nil),
      ("hyperdeck = '127.0.0.2:9993'", "hyperdeck = '127.0.0.1:9993'", nil),
      ("rest = '0.0.0.0:9993'", "rest = '[::1]:9993'", nil),
      ("osc = ':8500'", "rest = ':8501'", nil),
    ] as [(String, String, String?)])
  func an_address_cannot_be_used_twice(first: String, second: String, key: String?) {
    let text = """
      listen = '127.0.0.1:8500'
      allow = ['127.0.0.1', '10.0.0.0/8']
      [[channel]]
      name = 'a'
      \(first)
      [[channel]]
      name = 'b'
      \(second)
      """
    let said = refusal(text)
    if let key {
      #expect(said.hasPrefix("serve.toml:8:1: channel.\(key): "), "\(said)")
      #expect(said.contains("is taken by "), "\(said)")
    } else {
      #expect(said == "accepted")
    }
  }

  @Test func two_protocols_of_one_channel_need_different_addresses() {
    let text = "[[channel]]\nname = 'a'\nhyperdeck = ':9993'\nrest = ':9993'"
    #expect(
      refusal(text) == "serve.toml:4:1: channel.rest: 127.0.0.1:9993 is taken by hyperdeck of "
        + "channel a at 127.0.0.1:9993; choose another port")
    #expect(refusal("[[channel]]\nname = 'a'\nrest = ':8437'").contains("taken by listen"))
  }

  @Test func a_listening_address_set_later_may_not_be_that_of_a_channel() throws {
    let text = "[[channel]]\nname = 'a'\nrest = ':8600'\nosc = ':8700'"
    var settings = try ServiceConfiguration(text: text, path: "serve.toml")
    let error = #expect(throws: ServiceError.self) {
      try settings.listen(on: .init(host: "0.0.0.0", port: 8600))
    }
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.message.contains("taken by rest of channel a at 127.0.0.1:8600") == true)
    #expect(settings.address == .init(), "the address is unchanged")
    // UDP ports are separate from TCP ports.
    try settings.listen(on: .init(port: 8700))
    #expect(settings.address.port == 8700)
  }

  @Test func the_second_folder_must_differ_from_the_first() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("one")
    try folder.makeFolder("two")
    let (one, two) = (folder.path("one"), folder.path("two"))
    func said(_ first: String, _ second: String) -> String {
      refusal("[[channel]]\nname = 'a'\nfolder = '\(first)'\nsecond-folder = '\(second)'")
    }
    for second in [one, one + "/", one + "/../one"] {
      #expect(said(one, second).hasPrefix("serve.toml:4:1: channel.second-folder: "))
    }
    #expect(said("/nowhere/a", "/nowhere/a/").contains("second-folder"))
    #expect(said(one, two) == "accepted")
    // The folder in a preset is treated like any other.
    try folder.write("[file]\nsecond-folder = '\(one)'\n", "two.toml")
    let preset = folder.path("two.toml")
    let text = "[[channel]]\nname = 'a'\npreset = '\(preset)'\nfolder = "
    #expect(refusal(text + "'\(one)'").hasPrefix("serve.toml:3:1: channel.preset: "))
    #expect(refusal(text + "'\(two)'") == "accepted")
    // The channel's own second folder takes precedence.
    #expect(refusal(text + "'\(one)'\nsecond-folder = '\(two)'") == "accepted")
  }

  @Test func missing_folders_are_reported() throws {
    let folder = try TemporaryFolder()
    var channel = ServiceConfiguration.Channel(name: "a")
    (channel.folder, channel.secondFolder) = (folder.path(""), folder.path("none"))
    let warnings = ServiceConfiguration(channels: [channel, .init(name: "b")]).folderWarnings
    #expect(warnings.count == 1, "\(warnings)")
    #expect(
      warnings.first?.hasPrefix("channel a: second-folder \(folder.path("none")) does not exist")
        == true)
  }

  /// The same name as for later takes, so that deck clients see one volume.
  @Test func the_folder_name_of_a_channel_is_known_before_its_first_take() {
    var channel = ServiceConfiguration.Channel(name: "a")
    #expect(channel.folderName == nil)
    for folder in ["/media/takes", "/media/takes/"] {
      channel.folder = folder
      #expect(channel.folderName == "takes")
    }
  }
}
