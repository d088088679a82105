/// The address of memory on its way between the list of what is free and its one user.
package struct OwnedAddress: @unchecked Sendable {
  // Unchecked: whoever holds it owns the memory; it is never copied to a second owner.
  package let address: UnsafeMutableRawPointer

  package init(_ address: UnsafeMutableRawPointer) { self.address = address }
}
