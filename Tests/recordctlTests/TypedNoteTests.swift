import Testing

@testable import recordctl

struct TypedNoteTests {
  private func typed(_ text: String) -> TypedNote {
    var note = TypedNote()
    for byte in text.utf8 { note.add(byte) }
    return note
  }

  @Test(arguments: ["plain", "Schärfe", "焦点 👍🏽", "e\u{301}"])
  func characters_of_any_script_are_kept(_ text: String) {
    #expect(typed(text).text == text)
  }

  @Test func deleting_removes_a_whole_character_and_control_characters_are_ignored() {
    var note = typed("aä\u{7}")
    #expect(note.text == "aä")
    note.removeLast()
    #expect(note.text == "a")
    note.removeLast()
    note.removeLast()
    #expect(note.text.isEmpty)
  }

  @Test func a_note_is_limited_to_whole_characters() {
    let long = String(repeating: "ä", count: TypedNote.limit + 5)
    #expect(typed(long).text == String(repeating: "ä", count: TypedNote.limit))
  }
}
