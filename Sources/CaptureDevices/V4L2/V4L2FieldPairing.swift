import CVideo4Linux
import MediaCore

/// Finds the two fields of each frame where a device delivers them one by one
/// (`V4L2_FIELD_ALTERNATE`).
///
/// A frame is a field of the parity that comes first and the field after it. The kernel's rule is
/// that both have the frame's sequence number; drivers that count fields instead are told by three
/// numbers in a row. Parity, number and time together say when a field is missing.
struct V4L2FieldPairing: Sendable {
  /// Which rows of a frame a field holds.
  enum Parity: Sendable, Hashable {
    /// Rows 0, 2, 4 …
    case top
    /// Rows 1, 3, 5 …
    case bottom

    /// The parity of a buffer; nil where the device does not say.
    init?(_ field: UInt32) {
      switch v4l2_field(rawValue: field) {
      case V4L2_FIELD_TOP: self = .top
      case V4L2_FIELD_BOTTOM: self = .bottom
      default: return nil
      }
    }
  }

  /// A field as it came.
  struct Field: Sendable, Hashable {
    var parity: Parity
    var sequence: UInt32
    /// When it began.
    var nanoseconds: Int64
  }

  /// What a field does.
  enum Step: Sendable, Hashable {
    /// It begins a frame; `abandons` where the frame before stays without its second field.
    case begins(abandons: Bool)
    /// It completes the frame that was begun.
    case completes
    /// The field before it is missing: it is a frame's only one. `abandons` as above.
    case stray(abandons: Bool)
  }

  /// The parity that comes first in a frame.
  let first: Parity
  /// Nanoseconds of a frame; nil where the rate is not known.
  let frameDuration: Int64?
  private var open: Field?
  private var numbers: (before: UInt32, last: UInt32)?
  /// The number of the first field of the frame that was first, be it one that never came.
  private var origin: UInt32?
  /// The number of that frame, from which further ones count.
  private var firstNumber: UInt32 = 0
  /// True where the numbers are of fields and not of frames; nil until they show it.
  private var countsFields: Bool?

  init(fieldOrder: FieldOrder, frameDuration: Int64?) {
    self.first = fieldOrder == .bottomFieldFirst ? .bottom : .top
    self.frameDuration = frameDuration
  }

  /// Takes the next field.
  mutating func take(_ field: Field) -> Step {
    learn(field)
    let begun = open
    open = nil
    guard field.parity != first else {
      open = field
      return .begins(abandons: begun != nil)
    }
    guard let begun, follows(field, begun) else { return .stray(abandons: begun != nil) }
    return .completes
  }

  /// The number of the frame that a field belongs to.
  func frameNumber(of field: Field) -> UInt32 {
    guard countsFields == true, let origin else { return field.sequence }
    return firstNumber &+ (firstSequence(of: field) &- origin) / 2
  }

  /// When the frame that a field belongs to began, in nanoseconds.
  func beginning(of field: Field) -> Int64 {
    field.parity == first ? field.nanoseconds : field.nanoseconds &- (frameDuration ?? 0) / 2
  }

  /// The number that the first field of a field's frame has, where fields are counted.
  private func firstSequence(of field: Field) -> UInt32 {
    field.parity == first ? field.sequence : field.sequence &- 1
  }

  private func follows(_ field: Field, _ begun: Field) -> Bool {
    guard field.sequence &- begun.sequence <= 1 else { return false }
    guard let frameDuration else { return true }
    // Half a frame apart; one and a half where two fields between them are missing.
    return field.nanoseconds &- begun.nanoseconds < frameDuration
  }

  private mutating func learn(_ field: Field) {
    let sequence = field.sequence
    if origin == nil { (origin, firstNumber) = (firstSequence(of: field), sequence) }
    if let numbers {
      if sequence == numbers.last {
        countsFields = false
      } else if countsFields == nil, numbers.last &- numbers.before == 1,
        sequence &- numbers.last == 1
      {
        countsFields = true
      }
      self.numbers = (numbers.last, sequence)
    } else {
      numbers = (sequence &- 2, sequence)
    }
  }
}
