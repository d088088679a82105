import TestSupport
import Testing

@testable import OSC

struct OSCPacketTests {
  private static let all = OSCMessage(
    "/a/b", .int(-2), .float(0.5), .string("héllo"), .blob([1, 2, 3, 4, 5]), .long(.min),
    .double(-1e300), .bool(true), .bool(false), .nothing, .impulse, .timeTag(7), .string(""))

  @Test func messages_match_the_specifications_examples() throws {
    // The two examples in the OSC 1.0 specification.
    let first: [UInt8] =
      Array("/oscillator/4/frequency\0,f\0\0".utf8) + [0x43, 0xDC, 0, 0]
    #expect(OSCMessage("/oscillator/4/frequency", .float(440)).bytes == first)
    let second: [UInt8] =
      Array("/foo\0\0\0\0,iisff\0\0".utf8)
      + [0, 0, 3, 0xE8, 0xFF, 0xFF, 0xFF, 0xFF]
      + Array("hello\0\0\0".utf8) + [0x3F, 0x9D, 0xF3, 0xB6, 0x40, 0xB5, 0xB2, 0x2D]
    let message = OSCMessage(
      "/foo", .int(1000), .int(-1), .string("hello"), .float(1.234), .float(5.678))
    #expect(message.bytes == second)
    #expect(try OSCPacket(second) == .message(message))
  }

  @Test func packets_survive_a_round_trip() throws {
    let packet = OSCPacket.bundle(
      timeTag: 1, [.message(Self.all), .bundle(timeTag: 2, [.message(OSCMessage("/c"))])])
    #expect(try OSCPacket(packet.bytes) == packet)
    #expect(packet.messages == [Self.all, OSCMessage("/c")])
    // Old senders omit the type tags.
    #expect(try OSCPacket(Array("/c\0\0".utf8)) == .message(OSCMessage("/c")))
  }

  @Test func truncated_and_invalid_packets_are_refused() throws {
    let bytes = OSCPacket.bundle(timeTag: 1, [.message(Self.all)]).bytes
    for count in 0..<bytes.count where count != 16 {
      #expect(throws: OSCError.self, "\(count)") { try OSCPacket(bytes.prefix(count)) }
    }
    for bad in [
      "abc\0", "/a\0\0x\0\0\0", "/a\0\0,Z\0\0", "/a\0\0,i\0\0\0\0", "#bungle\0\0\0\0\0\0\0\0\0",
      "/a\0\0,b\0\0\u{7F}\u{7F}\u{7F}\u{7F}", "/a\0\0,i\0\0\0\0\0\0\0\0\0\0", "/abcd",
    ] { #expect(throws: OSCError.self, "\(bad)") { try OSCPacket(Array(bad.utf8)) } }
    #expect(throws: OSCError.self) { try OSCPacket([UInt8](repeating: 0x2F, count: 70_000)) }
    var deep = OSCPacket.message(OSCMessage("/a"))
    for _ in 0..<OSCPacket.depthLimit { deep = .bundle(timeTag: 1, [deep]) }
    #expect(throws: OSCError.self) { try OSCPacket(deep.bytes) }
    let many = OSCMessage("/a", arguments: .init(repeating: .impulse, count: 257))
    #expect(throws: OSCError.self) { try OSCPacket(many.bytes) }
  }

  @Test func random_bytes_do_no_harm() {
    var random = SeededGenerator(seed: 4)
    let seed = OSCPacket.bundle(timeTag: 1, [.message(Self.all), .message(Self.all)]).bytes
    var read = 0
    for _ in 0..<20_000 {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      if let packet = try? OSCPacket(bytes) {
        read += 1
        #expect(packet.messages.count <= 2)
      }
    }
    #expect(read > 100)
  }
}
