import Testing

@testable import RecorderControl

struct NetworkRangeTests {
  @Test(arguments: [
    (
      "192.168.10.0/24", ["192.168.10.0", "192.168.10.255", "::ffff:192.168.10.7"],
      ["192.168.11.0", "::1", "192.168.10"]
    ),
    ("10.0.0.7", ["10.0.0.7"], ["10.0.0.6", "10.0.0.70"]),
    ("0.0.0.0/0", ["1.2.3.4"], ["::1", "example.org", ""]),
    ("fd00::/8", ["fd12::1", "fd00::1%eth0"], ["fe80::1", "10.0.0.1"]),
    ("172.16.0.0/12", ["172.31.255.255"], ["172.32.0.0"]),
  ])
  func addresses_inside_and_outside_a_range_are_distinguished(
    text: String, inside: [String], outside: [String]
  ) throws {
    let range = try #require(NetworkRange(text))
    #expect(range.description == text)
    for address in inside { #expect(range.contains(address), "\(address)") }
    for address in outside { #expect(!range.contains(address), "\(address)") }
  }

  @Test(arguments: [
    "", "/", "10.0.0.0/", "10.0.0.0/33", "10.0.0.1/8", "10.0.0/8", "::/129", "a/8", "10.0.0.0/8/8",
    "10.0.0.0/-1", "10.0.0.0/+8", "example.org",
  ])
  func invalid_network_ranges_are_refused(text: String) {
    #expect(NetworkRange(text) == nil)
  }
}
