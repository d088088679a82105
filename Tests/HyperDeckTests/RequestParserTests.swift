import Testing

@testable import HyperDeck

struct RequestParserTests {
  private func items(_ text: String, inPiecesOf size: Int = .max) -> [RequestParser.Item] {
    var parser = RequestParser()
    var items: [RequestParser.Item] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      parser.append(rest.prefix(size))
      rest = rest.dropFirst(size)
      while let item = parser.next() { items.append(item) }
    }
    return items
  }

  @Test(arguments: ["\n", "\r\n"]) func lines_may_end_with_or_without_a_carriage_return(end: String)
  {
    #expect(
      items("ping\(end)\(end)slot info: slot id: 1\(end)")
        == [.command(.init("ping")), .command(.init("slot info", ["slot id": "1"]))])
  }

  @Test func values_and_keys_may_contain_spaces() {
    #expect(
      items("notify: display timecode: true slot:true transport:  false  \n")
        == [
          .command(
            .init(
              "notify", ["display timecode": "true", "slot": "true", "transport": "false"]))
        ])
    #expect(
      items("clips get: clip id: 2 count: 3\n")
        == [.command(.init("clips get", ["clip id": "2", "count": "3"]))])
    // A key counts only once; a repetition is part of the value.
    #expect(
      items("slot info: slot id: 1 slot id: 2\n")
        == [.command(.init("slot info", ["slot id": "1 slot id: 2"]))])
  }

  @Test func a_name_extends_to_the_end_of_its_line() {
    #expect(
      items("record: name: oil spill: slot id: 3\n")
        == [.command(.init("record", ["name": "oil spill: slot id: 3"]))])
    #expect(
      items("record: spill: slot id: 1\n")
        == [.command(.init("record", ["spill": "", "slot id": "1"]))])
  }

  @Test func a_command_may_have_a_line_for_each_key() {
    let block = "notify:\r\ntransport: true\r\nslot: true\r\n\r\nping\r\n"
    let expected: [RequestParser.Item] = [
      .command(.init("notify", ["transport": "true", "slot": "true"])), .command(.init("ping")),
    ]
    #expect(items(block) == expected)
    #expect(items(block.replacing("\r", with: "")) == expected)
    #expect(items(block, inPiecesOf: 1) == expected)
    #expect(items("device info:\r\n\r\n") == [.command(.init("device info"))])
  }

  @Test func invalid_commands_have_distinct_faults() {
    #expect(items("dance\n") == [.fault(.command)])
    #expect(items("dance: a: b\n") == [.fault(.command)])
    #expect(items("record: title: b\n") == [.fault(.parameter)])
    #expect(items("record: b\n") == [.fault(.syntax)])
    #expect(items("record:\nname\n\n") == [.fault(.syntax)])
    #expect(items("record:\ntitle: x\n\n") == [.fault(.parameter)])
    var parser = RequestParser()
    parser.append([0xFF, 0xFE, 0x0A])
    #expect(parser.next() == .fault(.syntax))
  }

  @Test func lines_and_blocks_are_limited_in_length() {
    let limit = RequestParser.lineLimit
    let name = String(repeating: "x", count: limit - 14)
    #expect(items("record: name: \(name)\r\n") == [.command(.init("record", ["name": name]))])
    #expect(items("record: name: \(name)x\r\nping\n") == [.fault(.tooLong)])
    #expect(items(String(repeating: "x", count: limit + 2), inPiecesOf: 100) == [.fault(.tooLong)])
    let many = "notify:\n" + String(repeating: "slot: true\n", count: 33) + "\nping\n"
    #expect(items(many) == [.fault(.syntax), .command(.init("ping"))])
    let enough = "notify:\n" + String(repeating: "slot: true\n", count: 32) + "\n"
    #expect(items(enough) == [.command(.init("notify", ["slot": "true"]))])
  }

  @Test(arguments: [
    "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "POST /control HTTP/1.1\r\n\r\nrecord\r\n",
    "OPTIONS *\r\n", "\u{16}\u{3}\u{1}",
  ])
  func an_http_request_as_first_line_is_rejected(text: String) {
    #expect(items(text) == [.stranger])
    // After a valid first line it is an error like any other.
    #expect(items("ping\r\nGET / HTTP/1.1\r\n").last == .fault(.command))
  }

  @Test func the_parsers_buffer_stays_limited() {
    var parser = RequestParser()
    for _ in 0..<10_000 {
      parser.append(Array("notify:\nslot: true\n".utf8))
      while parser.next() != nil {}
      #expect(parser.count < 64)
    }
    for _ in 0..<100 {
      parser.append([UInt8](repeating: 0x20, count: 1000))
      while parser.next() != nil {}
    }
    #expect(parser.count == 0)
  }
}
