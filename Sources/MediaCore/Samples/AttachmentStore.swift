package import Synchronization

/// A program's notes on a frame or a sample beside its description, under names of its choice.
///
/// Every copy of a sample buffer shares its store, as references to one object would.
package final class AttachmentStore: Sendable {
  /// What is noted.
  package let contents = Mutex(Contents())

  /// Nothing noted.
  package init() {}

  /// Values by their names.
  ///
  /// Unchecked: a value is handed on and never changed; what it refers to is its program's own.
  package struct Contents: @unchecked Sendable {
    /// A value, and whether what is made of its bearer gets it, too.
    package struct Entry {
      package var value: Any
      package var propagates: Bool

      /// An entry from its parts.
      package init(value: Any, propagates: Bool) {
        self.value = value
        self.propagates = propagates
      }
    }

    /// Of the buffer as a whole.
    package var ofBuffer: [String: Entry] = [:]
    /// Of its one sample; nil until somebody asked to note something.
    package var ofSample: [String: Any]?
    /// What addresses were given out of, and is to live as long as the sample; nil until there is some.
    package var lent: (any Sendable)?

    /// Nothing noted.
    package init() {}
  }
}
