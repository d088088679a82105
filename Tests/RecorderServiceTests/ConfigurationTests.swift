import Foundation
import MediaCore
import TestSupport
import Testing

@testable import RecorderService

/// The gateway's configuration in TOML.
struct ConfigurationTests {
  private static let secret = "0123456789abcdef"

  private func refusal(_ text: String) -> String {
    do {
      _ = try ServiceConfiguration(text: text, path: "serve.toml")
      return "accepted"
    } catch {
      return error.message
    }
  }

  @Test func the_whole_configuration_is_read() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      """
      listen = "0.0.0.0:9000"
      names = ["recorder.example"]

      [tls]
      certificate = "chain.pem"
      key = "key.pem"

      [[token]]
      name = "gallery"
      role = "operate"
      secret = "\(Self.secret)"

      [[channel]]
      name = "a"
      title = "Camera A"
      device = "pattern:bars"
      audio = "none"
      preset = "1080p25-hq"
      output = "{scene}-{take}"
      folder = "/media/takes"
      library = "/media/library"
      standby = true

      [[channel]]
      name = "b"
      socket = "/run/user/1000/b.socket"
      """, "serve.toml")
    let read = try ServiceConfiguration(path: file.path)
    #expect(read.address == .init(host: "0.0.0.0", port: 9000) && !read.address.isLoopback)
    #expect(read.hostNames == ["recorder.example"])
    #expect(read.certificate == .init(chainPath: "chain.pem", keyPath: "key.pem"))
    #expect(read.tokens == [.init(name: "gallery", role: .operate, secret: Self.secret)])
    #expect(read.channels.map(\.name) == ["a", "b"])
    #expect(read.channels[0].title == "Camera A" && read.channels[0].startsOnStandby)
    #expect(read.channels[0].output == "{scene}-{take}.mov", "the extension is not doubled")
    #expect(read.channels[1].title == "b" && read.channels[1].socketPath != nil)
  }

  @Test(arguments: ["{take}.mov", "a.b", "{scene}.MOV", "x.mov.mov"])
  func every_movie_name_gets_its_extension_once(output: String) throws {
    let text = "[[channel]]\nname = \"a\"\noutput = \"\(output)\""
    let read = try ServiceConfiguration(text: text, path: "serve.toml").channels[0].output
    #expect(read == (output.hasSuffix(".mov") ? output : output + ".mov"))
  }

  @Test func self_made_certificate_and_announcing_settings_are_read() throws {
    let text = """
      [tls]
      self-made = true
      [mdns]
      folder = "/run/avahi"
      announce = false
      [[channel]]
      name = "a"
      """
    let read = try ServiceConfiguration(text: text, path: "serve.toml")
    #expect(read.certificate?.isSelfMade == true)
    #expect(read.announcing == .init(folder: "/run/avahi", isOn: false))
    let plain = try ServiceConfiguration(text: "[[channel]]\nname = \"a\"", path: "serve.toml")
    #expect(plain.certificate == nil && plain.announcing == .init(folder: nil, isOn: true))
  }

  @Test func configuration_faults_are_reported_with_line_and_column() {
    #expect(refusal("listen = 5").hasPrefix("serve.toml:1:1: listen: "))
    #expect(refusal("\n  lisen = ':1'").contains("serve.toml:2:3: lisen: no such key"))
    #expect(refusal("listen = 'x").hasPrefix("serve.toml:1:"))
    #expect(refusal("").contains("no channel is configured"))
    // The line number is that of the array's second table, not of its first.
    let two = "[[channel]]\nname = \"a\"\n\n[[channel]]\nname = \"b\"\nstandby = 3\n"
    #expect(refusal(two).hasPrefix("serve.toml:6:1: channel.standby: "), "\(refusal(two))")
    #expect(
      refusal("[[channel]]\nname = \"a\"\n[[channel]]\nname = \"a\"").hasPrefix("serve.toml:4:1"))
  }

  @Test(arguments: [
    ("[[channel]]\nname = \"a b\"", "letters, digits"),
    ("[[channel]]\nname = \"a\"\noutput = \"x/{take}\"", "folder"),
    ("[[channel]]\nname = \"a\"\npreset = \"nothing\"", "unknown preset"),
    ("[[channel]]\nname = \"a\"\nsocket = \"/s\"\ndevice = \"x\"", "runs already"),
    ("[[token]]\nname = \"a\"\nrole = \"operate\"\nsecret = \"short\"", "16 to 200"),
    ("[[token]]\nname = \"a\"\nrole = \"boss\"", "view"),
    ("[tls]\ncertificate = \"x\"", "tls.key"),
    ("[tls]\nself-made = true\nkey = \"x\"", "self-made"),
    ("[mdns]\nfolder = \"x\"", "absolute path"),
    ("allow = [\"10.0.0.1/8\"]", "network"),
    ("[[channel]]\nname = \"a\"\nhyperdeck = \"0.0.0.0\"", "allow"),
    (
      "[[channel]]\nname = \"a\"\ntitle = \"Camera \\u202E\"", "channel.title: the title has U+202E"
    ),
    ("[[channel]]\nname = \"a\"\noutput = \"a\\u2028\"", "channel.output: the movie's name has "),
    ("[[channel]]\nname = \"a\"\nosc = \"nowhere\"", "127.0.0.1:8000"),
  ])
  func invalid_configurations_are_refused(text: String, word: String) {
    #expect(refusal(text).contains(word), "\(refusal(text))")
  }

  @Test func listening_addresses_are_parsed() {
    typealias Address = ServiceConfiguration.Address
    #expect(Address("127.0.0.1:80") == Address(host: "127.0.0.1", port: 80))
    #expect(Address(":80") == Address(host: "127.0.0.1", port: 80))
    #expect(Address("[::1]:80") == Address(host: "::1", port: 80))
    #expect(Address("::") == Address(host: "::", port: Address.standardPort))
    #expect(Address("localhost")?.isLoopback == true)
    #expect(Address("0.0.0.0")?.isLoopback == false)
    for text in ["x:80", "1.2.3.4:70000", "1.2.3:80", "[::1:80", "1.2.3.4:", "a.example"] {
      #expect(Address(text) == nil, "\(text)")
    }
  }
}
