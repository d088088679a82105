import Glibc
import SystemPackage
import Testing

@testable import MediaCore

/// What the errors of all modules have in common.
struct CodedErrorTests {
  private struct OtherError: CodedError {
    struct Code: ErrorCode {
      let name: String
      static let odd = Self(name: "odd")
    }
    let core: ErrorCore<Code>
    init(core: ErrorCore<Code>) { self.core = core }
  }

  @Test func an_error_from_a_system_call_has_its_errno() {
    let error = MediaCoreError(.outOfMemory, "no memory", errno: .noMemory)
    #expect(error.code == .outOfMemory && error.code.name == "outOfMemory")
    #expect(error.errno == .noMemory && error.underlyingError as? Errno == .noMemory)
    #expect("\(error)" == "no memory" && "\(error.code)" == "outOfMemory")
    #expect(MediaCoreError(.outOfMemory, "", errno: ENOMEM).errno == .noMemory)
  }

  @Test func an_error_from_a_library_keeps_the_library_error() {
    let cause = LibraryError("libodd", Int32(-7))
    let error = MediaCoreError(.invalidLayout, "refused", library: cause)
    #expect(error.errno == nil && error.underlyingError as? LibraryError == cause)
    #expect("\(cause)" == "libodd error -7")
  }

  @Test func an_error_without_a_cause_has_no_underlying_error() {
    let error = MediaCoreError(.invalidLayout, "too small")
    #expect(error.errno == nil && error.underlyingError == nil)
  }

  @Test func an_error_converted_between_modules_keeps_message_and_cause() {
    let first = MediaCoreError(.outOfMemory, "no memory", errno: .noMemory)
    let other = OtherError(.odd, from: first)
    #expect(other.code == .odd && other.message == "no memory" && other.errno == .noMemory)
    #expect(OtherError(.odd, "worse", from: first).message == "worse")
  }

  @Test func errors_are_equal_if_code_message_and_cause_are_equal() {
    let error = OtherError(.odd, "one", errno: .ioError)
    #expect(error == OtherError(.odd, "one", errno: .ioError))
    #expect(error != OtherError(.odd, "one", errno: .noSpace))
    #expect(error != OtherError(.odd, "one") && error != OtherError(.odd, "two", errno: .ioError))
  }
}
