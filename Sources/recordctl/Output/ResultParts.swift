/// Parts of documents that are no report's own.

/// Whether all was found as it should be.
struct Verdict: Encodable {
  let isValid: Bool
}

/// Whether a recording would work.
struct Prospect: Encodable {
  let isGood: Bool
}
